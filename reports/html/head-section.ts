/** Renders the top of the page: the verdict, the first fix, the levels, the facts of the run. */

import type { RunOutcome } from '../../conformance/index.ts'
import { countText } from '../../spec/index.ts'
import { type CauseText, mostCauses } from '../diagnosis/cause-text.ts'
import { baselineFailures, baselineSummary } from '../excuse-text.ts'
import { failuresText } from '../failed-text.ts'
import type { Report, ReportRun } from '../report.ts'
import { visibleLine } from '../sanitize-text.ts'
import { countOutcomes, outcomeWords, runWords } from '../severity.ts'
import { stopReason } from '../stop-reason.ts'
import { headlineMarkup } from './evidence.ts'
import { wholeWords } from './failure-section.ts'
import { levelList } from './level-list.ts'
import { html, type Markup } from './markup.ts'

/** Title of the page. */
export function pageTitle({ run }: Report): string {
  return `${capitalised(runWords[run.outcome])} · ${run.target} · ACS conformance`
}

/** The head of the page. */
export function headSection(report: Report, causes: readonly CauseText[]): Markup {
  const { run } = report
  return html`<header class="head" id="top">
<div class="bar"><p class="brand">ACS conformance report</p><button type="button" class="quiet" data-theme-button hidden>Theme: auto</button></div>
${verdictBlock(run, html`<p class="sentence">${verdictSentence(report)}</p>`)}
${run.outcome === 'invalid' ? null : html`${fixFirst(causes)}${baselineNote(run)}${levelList(report)}${factLine(report)}`}
</header>`
}

function verdictBlock({ outcome, target }: ReportRun, words: Markup): Markup {
  return html`<div class="verdict ${outcome}"><div class="seal" aria-hidden="true"><svg viewBox="0 0 25 25"><path d="${sealShapes[outcome]}"/></svg></div>
<div><h1>${capitalised(runWords[outcome])}</h1><p class="target">${target}</p>${words}</div></div>`
}

const sealShapes: Readonly<Record<RunOutcome, string>> = {
  conformant: 'M7 13.5 11 17.5 18 8',
  nonconformant: 'M8 8l9 9M17 8l-9 9',
  incomplete: 'M12.5 7v7M12.5 17.6v.4',
  invalid: 'M7.5 12.5h10',
}

/** The counts of the page in one sentence; every other place shows the same ones. */
function verdictSentence(report: Report): string {
  const { run, verdicts } = report
  if (run.outcome === 'invalid') return `${stopped(report)}This run proves nothing about the target.`
  const counts = countOutcomes(verdicts)
  const failed = counts.violated === 0 ? [] : [failuresText(report)]
  const others = (['upheld', 'unexercised', 'inconclusive', 'inapplicable', 'suite-fault'] as const)
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${counts[outcome]} ${outcomeWords[outcome]}`)
  const open =
    run.outcome === 'conformant' && run.baseline === undefined && run.only === undefined
      ? ' Everything that the claimed levels require was tested and decided.'
      : run.outcome === 'incomplete'
        ? ' The claimed levels require more than was decided.'
        : ''
  return `${[...failed, ...others].join(', ')} of ${verdicts.length} obligations.${open} ${stopped(report)}`.trim()
}

/** Why the run ended early or decides less than it could, without its findings. */
function stopped(report: Report): string {
  const { incompleteReason, outcome } = report.run
  const reason = outcome === 'invalid' ? incompleteReason : stopReason(report)
  return reason === undefined || reason === null ? '' : `${capitalised(reason)}. `
}

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

function fixFirst(causes: readonly CauseText[]): Markup | null {
  if (causes.length === 0) return null
  const items = causes
    .slice(0, mostCauses)
    .map(
      ({ requirement, headline, also, explains, fix, pattern, replay, seen }) =>
        html`<li><a href="#failure-${requirement}">${headlineMarkup(headline)}</a>${seen}${also === '' ? null : html` <small>${also}</small>`}<p><b>How to fix</b> ${fix}</p><p><b>Reproduce</b> <code class="whole">${wholeWords(replay)}</code></p><p class="hint">${explains}${pattern}</p></li>`,
    )
  const more = causes.length - items.length
  return html`<section class="fix-first" aria-labelledby="fix-first-title"><h2 id="fix-first-title">Fix first</h2><ol>${items}</ol>${more > 0 ? html`<p class="hint"><a href="#failures">${countText(more, 'more likely cause')}</a></p>` : null}</section>`
}

function baselineNote(run: ReportRun): Markup | null {
  const summary = baselineSummary(run)
  if (summary === null || run.baseline === undefined) return null
  const entries = baselineFailures(run.baseline)
  return html`<section class="baseline"><p>${summary}.</p>${entries.length === 0 ? null : html`<ul>${entries.map(({ obligation, text }) => html`<li><code>${obligation}</code> ${text}</li>`)}</ul>`}</section>`
}

function factLine({ run, cost }: Report): Markup {
  const source =
    run.source === undefined ? [] : [run.source === 'har' ? 'traffic of a HAR file' : 'traffic through acs watch']
  const asked = run.source === undefined ? [`tier ${run.tier}${run.strict ? ', strict' : ''}`, `seed ${run.seed}`] : []
  const shard = run.shard === undefined ? [] : [`shard ${run.shard.index} of ${run.shard.count}`]
  const facts = [
    ...source,
    ...asked,
    ...shard,
    ...(run.only === undefined ? [] : [`only ${visibleLine(run.only, 60)}`]),
    countText(cost.exchanges, 'exchange'),
    callsText(cost),
    `${(run.durationMs / 1000).toFixed(1)} s`,
    `suite ${run.suiteVersion}`,
  ]
  return html`<p class="facts"><time datetime="${run.startedAt}">${run.startedAt.slice(0, 16).replace('T', ' ')} UTC</time> · ${facts.join(' · ')} · contract ${digest(run.contractDigest)} · profile ${digest(run.profileDigest)}</p>`
}

function callsText({ modelCalls, maxModelCalls }: Report['cost']): string {
  return maxModelCalls === null
    ? countText(modelCalls, 'model call')
    : `${modelCalls} of at most ${countText(maxModelCalls, 'model call')}`
}

function digest(value: string): Markup {
  return html`<code title="${value}">${value.replace(/^sha256[:-]/, '').slice(0, 12)}</code>`
}
