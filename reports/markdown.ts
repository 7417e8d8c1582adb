/** Markdown for a CI job summary or a pull request: verdict, chapters, failure cards, rules not run, the gaps. */

import { countText } from '../spec/index.ts'
import { answerText } from './answer-text.ts'
import { type CauseText, causeOfFollowing, inOrderOfCauses, likelyCauses, mostCauses } from './diagnosis/cause-text.ts'
import { baselineFailures, baselineSummary, nonBlockingText, replayText } from './excuse-text.ts'
import { failuresText } from './failed-text.ts'
import { type CardPlace, type FailureCard, failureCards, noteOf } from './failure-card.ts'
import { markdownBlock, markdownCell, markdownCode, markdownText } from './markdown-text.ts'
import type { Report } from './report.ts'
import { visiblePair } from './sanitize-text.ts'
import {
  type ChapterStanding,
  chapterStandings,
  countOutcomes,
  outcomeOrder,
  outcomeWords,
  type Standing,
} from './severity.ts'
import { stopReason } from './stop-reason.ts'

interface MarkdownOptions {
  /** The path of the report in the printed replay commands. */
  readonly reportPath?: string
  /** The profile of the run. */
  readonly targetFile?: string | undefined
  /** Cards beyond this are only named, since a job summary has a size limit. */
  readonly maxCards?: number
}

const signs: Readonly<Record<Standing, string>> = {
  failed: '❌',
  questioned: '⚠️',
  partial: '🌗',
  passed: '✅',
  empty: '▫️',
}

/** The report as GitHub-flavoured Markdown. */
export function renderMarkdown(report: Report, { maxCards = 20, ...options }: MarkdownOptions = {}): string {
  const causes = likelyCauses(report, options)
  const cards = inOrderOfCauses(failureCards(report, options), causes)
  const causeOf = causeOfFollowing(causes)
  const parts = [
    title(report),
    baselineList(report),
    fixFirst(causes),
    chapterTable(report),
    ...cards.slice(0, maxCards).map((card) => cardSection(card, causeOf.get(card.requirement) ?? null)),
    moreCards(cards.slice(maxCards)),
    gapTable(report),
    noticeList(report),
    `<sub>${markdownText(`seed ${report.run.seed}, tier ${report.run.tier}, suite ${report.run.suiteVersion}, contract ${report.run.contractDigest}`)}</sub>`,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function title(report: Report): string {
  const { run, cost } = report
  const counts = countOutcomes(report.verdicts)
  const others = outcomeOrder
    .filter((outcome) => outcome !== 'violated' && counts[outcome] > 0)
    .map((outcome) => `${counts[outcome]} ${outcomeWords[outcome]}`)
  const told = [failuresText(report), ...others]
  const sign = { conformant: '✅', nonconformant: '❌', incomplete: '⚠️', invalid: '❌' }[run.outcome]
  const stop = stopReason(report)
  const reason = stop === null ? '' : ` (${markdownCode(stop)})`
  return [
    `## ${sign} ACS conformance: ${run.outcome}${reason}`,
    '',
    `${markdownCode(run.target)}: ${told.join(', ')}; ${countText(cost.exchanges, 'exchange')}, ${countText(cost.modelCalls, 'model call')}, ${(run.durationMs / 1000).toFixed(1)} s.`,
    `Claimed: ${markdownText(run.claimed.join(', ') || 'nothing')}. Granted: **${markdownText(run.granted.join(', ') || 'nothing')}**${run.only === undefined ? '' : `, since only ${markdownCode(run.only)} was judged`}.`,
  ].join('\n')
}

function baselineList({ run }: Report): string {
  const summary = baselineSummary(run)
  if (summary === null || run.baseline === undefined) return ''
  const entries = baselineFailures(run.baseline).map(
    ({ obligation, text }) => `- ${markdownCode(obligation)} ${markdownText(text)}`,
  )
  return [`${markdownText(summary)}.`, ...entries].join('\n')
}

function fixFirst(causes: readonly CauseText[]): string {
  if (causes.length === 0) return ''
  const rows = causes
    .slice(0, mostCauses)
    .map(({ requirement, headline, also, explains, fix, pattern, replay, seen }, index) =>
      [
        `${index + 1}. **${markdownCode(headline.operation)}: ${markdownCode(headline.finding, 300)}**${seen}${also === '' ? '' : `, ${markdownText(also)}`}`,
        `   How to fix: ${markdownText(fix)}`,
        `   Reproduce: ${markdownCode(replay, 300)}`,
        `   ${markdownCode(requirement)}: ${markdownText(explains + pattern)}`,
      ].join('\n'),
    )
  return ['**Fix first**', '', ...rows].join('\n')
}

function chapterTable(report: Report): string {
  const rows = chapterStandings(report).map(chapterRow)
  return ['| | chapter | passed | failed | inconclusive | not tested |', '|---|---|---:|---:|---:|---:|', ...rows].join(
    '\n',
  )
}

function chapterRow({ chapter, counts, standing }: ChapterStanding): string {
  const { upheld, violated, inconclusive, unexercised } = counts
  return `| ${signs[standing]} | ${markdownText(chapter)} | ${upheld} | ${violated} | ${inconclusive} | ${unexercised} |`
}

/** One failure; what follows from another one is folded. */
function cardSection(card: FailureCard, cause: string | null): string {
  if (cause === null) return cardBody(card)
  const summary = `${markdownCode(card.requirement)} probably follows from ${markdownCode(cause)}`
  return `<details><summary>${summary}</summary>\n\n${cardBody(card)}\n\n</details>`
}

function cardBody(card: FailureCard): string {
  const note = card.blocking ? ', blocking' : `, ${nonBlockingText(card.excuse)}`
  const [first, ...others] = card.places
  return [
    `### ${card.blocking ? '❌' : '⚠️'} ${markdownCode(first.headline.operation)}: ${markdownCode(first.headline.finding, 300)}`,
    `${markdownCode(card.requirement)} **${markdownText(card.rule.rule)}**\n${card.level}, ${card.basis}${note}. Contract: ${markdownText(card.rule.section)}`,
    placeTable(first),
    ...(first.contradiction === null ? [] : [`> ${markdownCode(first.contradiction, 1000)}`]),
    ...(first.replay === null ? [] : [`${markdownText(replayText(first.replay))}.`]),
    stepDetails(first),
    ...(others.length === 0 ? [] : [`Also at ${others.map((place) => markdownCode(placeName(place))).join(', ')}.`]),
    `How to fix: ${markdownText(card.next)}`,
    markdownBlock(card.replay, 'sh'),
  ].join('\n\n')
}

function placeTable(place: CardPlace): string {
  const [expected, actual] = visiblePair(place.expected, place.actual, 1000)
  const at = place.pointer === null ? '' : ` at ${markdownCode(place.pointer)}`
  return [
    `| at | ${markdownCode(placeName(place))} |`,
    '|---|---|',
    `| expected | ${markdownCode(expected, 1000)} |`,
    `| actual | ${markdownCode(actual, 1000)}${at} |`,
  ].join('\n')
}

function placeName({ operation, facet }: CardPlace): string {
  return facet === null ? operation : `${operation} ${facet}`
}

function stepDetails(place: CardPlace): string {
  const steps = place.steps.map((step) => {
    const line = `${step.exchange}: ${[step.name, noteOf(step)]
      .filter((text) => text !== '')
      .map((text) => markdownCode(text))
      .join('; ')} ${markdownCode(step.line ?? '')}`
    return step.curl === null ? line : `${line}\n\n${markdownBlock(step.curl, 'sh')}`
  })
  return `<details><summary>${countText(place.steps.length, 'exchange')}</summary>\n\n${steps.join('\n\n')}\n\n</details>`
}

function moreCards(cards: readonly FailureCard[]): string {
  if (cards.length === 0) return ''
  return `${countText(
    cards.reduce((sum, { places }) => sum + places.length, 0),
    'more failure',
  )}: ${cards.map(({ requirement }) => markdownCode(requirement)).join(', ')}.`
}

function gapTable(report: Report): string {
  if (report.observations.length === 0) return ''
  const rows = report.observations.map(({ gap, value, consistent, declared }) => {
    const notes = [
      consistent ? '' : 'inconsistent',
      declared === undefined ? '' : declared.met ? 'as declared' : `declared ${declared.value}`,
    ]
    return `| ${markdownCode(gap)} | ${markdownText(report.questions[gap]?.question ?? '')} | ${markdownCell(answerText(value))} | ${markdownCell(notes.filter((note) => note !== '').join(', '))} |`
  })
  return `<details><summary>${countText(rows.length, 'answer')} where the contract is silent</summary>\n\n| gap | question | answer | |\n|---|---|---|---|\n${rows.join('\n')}\n\n</details>`
}

function noticeList({ notices }: Report): string {
  if (notices.length === 0) return ''
  const lines = notices.map(({ code, text }) => `- ${markdownCode(code)} ${markdownCode(text)}`)
  return `<details><summary>${countText(notices.length, 'notice')}</summary>\n\n${lines.join('\n')}\n\n</details>`
}
