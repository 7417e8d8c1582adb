/**
 * The matrix of requirement × operation. A row is a <details>: it works without a script, by keyboard, in find-in-page
 * and by deep link (#requirement-id), and turns into labelled chips on a phone.
 */
import type { Verdict } from '../../conformance/index.ts'
import { operationIds } from '../../spec/index.ts'
import type { Report, RuleText } from '../report.ts'
import {
  type ChapterStanding,
  chapterStandings,
  failuresOf,
  obligationKey,
  outcomeOrder,
  outcomeSigns,
} from '../severity.ts'
import { exchangeLinks } from './failure-section.ts'
import { html, type Markup } from './markup.ts'

/** The section with its filter bar. */
export function matrixSection(report: Report): Markup {
  const used = new Set(report.verdicts.map(({ operation }) => operation))
  const columns = operationIds.filter((id) => used.has(id))
  const chapters = chapterStandings(report)
  const rows = new Set(report.verdicts.map(({ requirement }) => requirement)).size
  return html`<section id="rules" aria-labelledby="rules-title"><h2 id="rules-title">Rules <small data-shown="rules">${rows}</small></h2>
<div class="matrix" data-columns="${columns.length}"><div class="matrix-head"><div>${filterBar(report)}</div>${columns.map((id) => html`<span aria-hidden="true"><i>${id}</i></span>`)}</div>
${chapters.map((chapter) => chapterGroup(chapter, columns, report))}</div>
<p class="empty-note" data-empty="rules" hidden>No rule fits the filter.</p></section>`
}

function filterBar({ verdicts }: Report): Markup {
  const rules = new Map(verdicts.map((verdict) => [verdict.requirement, verdict]))
  const outcomes = outcomeOrder.filter((outcome) => verdicts.some((verdict) => verdict.outcome === outcome))
  const boxes = outcomes.map((outcome) => {
    const count = new Set(verdicts.filter((one) => one.outcome === outcome).map(({ requirement }) => requirement)).size
    return html`<label class="toggle"><input type="checkbox" name="outcome" value="${outcome}"><span><i class="swatch ${outcome}"></i>${outcome} <small>${count}</small></span></label>`
  })
  const levels = ['must', 'should', 'may'].filter((level) => [...rules.values()].some((one) => one.level === level))
  return html`<form class="filters" role="search" aria-label="Filter rules" data-filter="rules" hidden><input type="search" name="query" placeholder="Search rules, failures and gaps" aria-label="Search rules, failures and gaps" autocomplete="off" spellcheck="false">
<fieldset><legend class="unseen">Outcome</legend>${boxes}</fieldset>
<select name="level" aria-label="Level"><option value="">every level</option>${levels.map((level) => html`<option>${level}</option>`)}</select><span class="unseen" role="status" data-status="rules"></span></form>`
}

function chapterGroup(
  { chapter, verdicts, counts }: ChapterStanding,
  columns: readonly string[],
  report: Report,
): Markup {
  const byRule = new Map<string, Verdict[]>()
  for (const verdict of verdicts) byRule.set(verdict.requirement, [...(byRule.get(verdict.requirement) ?? []), verdict])
  const trouble = counts.violated > 0 ? `, ${counts.violated} violated` : ''
  return html`<div class="chapter" id="chapter-${chapter}" data-group><h3>${chapter} <small>${counts.upheld} of ${verdicts.length} obligations upheld${trouble}</small></h3>
${[...byRule].map(([id, own]) => ruleRow(id, own, columns, report))}</div>`
}

function ruleRow(id: string, verdicts: readonly Verdict[], columns: readonly string[], report: Report): Markup {
  const text: RuleText | undefined = report.rules[id]
  const outcomes = [...new Set(verdicts.map(({ outcome }) => outcome))]
  const broken = verdicts.some(({ outcome }) => outcome === 'violated')
  const blocking = verdicts.some(failuresOf(report))
  return html`<details class="requirement${blocking ? ' broken' : ''}" id="${id}" data-search="${id} ${text?.rule ?? ''}" data-level="${verdicts[0]?.level ?? ''}" data-outcome="${outcomes.join(' ')}">
<summary><span class="name"><code>${id}</code></span>${columns.map((column) => cell(column, verdicts))}</summary>
<div class="inside"><p class="rule">${text?.rule ?? id}</p><p class="section">${verdicts[0]?.level ?? ''} · ${verdicts[0]?.basis ?? ''} · Contract: ${text?.section ?? 'unknown'} · <a href="#${id}">link</a>${broken ? html` · <a href="#failure-${id}">failure card</a>` : null}</p>
<ul class="verdicts">${verdicts.map(verdictItem)}</ul></div></details>`
}

function cell(column: string, verdicts: readonly Verdict[]): Markup {
  const own = verdicts.filter(({ operation }) => operation === column)
  const worst = outcomeOrder.find((outcome) => own.some((verdict) => verdict.outcome === outcome))
  if (worst === undefined) return html`<span class="cell none"></span>`
  const count = own.length > 1 ? html`<small>${own.length}</small>` : null
  return html`<span class="cell ${worst}" title="${column}: ${worst}"><b aria-hidden="true">${outcomeSigns[worst]}</b>${count}<span class="label">${column}</span><span class="unseen"> ${worst}</span></span>`
}

function verdictItem(verdict: Verdict): Markup {
  const { operation, facet, outcome, witnesses, reason, exchanges } = verdict
  return html`<li data-obligation="${obligationKey(verdict)}"><span class="outcome ${outcome}">${outcomeSigns[outcome]} ${outcome}</span> <code>${operation}${facet === null ? '' : ` · ${facet}`}</code>
<span class="detail">${witnesses > 0 ? `${witnesses} ${witnesses === 1 ? 'witness' : 'witnesses'} ` : ''}${exchanges.length === 0 ? null : exchangeLinks(exchanges, 4)}${reason === undefined ? '' : ` ${reason}`}</span></li>`
}
