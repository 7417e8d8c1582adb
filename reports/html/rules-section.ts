/**
 * All rules by chapter, chapters without trouble closed. A row is a <details>: it works without a script, by keyboard,
 * in find-in-page and by deep link (#requirement-id).
 */

import type { Outcome, Verdict } from '../../conformance/index.ts'
import { reasonText } from '../../conformance/judge/run-outcome.ts'
import { countText, groupBy } from '../../spec/index.ts'
import type { Report, RuleText } from '../report.ts'
import {
  type ChapterStanding,
  chapterStandings,
  countOutcomes,
  failuresOf,
  outcomeOrder,
  outcomeWords,
} from '../severity.ts'
import { exchangeLinks } from './failure-section.ts'
import { html, type Markup } from './markup.ts'

/** The section with its filter bar. */
export function rulesSection(report: Report): Markup {
  const rules = byRule(report.verdicts)
  const chapters = chapterStandings(report)
  const failing = rules.filter((own) => own[0]?.level !== 'should' && worstOf(own) === 'violated')
  const isShort = failing.length <= mostOpenRules
  return html`<section id="rules" aria-labelledby="rules-title"><h2 id="rules-title">Rules by chapter <small data-shown="rules">${rules.length}</small></h2>
${filterBar(rules)}
${chapters.map((chapter) => chapterGroup(chapter, report, isShort))}
<p class="empty-note" data-empty="rules" hidden>No rule fits the filter.</p></section>`
}

/** Counts verdicts, as the head of the page does; a rule with several results is listed under its worst. */
function filterBar(rules: readonly (readonly Verdict[])[]): Markup {
  const counts = countOutcomes(rules.flat())
  const boxes = outcomeOrder.flatMap((outcome) => {
    const count = counts[outcome]
    if (!rules.some((own) => worstOf(own) === outcome)) return []
    return html`<label class="toggle"><input type="checkbox" name="outcome" value="${outcome}"><span><i class="swatch ${outcome}"></i>${outcomeWords[outcome]} <small>${count}</small></span></label>`
  })
  const levels = ['must', 'should', 'may'].filter((level) => rules.some(([first]) => first?.level === level))
  return html`<form class="filters" role="search" aria-label="Filter rules" data-filter="rules" hidden><input type="search" name="query" placeholder="Search rules, failures and gaps" aria-label="Search rules, failures and gaps" autocomplete="off" spellcheck="false">
<fieldset><legend class="unseen">Result</legend>${boxes}</fieldset>
${levels.length < 2 ? null : html`<select name="level" aria-label="Level"><option value="">every level</option>${levels.map((level) => html`<option>${level}</option>`)}</select>`}<span class="unseen" role="status" data-status="rules"></span></form>`
}

/** The verdicts of each rule. */
function byRule(verdicts: readonly Verdict[]): readonly (readonly Verdict[])[] {
  return [...groupBy(verdicts, ({ requirement }) => requirement).values()]
}

function worstOf(verdicts: readonly Verdict[]): Outcome | undefined {
  return outcomeOrder.find((outcome) => verdicts.some((verdict) => verdict.outcome === outcome))
}

/** With more failing rules than this, advice aside, all chapters start closed: the failures are the better overview. */
const mostOpenRules = 10

/** Results that a reader of a chapter wants to see at once. */
const notable: readonly Outcome[] = ['violated', 'suite-fault', 'inconclusive']

function chapterGroup(
  { chapter, verdicts, counts, standing }: ChapterStanding,
  report: Report,
  isShort: boolean,
): Markup {
  const rows = byRule(verdicts)
  const troubled = rows.filter((own) => own.some(({ outcome }) => notable.includes(outcome)))
  const others = rows.filter((own) => !troubled.includes(own)).map((own) => ruleRow(own, report))
  const isTroubled = counts.violated + counts['suite-fault'] > 0
  const told = outcomeOrder
    .filter((outcome) => outcome !== 'upheld' && counts[outcome] > 0)
    .map((outcome) => `${counts[outcome]} ${outcomeWords[outcome]}`)
  return html`<details class="chapter ${standing}" id="chapter-${chapter}" data-group${isTroubled && isShort ? html` open` : null}><summary><h3>${chapter}</h3>${shareBar(verdicts, counts)}<span class="figures">${told.length === 0 ? null : html`<b>${told.join(', ')}</b> `}${counts.upheld} of ${verdicts.length} passed</span></summary>
${isTroubled ? troubled.map((own) => ruleRow(own, report)) : rows.map((own) => ruleRow(own, report))}${isTroubled && others.length > 0 ? html`<details class="others" data-group><summary>${countText(others.length, 'other rule')}</summary>${others}</details>` : null}</details>`
}

/** Shares of the results; every chapter has the same length, because its size does not matter. */
function shareBar(verdicts: readonly Verdict[], counts: ChapterStanding['counts']): Markup {
  let x = 0
  const bars = ['upheld', 'observed', ...notable, 'unexercised', 'inapplicable'].map((outcome) => {
    const width = (counts[outcome as Outcome] / verdicts.length) * 100
    const bar =
      width === 0 ? null : html`<rect class="${outcome}" x="${x.toFixed(1)}%" width="${width.toFixed(1)}%" height="8"/>`
    x += width
    return bar
  })
  return html`<svg aria-hidden="true" height="8" width="100%">${bars}</svg>`
}

function ruleRow(verdicts: readonly Verdict[], report: Report): Markup {
  const [first] = verdicts
  const id = first?.requirement ?? ''
  const text: RuleText | undefined = report.rules[id]
  const isBroken = verdicts.some(({ outcome }) => outcome === 'violated')
  return html`<details class="requirement${verdicts.some(failuresOf(report)) ? ' broken' : ''}" id="${id}" data-level="${first?.level ?? ''}" data-outcome="${worstOf(verdicts) ?? null}"><summary><code>${id}</code><span class="counts">${countsOf(verdicts)}</span></summary>
<div class="inside"><p class="rule">${text?.rule ?? id}</p><p class="section">${first?.level ?? ''} · ${first?.basis ?? ''} · Contract: ${text?.section ?? 'unknown'}${isBroken ? html` · <a href="#failure-${id}">the failure</a>` : null}</p>
<ul class="verdicts">${verdictItems(verdicts)}</ul></div></details>`
}

/** The number of places with each result, the worst first. */
function countsOf(verdicts: readonly Verdict[]): readonly Markup[] {
  return outcomeOrder.flatMap((outcome) => {
    const count = verdicts.filter((one) => one.outcome === outcome).length
    return count === 0 ? [] : [html`<i class="outcome ${outcome}">${count} ${outcomeWords[outcome]}</i>`]
  })
}

/** Verdicts of one outcome and reason are one entry, with all their places. */
function verdictItems(verdicts: readonly Verdict[]): readonly Markup[] {
  const alike = groupBy(verdicts, ({ outcome, reason }) => `${outcome} ${reason ?? ''}`)
  return [...alike.values()].map((own) => {
    const [{ outcome, reason = null }] = own
    const places = own.map((verdict, index) => html`${index === 0 ? '' : '; '}${verdictPlace(verdict)}`)
    return html`<li><span class="outcome ${outcome}">${outcomeWords[outcome]}</span> <span class="detail">${places}${reason === null ? null : `: ${reasonText(reason)}`}</span></li>`
  })
}

/** The places where a rule was judged; of many exchanges the first few suffice, or one if the rule holds. */
function verdictPlace({ operation, facet, outcome, witnesses, exchanges }: Verdict): Markup {
  const seen = witnesses > 1 ? ` ${witnesses}×` : ''
  const links = exchangeLinks(exchanges.slice(0, outcome === 'violated' ? 4 : 1))
  return html`${operation}${facet === null ? '' : ` · ${facet}`}${seen} ${links}`
}
