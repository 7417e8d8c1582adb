/**
 * SARIF 2.1.0 for code scanning: a result for each violated obligation with request and response beside it. Upheld and
 * unexercised obligations are left out, since readers of the format show every result as an alert.
 */
import { createHash } from 'node:crypto'
import type { Verdict } from '../conformance/index.ts'
import { obligationKey } from '../spec/index.ts'
import { bodyBuffer, bufferOf, utf8Of } from './body-text.ts'
import { baselineFailures, nonBlockingText, replayText } from './excuse-text.ts'
import { type CardOptions, type FailureCard, failureCards } from './failure-card.ts'
import { isoTime } from './iso-time.ts'
import { markdownCode, markdownText } from './markdown-text.ts'
import type { Report, ReportedExchange, RuleText } from './report.ts'
import { visibleLine } from './sanitize-text.ts'
import { chapterOf, countOutcomes, excusesIn, failuresOf } from './severity.ts'
import { undecidedReason } from './stop-reason.ts'

interface SarifOptions extends CardOptions {
  /** The file in the repository that alerts are attached to, relative; a server has no source line to point at. */
  readonly artifact?: string
}

/** The report as SARIF JSON. */
export function renderSarif(report: Report, { artifact = 'acs.target.yaml', ...commands }: SarifOptions = {}): string {
  const violated = report.verdicts.filter(({ outcome }) => outcome === 'violated')
  const ids = [...new Set(violated.map(({ requirement }) => requirement))]
  const cards = new Map(failureCards(report, commands).map((card) => [card.requirement, card]))
  const exchanges = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]))
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'acs-kit',
            version: report.run.suiteVersion,
            rules: ids.map((id) => ruleOf(id, report, cards)),
          },
        },
        columnKind: 'utf16CodeUnits',
        invocations: [invocationOf(report)],
        results: violated.map((verdict) =>
          resultOf(verdict, ids.indexOf(verdict.requirement), { report, exchanges, artifact }),
        ),
        properties: {
          outcome: report.run.outcome,
          counts: countOutcomes(report.verdicts),
          granted: report.run.granted,
        },
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function ruleOf(id: string, report: Report, cards: ReadonlyMap<string, FailureCard>) {
  const text: RuleText | undefined = report.rules[id]
  const help = `Contract: ${text?.section ?? 'unknown'}. ${text?.fix ?? ''} ${cards.get(id)?.replay ?? ''}`
  return {
    id,
    shortDescription: { text: messageText(text?.rule ?? id) },
    fullDescription: { text: messageText(text?.rule ?? id) },
    help: { text: messageText(help), markdown: ruleHelp(id, text, cards.get(id)) },
    defaultConfiguration: { level: text?.level === 'must' ? 'error' : text?.level === 'should' ? 'warning' : 'note' },
    properties: { tags: [chapterOf(id), text?.level ?? 'must', text?.basis ?? 'stated'] },
  }
}

/** The text that code scanning shows beside an alert. */
function ruleHelp(id: string, text: RuleText | undefined, card: FailureCard | undefined): string {
  const lines = [
    `**How to fix:** ${markdownText(text?.fix ?? 'Compare the exchanges with the contract.')}`,
    `**Contract:** ${markdownText(text?.section ?? 'unknown')}`,
    ...(card === undefined ? [] : [`**Reproduce:** ${markdownCode(card.replay)}`]),
    `**More:** ${markdownCode(`acs explain ${id}`)}`,
  ]
  return lines.join('\n\n')
}

function invocationOf(report: Report) {
  const { run } = report
  const end = isoTime(Date.parse(run.startedAt) + run.durationMs)
  const faults = report.verdicts.filter(({ outcome }) => outcome === 'suite-fault')
  const undecided = undecidedReason(report)
  return {
    executionSuccessful: run.outcome !== 'invalid',
    exitCode: run.exitCode,
    startTimeUtc: run.startedAt,
    endTimeUtc: end,
    toolExecutionNotifications: [
      ...(undecided === null ? [] : [{ level: 'error', message: { text: messageText(undecided) } }]),
      ...(run.baseline === undefined ? [] : baselineFailures(run.baseline)).map(({ obligation, text }) => ({
        level: 'error',
        message: { text: messageText(`${obligation}: ${text}`) },
      })),
      ...faults.map((verdict) => ({
        level: 'error',
        message: {
          text: messageText(`${obligationKey(verdict)}: ${verdict.reason ?? 'the suite sent what it did not intend'}`),
        },
      })),
    ],
  }
}

interface Surroundings {
  readonly report: Report
  readonly exchanges: ReadonlyMap<string, ReportedExchange>
  readonly artifact: string
}

function resultOf(verdict: Verdict, ruleIndex: number, { report, exchanges, artifact }: Surroundings) {
  const isFailing = failuresOf(report)
  const excuse = excusesIn(report).get(obligationKey(verdict))
  const replay = report.replays?.find(({ obligation }) => obligation === obligationKey(verdict))
  const proof = exchanges.get(verdict.witness?.steps.at(-1)?.exchange ?? verdict.exchanges.at(-1) ?? '')
  const { expected = 'the rule to hold', actual = 'something else', pointer, witness } = verdict
  const told = `${obligationKey(verdict)}: expected ${expected}; actual ${actual}${pointer === undefined ? '' : ` at ${pointer}`}. ${witness?.contradiction ?? ''}`
  return {
    ruleId: verdict.requirement,
    ruleIndex,
    kind: 'fail',
    level: isFailing(verdict) ? 'error' : 'warning',
    message: { text: messageText(told) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: artifact }, region: { startLine: 1 } },
        logicalLocations: [{ fullyQualifiedName: verdict.operation, kind: 'function' }],
      },
    ],
    partialFingerprints: { 'acsObligation/v1': createHash('sha256').update(obligationKey(verdict)).digest('hex') },
    ...(excuse === undefined
      ? {}
      : { suppressions: [{ kind: 'external', justification: messageText(nonBlockingText(excuse)) }] }),
    ...(replay === undefined ? {} : { properties: { replay: replayText(replay) } }),
    ...(proof === undefined ? {} : wireOf(proof)),
  }
}

function wireOf({ request, response, credential }: ReportedExchange) {
  const webRequest = {
    method: request.method,
    target: visibleLine(request.url, 4000),
    headers: headersOf(withoutKey(request.headers, credential)),
    body: request.body === null ? {} : contentOf(bufferOf(request.body)),
  }
  if (response === null) return { webRequest, webResponse: { noResponseReceived: true } }
  return {
    webRequest,
    webResponse: {
      statusCode: response.status,
      headers: headersOf(response.headers),
      body: contentOf(bodyBuffer(response.pieces)),
    },
  }
}

/** A scanner of secrets takes the pseudonym of a key for a key; a made-up one stays, since it is what was tried. */
function withoutKey(
  lines: ReportedExchange['request']['headers'],
  credential: ReportedExchange['credential'],
): ReportedExchange['request']['headers'] {
  return lines.map(([name, value]) =>
    name.toLowerCase() === 'api-key' && credential !== null ? [name, `<${credential} key>`] : [name, value],
  )
}

function headersOf(lines: ReportedExchange['request']['headers']): Readonly<Record<string, string>> {
  const values = new Map<string, string>()
  for (const [name, value] of lines) {
    const key = visibleLine(name)
    const known = values.get(key)
    values.set(key, known === undefined ? visibleLine(value, 2000) : `${known}, ${visibleLine(value, 2000)}`)
  }
  return Object.fromEntries(values)
}

function contentOf(body: Buffer) {
  const text = utf8Of(body)
  return text === null ? { binary: body.toString('base64') } : { text }
}

/** Text of a SARIF message: brackets would start a link and braces a placeholder (3.11.5, 3.11.6). */
function messageText(text: string): string {
  return visibleLine(text, 4000)
    .trim()
    .replace(/[\\[\]]/g, (character) => `\\${character}`)
    .replace(/[{}]/g, (character) => character + character)
}
