/** The top of the page: the verdict in words, claimed and granted levels, and the facts that make the run repeatable. */
import type { RunOutcome } from '../../conformance/index.ts'
import { conformanceLevels } from '../../spec/index.ts'
import { baselineFailures, baselineSummary } from '../excuse-text.ts'
import type { FailureCard } from '../failure-card.ts'
import type { Report, ReportRun } from '../report.ts'
import { countOutcomes } from '../severity.ts'
import { type Content, html, type Markup } from './markup.ts'

const outcomeWords: Readonly<Record<RunOutcome, string>> = {
  conformant: 'Conformant',
  nonconformant: 'Not conformant',
  incomplete: 'Incomplete',
  invalid: 'Invalid run',
}

/** Title of the page. */
export function pageTitle({ run }: Report): string {
  return `${outcomeWords[run.outcome]} · ${run.target} · ACS conformance`
}

/** The head of the page. */
export function headSection(report: Report, cards: readonly FailureCard[]): Markup {
  const { run } = report
  return html`<header class="head" id="top">
<div class="bar"><p class="brand">ACS conformance report</p><button type="button" class="quiet" data-theme-button hidden>Theme: auto</button></div>
<div class="verdict ${run.outcome}"><div class="seal" aria-hidden="true">${sealOf(run.outcome)}</div>
<div><h1>${outcomeWords[run.outcome]}</h1><p class="target">${run.target}</p><p class="sentence">${verdictSentence(report, cards)}</p></div></div>
${baselineNote(run)}
${levelList(run)}
${facts(report)}
</header>`
}

function sealOf(outcome: RunOutcome): Markup {
  const shape =
    outcome === 'conformant'
      ? 'M7 13.5 11 17.5 18 8'
      : outcome === 'incomplete'
        ? 'M12.5 7v7M12.5 17.6v.4'
        : 'M8 8l9 9M17 8l-9 9'
  return html`<svg viewBox="0 0 25 25" width="56" height="56"><path d="${shape}"/></svg>`
}

function verdictSentence(report: Report, cards: readonly FailureCard[]): string {
  const counts = countOutcomes(report.verdicts)
  const judged = counts.upheld + counts.violated
  const reason = report.run.incompleteReason
  const blocking = cards.filter((card) => card.blocking)
  const places = blocking.reduce((sum, card) => sum + card.places.length, 0)
  const sentences: Readonly<Record<RunOutcome, string>> = {
    conformant:
      report.run.baseline === undefined
        ? `All rules that fail a run were kept: ${counts.upheld} of ${judged} tested obligations passed, and nothing that the claimed levels require was skipped.`
        : `Nothing fails the run beyond what the baseline knows: ${counts.upheld} of ${judged} tested obligations passed.`,
    nonconformant:
      blocking.length === 0
        ? `No blocking violation is new; ${counts.upheld} obligations passed.`
        : `${count(blocking.length, 'rule')} of the contract ${blocking.length === 1 ? 'is' : 'are'} broken, at ${count(places, 'place')}; ${counts.upheld} obligations passed.`,
    incomplete: `Nothing that fails a run was shown to be broken, but the claimed levels require more than was decided; ${counts.upheld} obligations passed, ${counts.unexercised} were not tested.`,
    invalid: 'This run proves nothing about the target.',
  }
  return reason === undefined ? sentences[report.run.outcome] : `${sentences[report.run.outcome]} Reason: ${reason}.`
}

function baselineNote(run: ReportRun): Markup | null {
  const summary = baselineSummary(run)
  if (summary === null || run.baseline === undefined) return null
  const entries = baselineFailures(run.baseline)
  return html`<section class="baseline"><p>${summary}.</p>${entries.length === 0 ? null : html`<ul>${entries.map(({ obligation, text }) => html`<li><code>${obligation}</code> ${text}</li>`)}</ul>`}</section>`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function levelList({ claimed, granted }: ReportRun): Markup {
  const items = conformanceLevels.map((level) => {
    const state = granted.includes(level) ? 'granted' : claimed.includes(level) ? 'refused' : 'unclaimed'
    const words = { granted: 'claimed and granted', refused: 'claimed, not granted', unclaimed: 'not claimed' }[state]
    return html`<li class="${state}"><b>${level}</b> <span>${words}</span></li>`
  })
  return html`<section class="levels" aria-labelledby="levels-title"><h2 id="levels-title">Levels</h2><ul>${items}</ul></section>`
}

function facts({ run, cost }: Report): Markup {
  const calls =
    cost.maxModelCalls === null ? `${cost.modelCalls}` : `${cost.modelCalls} of at most ${cost.maxModelCalls}`
  const exchanges =
    cost.maxExchanges === null ? `${cost.exchanges}` : `${cost.exchanges} of at most ${cost.maxExchanges}`
  const rows: readonly (readonly [string, Content])[] = [
    ['Started', html`<time datetime="${run.startedAt}">${run.startedAt.slice(0, 16).replace('T', ' ')} UTC</time>`],
    ['Took', `${(run.durationMs / 1000).toFixed(1)} s`],
    ['Exchanges', exchanges],
    ['Model calls', calls],
    ...(run.source === undefined ? runRows(run) : ([['Recorded traffic', sourceWords[run.source]]] as const)),
    ...(run.shard === undefined ? [] : [['Shard', `${run.shard.index} of ${run.shard.count}`] as const]),
    ['Contract', digest(run.contractDigest)],
    ['Profile', digest(run.profileDigest)],
    ['Suite', html`<code>${run.suiteVersion}</code>`],
  ]
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

const sourceWords = { har: 'from a HAR file', proxy: 'through acs watch' } as const

function runRows(run: ReportRun): readonly (readonly [string, Content])[] {
  return [
    ['Tier', run.strict ? `${run.tier}, strict` : run.tier],
    ['Seed', html`<code>${run.seed}</code>`],
  ]
}

function digest(value: string): Markup {
  return html`<code title="${value}">${value.replace(/^sha256[:-]/, '').slice(0, 12)}</code>`
}
