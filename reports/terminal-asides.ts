/** What stands below the chapters in a terminal: what is silent, undecided, not tested, known or open. */
import { isOpen, reasonText } from '../conformance/judge/run-outcome.ts'
import { countText, groupBy } from '../spec/index.ts'
import { baselineFailures, baselineSummary } from './excuse-text.ts'
import type { Report } from './report.ts'
import { visibleLine } from './sanitize-text.ts'
import { type Paint, placeName } from './terminal-block.ts'

/** What fails nobody, one line each. */
export function asides(report: Report, isShort: boolean, paint: Paint): readonly string[] {
  const odd = report.observations.filter((observation) => !observation.consistent).length
  const unmet = report.observations.filter((observation) => observation.declared?.met === false).length
  const { length: count } = report.notices
  const notices = isShort && count > 0 ? `; ${countText(count, 'notice')}` : ''
  const lines = [
    report.observations.length === 0
      ? ''
      : `gaps        ${report.observations.length} answered${odd > 0 ? `, ${odd} of them inconsistently` : ''}${unmet > 0 ? `, ${unmet} not as declared` : ''}${notices}`,
    ...(isShort ? [] : [oddLine(report)]),
    ...(isShort || report.run.outcome === 'incomplete' ? [] : inconclusiveLines(report)),
    unexercisedLine(report),
    ...(isShort || report.run.outcome === 'incomplete' ? [] : missingLines(report)),
    ...(isShort ? [] : noticeLines(report)),
  ].filter((line) => line !== '')
  return lines.length === 0 ? [] : [paint.dim(lines.join('\n'))]
}

/** The first notice of each kind, and how many more there are. */
function noticeLines({ notices }: Report): readonly string[] {
  return [...new Set(notices.map(({ code }) => code))].map((code) => {
    const [first, ...others] = notices.filter((notice) => notice.code === code)
    const more = others.length === 0 ? '' : ` (${others.length} more of this kind)`
    return `notice      ${visibleLine(code)}: ${visibleLine(first?.text ?? '', 160)}${more}`
  })
}

/** Names on one line; more are counted. */
const mostNames = 6

function namesText(names: readonly string[]): string {
  const more = names.length - mostNames
  const shown = names.slice(0, mostNames).map((name) => visibleLine(name, 80))
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Gaps that the target answers in several ways. */
function oddLine({ observations }: Report): string {
  const odd = observations.filter(({ consistent }) => !consistent).map(({ gap }) => gap)
  return odd.length === 0 ? '' : `            in several ways: ${namesText(odd)}`
}

/** What was seen and decides nothing, by reason: `streams.progressive ×3: the chunks were created too close together`. */
function inconclusiveLines({ verdicts }: Report): readonly string[] {
  const byReason = groupBy(
    verdicts.filter(({ outcome }) => outcome === 'inconclusive'),
    ({ reason = 'no reason given' }) => visibleLine(reasonText(reason).replace(/^Undecided: /, ''), 160),
  )
  return [...byReason]
    .slice(0, mostNames)
    .map(
      ([reason, those]) =>
        `inconclusive  ${namesText(timesText(those.map(({ requirement }) => requirement)))}: ${reason}`,
    )
    .concat(byReason.size > mostNames ? [`inconclusive  ${byReason.size - mostNames} more reasons in the report`] : [])
}

/** Each text once, with how often it occurs. */
function timesText(texts: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].map(([text, count]) => (count === 1 ? text : `${text} ×${count}`))
}

/** What the profile lacks, so that something was not tested. */
function missingLines({ verdicts }: Report): readonly string[] {
  const lacks = verdicts.flatMap(({ outcome, reason = '' }) => {
    const [, text] = /^no-fixture: (.*)$/s.exec(reason) ?? []
    return outcome === 'unexercised' && text !== undefined ? [text] : []
  })
  const told = timesText(lacks)
  return told
    .slice(0, mostNames)
    .map((text) => `  missing     ${visibleLine(text, 160)}`)
    .concat(told.length > mostNames ? [`  missing     ${told.length - mostNames} more settings in the report`] : [])
}

/** What the baseline knows, what it does not, and its entries that fail the run. */
export function baselineBlock({ run }: Report, paint: Paint): string {
  const summary = baselineSummary(run)
  if (summary === null || run.baseline === undefined) return ''
  const { known, unexpected } = run.baseline
  return [
    summary,
    ...known.map((key) => `  ${paint.dim('known')}       ${visibleLine(key)}`),
    ...unexpected.map((key) => `  ${paint.red('unexpected')}  ${visibleLine(key)}`),
    ...baselineFailures(run.baseline).map(
      ({ obligation, text }) => `  ${paint.red('entry')}       ${obligation}  ${text}`,
    ),
  ].join('\n')
}

/** More rules than this are counted; the report names them all. */
const maxOpenRules = 10

/** What keeps a run from being conformant though nothing fails: each rule with open obligations, where, and why. */
export function openDebts({ run, verdicts }: Report, paint: Paint): string {
  if (run.outcome !== 'incomplete') return ''
  const count = verdicts.filter(isOpen).length
  if (run.tier === 'smoke' && run.complete && count > 0)
    return `${paint.yellow('open')}        ${verdicts.some(({ outcome }) => outcome === 'violated') ? 'no failure blocks' : 'nothing broken'}; ${countText(count, 'required obligation needs', 'required obligations need')} --tier gate`
  const byRule = groupBy(
    verdicts.filter(isOpen),
    ({ requirement, reason, outcome }) => `${requirement} ${reason ?? outcome}`,
  )
  const lines = [...byRule.values()].slice(0, maxOpenRules).map((open) => {
    const reason = visibleLine(reasonText(open[0]?.reason ?? open[0]?.outcome ?? ''), 120)
    const places = open.slice(0, 3).map(placeName).join(', ') + (open.length > 3 ? ` and ${open.length - 3} more` : '')
    return `${paint.yellow('open')}        ${visibleLine(open[0]?.requirement ?? '')}  ${visibleLine(places)}  ${paint.dim(reason)}`
  })
  const rest = byRule.size - lines.length
  return [...lines, ...(rest > 0 ? [`${paint.yellow('open')}        and ${rest} more rules in the report`] : [])].join(
    '\n',
  )
}

function unexercisedLine({ verdicts }: Report): string {
  const reasons = new Map<string, number>()
  for (const verdict of verdicts) {
    if (verdict.outcome !== 'unexercised') continue
    const reason = visibleLine(reasonText((verdict.reason ?? 'no reason given').split(':', 1)[0] ?? ''), 60)
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  }
  const told = [...reasons].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${count} ${reason}`)
  return told.length === 0 ? '' : `not tested  ${told.join(', ')}`
}
