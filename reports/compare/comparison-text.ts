/** A comparison for people: plain lines for a terminal, Markdown for a pull request. */
import pc from 'picocolors'
import { markdownCell, markdownCode, markdownText } from '../markdown-text.ts'
import { visibleLine } from '../sanitize-text.ts'
import { outcomeWords } from '../severity.ts'
import type { Change, Comparison } from './compare-reports.ts'

/** The kinds of change, the worst first. */
export const changeKinds = ['broken', 'new', 'still', 'unproven', 'lost', 'fixed'] as const
/** The meaning of each kind of change. */
export const changeMeanings: Readonly<Record<(typeof changeKinds)[number], string>> = {
  broken: 'failed now, not before',
  new: 'failed, and not judged before',
  still: 'failed before and now',
  unproven: 'failed before, not tested now',
  lost: 'passed before, not tested now',
  fixed: 'failed before, passed now',
}

/** The comparison as text; the last line counts. */
export function renderComparisonText(
  comparison: Comparison,
  { color = false }: { readonly color?: boolean } = {},
): string {
  const paint = pc.createColors(color)
  const paints = {
    broken: paint.red,
    new: paint.red,
    still: paint.yellow,
    unproven: paint.yellow,
    lost: paint.yellow,
    fixed: paint.green,
  }
  const blocks = changeKinds
    .filter((kind) => comparison[kind].length > 0)
    .map((kind) =>
      [
        paints[kind](`${kind}  ${paint.dim(changeMeanings[kind])}`),
        ...comparison[kind].map((change) => `  ${changeLine(change)}`),
      ].join('\n'),
    )
  const answers = comparison.answers.map(
    ({ gap, before, after }) =>
      `  ${gap}: ${visibleLine(before ?? 'not seen', 80)} → ${visibleLine(after ?? 'not seen', 80)}`,
  )
  const parts = [
    ...comparison.caveats.map((caveat) => paint.dim(visibleLine(caveat))),
    ...blocks,
    ...(answers.length === 0 ? [] : [['different answers where the contract is silent', ...answers].join('\n')]),
    comparisonSummary(comparison),
  ]
  return `${parts.join('\n\n')}\n`
}

function changeLine({ obligation, before, after, blocking }: Change): string {
  return `${visibleLine(obligation)}  ${outcomeText(before)} → ${outcomeText(after)}${blocking ? '' : '  non-blocking'}`
}

/** An outcome in the words of all renderings. */
export function outcomeText(outcome: Change['before']): string {
  return outcome === null ? 'not judged' : outcomeWords[outcome]
}

/** The number of changes of each kind. */
export function comparisonSummary(comparison: Comparison): string {
  return changeKinds.map((kind) => `${comparison[kind].length} ${kind}`).join(', ')
}

/** The comparison as Markdown. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const rows = changeKinds.flatMap((kind) =>
    comparison[kind].map(
      ({ obligation, before, after }) =>
        `| ${kind} | ${markdownCode(obligation)} | ${outcomeText(before)} | ${outcomeText(after)} |`,
    ),
  )
  const answers = comparison.answers.map(
    ({ gap, before, after }) =>
      `| ${markdownCode(gap)} | ${markdownCell(before ?? '')} | ${markdownCell(after ?? '')} |`,
  )
  const parts = [
    `## ${comparison.exitCode === 0 ? '✅' : '❌'} ${comparisonSummary(comparison)}`,
    ...comparison.caveats.map((caveat) => `> ${markdownText(caveat)}`),
    ...(rows.length === 0 ? [] : [['| | obligation | before | after |', '|---|---|---|---|', ...rows].join('\n')]),
    ...(answers.length === 0 ? [] : [['| gap | before | after |', '|---|---|---|', ...answers].join('\n')]),
  ]
  return `${parts.join('\n\n')}\n`
}
