/**
 * Renders a report for a terminal: a line for each chapter, a block for each broken rule, totals last.
 * Control characters of the target are spelled out, so that none of its escape sequences survives.
 */

import pc from 'picocolors'
import { countText } from '../spec/index.ts'
import { shellWord } from './curl.ts'
import { type CauseText, causeOfFollowing, inOrderOfCauses, likelyCauses, mostCauses } from './diagnosis/cause-text.ts'
import { failuresText } from './failed-text.ts'
import { type FailureCard, failureCards } from './failure-card.ts'
import { levelsText } from './granted-levels.ts'
import { headlineText } from './headline.ts'
import type { Report } from './report.ts'
import { visibleLine } from './sanitize-text.ts'
import {
  type ChapterStanding,
  chapterStandings,
  countOutcomes,
  outcomeOrder,
  outcomeWords,
  runMarks,
  runWords,
  type Standing,
} from './severity.ts'
import { shareText } from './share-text.ts'
import { stopReason } from './stop-reason.ts'
import { asides, baselineBlock, openDebts } from './terminal-asides.ts'
import { failingBlock, followingBlock, type Paint } from './terminal-block.ts'
import { wrapText } from './wrap-text.ts'

interface TextOptions {
  /** Whether to use ANSI colours; the caller asks NO_COLOR and the terminal. */
  readonly color?: boolean
  /** Where the printed replay commands find the report. */
  readonly reportPath?: string
  /** The profile that the run was told of. */
  readonly targetFile?: string | undefined
  /** Columns of the terminal; longer lines are wrapped. Without it nothing is wrapped. */
  readonly columns?: number | undefined
  /** Whether each request of a failure is shown as a curl command. */
  readonly verbose?: boolean
  /** Failures beyond this are only named, chapter by chapter. */
  readonly maxBlocks?: number
  /** Whether only what failed and the outcome are printed. */
  readonly quiet?: boolean
}

/** Up to this many failures are shown as blocks; more would scroll away before anybody reads them. */
const fewFailures = 12

/** The report as a person reads it in a terminal; ends with a line feed. */
export function renderText(report: Report, options: TextOptions = {}): string {
  const paint = pc.createColors(options.color ?? false)
  const causes = likelyCauses(report, options)
  const cards = inOrderOfCauses(failureCards(report, options), causes)
  const causeOf = causeOfFollowing(causes)
  const isVerbose = options.verbose ?? false
  const maxBlocks = options.maxBlocks ?? (isVerbose || cards.length <= fewFailures ? cards.length : 0)
  const named = cards.slice(maxBlocks)
  const parts =
    options.quiet === true
      ? [
          fixFirst(causes, 'quiet', paint),
          failuresByChapter(cards, paint),
          ...evidenceHint(cards, paint, options.reportPath),
          baselineBlock(report, paint),
          lastLine(report, paint),
        ]
      : [
          headLine(report, paint),
          fixFirst(causes, named.length > 0 ? 'short' : 'whole', paint),
          ...cards.slice(0, maxBlocks).map((card) => {
            const cause = causeOf.get(card.requirement)
            return cause === undefined || isVerbose
              ? failingBlock(card, paint, isVerbose)
              : followingBlock(card, cause, paint)
          }),
          [chapterTable(report, named, paint), ...evidenceHint(named, paint, options.reportPath)].join('\n'),
          ...asides(report, named.length > 0, paint),
          openDebts(report, paint),
          baselineBlock(report, paint),
          lastLine(report, paint),
        ]
  const wrapped = (text: string): string => (options.columns === undefined ? text : wrapText(text, options.columns))
  const text = wrapped(parts.filter((part) => part !== '').join('\n\n'))
  const again = fixFirstAgain(causes, text, paint)
  return `${text}${again === '' ? '' : `\n\n${wrapped(again)}`}\n`
}

function headLine({ run }: Report, paint: Paint): string {
  const facts = [
    ...(run.source === undefined
      ? [`seed ${run.seed}`, `tier ${visibleLine(String(run.tier), 40)}`]
      : [run.source === 'har' ? 'traffic of a HAR file' : 'traffic through acs watch']),
    run.strict ? 'strict' : '',
    run.only === undefined ? '' : `only ${visibleLine(run.only, 60)}`,
    `contract ${visibleLine(run.contractDigest.replace(/^sha256[:-]/, '').slice(0, 12))}`,
  ]
  return `${paint.bold(visibleLine(run.target))}  ${paint.dim(facts.filter((fact) => fact !== '').join('  '))}`
}

/** A line for each chapter, with the names of the failures that have no block. */
function chapterTable(report: Report, named: readonly FailureCard[], paint: Paint): string {
  const lines = chapterStandings(report).map((standing) =>
    chapterLine(standing, failureNames(standing.chapter, named), paint),
  )
  return [paint.dim('rules by chapter'), ...lines].join('\n')
}

/** The failures of one chapter by name, those that fail nobody last. */
function failureNames(chapter: string, cards: readonly FailureCard[]): string {
  const named = (isBlocking: boolean): string =>
    cards
      .filter((card) => card.chapter === chapter && card.blocking === isBlocking)
      .map(({ requirement }) => requirement.slice(chapter.length + 1))
      .join(', ')
  const mild = named(false)
  const strong = named(true)
  if (mild === '') return strong
  return strong === '' ? `${mild} (non-blocking)` : `${strong}; non-blocking: ${mild}`
}

function chapterLine({ chapter, counts, standing }: ChapterStanding, names: string, paint: Paint): string {
  const told = outcomeOrder
    .filter((outcome) => counts[outcome] > 0 && outcome !== 'inapplicable')
    .toReversed()
    .map((outcome) => `${counts[outcome]} ${outcomeWords[outcome]}`)
  const line = `${marks[standing]} ${chapter.padEnd(13)}`
  return `${standingPaint(paint)[standing](line)} ${told.join('  ')}${names === '' ? '' : `: ${names}`}`.trimEnd()
}

const marks: Readonly<Record<Standing, string>> = {
  failed: '×',
  questioned: '!',
  partial: '◐',
  passed: '✓',
  empty: '○',
}

function standingPaint(paint: Paint): Readonly<Record<Standing, (text: string) => string>> {
  return { failed: paint.red, questioned: paint.yellow, partial: paint.yellow, passed: paint.green, empty: paint.dim }
}

/**
 * The likely causes above all blocks: what to fix first, where, and how to see it again. In a short text, which rules a cause
 * explains, and where the second and third one show, is left to the list of failures.
 */
function fixFirst(causes: readonly CauseText[], detail: 'whole' | 'short' | 'quiet', paint: Paint): string {
  if (causes.length === 0) return ''
  const isShort = detail !== 'whole'
  const lines = causes
    .slice(0, mostCauses)
    .flatMap(({ headline, seen, also, explains, fix, pattern, follows, replay, sides }, index) => [
      `${index + 1}  ${paint.bold(visibleLine(headlineText(headline), 300))}${seen}${also === '' || (isShort && index > 0) ? '' : paint.dim(`, ${also}`)}`,
      // The blocks of the failures, which a quiet text has not, show both sides.
      ...(detail === 'quiet' && sides !== '' ? [`   ${visibleLine(sides, 300)}`] : []),
      `   how to fix: ${fix}`,
      `   reproduce: ${replay}`,
      ...(index > 0 && (isShort || follows.length === 0)
        ? []
        : [`   ${paint.dim(shareLine(explains, isShort ? [] : follows, index === 0 ? pattern : ''))}`]),
    ])
  return [paint.bold('fix first'), ...lines].join('\n')
}

/** Lines of a small terminal. What is longer has moved its beginning out of sight when it ends. */
const screenLines = 24

/** The first of several causes once more below a long text, where a reader is when the run ends; a single one ends its own block. */
function fixFirstAgain([first, second]: readonly CauseText[], above: string, paint: Paint): string {
  if (first === undefined || second === undefined || above.split('\n').length <= screenLines) return ''
  const { headline, seen, also, fix, replay } = first
  return [
    `${paint.bold('fix first:')} ${visibleLine(headlineText(headline), 300)}${seen}${also === '' ? '' : `, ${also}`}`,
    `  fix: ${fix}`,
    `  reproduce: ${replay}`,
  ].join('\n')
}

/** What else the cause explains; the command above names its own rule. */
function shareLine(explains: string, follows: readonly string[], pattern: string): string {
  return `${explains}${follows.length === 0 ? '' : `, also ${someOf(follows)}`}${pattern}`
}

const shownFollowers = 2

function someOf(names: readonly string[]): string {
  const more = names.length - shownFollowers
  return `${names.slice(0, shownFollowers).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The failures by chapter. */
function failuresByChapter(cards: readonly FailureCard[], paint: Paint): string {
  const chapters = [...new Set(cards.map(({ chapter }) => chapter))]
  return chapters.map((chapter) => `  ${paint.dim(chapter.padEnd(12))}  ${failureNames(chapter, cards)}`).join('\n')
}

function evidenceHint(
  cards: readonly FailureCard[],
  paint: Paint,
  reportPath = 'acs-report/report.json',
): readonly string[] {
  if (cards.length === 0) return []
  return [paint.dim(`each with its evidence: acs report ${shellWord(reportPath)} --verbose`)]
}

function lastLine(report: Report, paint: Paint): string {
  const { run, cost } = report
  const counts = countOutcomes(report.verdicts)
  const color = { conformant: paint.green, nonconformant: paint.red, incomplete: paint.yellow, invalid: paint.dim }[
    run.outcome
  ]
  const others = outcomeOrder
    .filter((outcome) => outcome !== 'violated' && counts[outcome] > 0)
    .map((outcome) => `${counts[outcome]} ${outcomeWords[outcome]}`)
  const told = [failuresText(report), ...others]
  const stop = stopReason(report)
  const reason = stop === null ? '' : `(${visibleLine(stop, 120)})`
  return [
    levelsText(report),
    `${color(paint.bold(`${runMarks[run.outcome]} ${runWords[run.outcome]}`))}${reason === '' ? '' : ` ${reason}`}  ${told.join(', ')}; ${spent(cost, run.durationMs)}`,
  ].join('\n')
}

function spent(cost: Report['cost'], durationMs: number): string {
  const { exchanges, modelCalls, maxModelCalls } = cost
  return `${countText(exchanges, 'exchange')}, ${shareText(modelCalls, maxModelCalls, 'model call')}, ${(durationMs / 1000).toFixed(1)} s`
}
