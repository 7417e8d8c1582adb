/**
 * Writes the findings of a report as tests in another language, so that a fixed fault stays fixed.
 * A finding that cannot become a test is named with the reason, in the file and to the caller.
 */
import type { ReplayFile, ReplayStep, Verdict } from '../../conformance/index.ts'
import { obligationKey } from '../../spec/index.ts'
import { bufferOf } from '../body-text.ts'
import { keyVariable } from '../curl.ts'
import { showedNothing } from '../excuse-text.ts'
import type { Report, ReportedExchange } from '../report.ts'
import { visibleLine } from '../sanitize-text.ts'
import { checksOf } from './checks.ts'
import { type Check, type Finding, findingOf, valuesOf } from './finding.ts'
import { junit5 } from './junit5.ts'
import type { LanguageSyntax } from './language-syntax.ts'
import { lastPageWithCursor } from './list-checks.ts'
import { pytest } from './pytest.ts'
import { checkCall, isWritable, joinedText, longText, quoted, variableOf } from './source-text.ts'
import { vitest } from './vitest.ts'

export const testLanguages = { vitest, pytest, junit5 } as const satisfies Readonly<Record<string, LanguageSyntax>>

/** The steps for repeating a violation; `null` when they are unknown. */
type ReplayOf = (verdict: Verdict, options: { readonly history?: boolean | undefined }) => ReplayFile | null

interface FindingTests {
  readonly text: string
  readonly tests: number
  /** Findings that did not become a test. */
  readonly left: readonly { readonly obligation: string; readonly reason: string }[]
}

interface FindingTestOptions {
  readonly replayOf: ReplayOf
  readonly exchanges: readonly ReportedExchange[]
  readonly language: keyof typeof testLanguages
  /** The name of the file, without folder and extension. */
  readonly name?: string
}

/** One test for each violation of the report. */
export function renderFindingTests(report: Report, options: FindingTestOptions): FindingTests {
  const language: LanguageSyntax = testLanguages[options.language]
  const exchanges = new Map(options.exchanges.map((exchange) => [exchange.id, exchange]))
  const results = report.verdicts
    .filter(({ outcome }) => outcome === 'violated')
    .map((verdict) => ({ verdict, ...testOf(report, verdict, exchanges, { ...options, language }) }))
  const left = results.flatMap(({ verdict, reason }) =>
    reason === undefined ? [] : [{ obligation: obligationKey(verdict), reason }],
  )
  const tests = results.flatMap(({ lines }) => (lines === undefined ? [] : [lines]))
  const head = [
    `Findings of acs-kit ${report.run.suiteVersion} at ${report.run.target}, seed ${report.run.seed}.`,
    'Each test fails while its rule is broken. Keys come from the environment; ACS_BASE_URL names another server.',
    ...left.map(({ obligation, reason }) => `No test for ${obligation}: ${reason}.`),
  ]
  const text = language.file({
    head: head.map((line) => commentLine(line, language)),
    baseUrl: quoted(report.run.target.replace(/\/+$/, ''), language),
    tests: tests.flatMap((lines) => ['', ...lines]),
    name: options.name ?? 'AcsFindingsTest',
  })
  return { text, tests: tests.length, left }
}

type TestOrReason =
  | { readonly lines: readonly string[]; readonly reason?: undefined }
  | { readonly lines?: undefined; readonly reason: string }

function testOf(
  report: Report,
  verdict: Verdict,
  exchanges: ReadonlyMap<string, ReportedExchange>,
  { replayOf, language }: { readonly replayOf: ReplayOf; readonly language: LanguageSyntax },
): TestOrReason {
  const replay = report.replays?.find(({ obligation }) => obligation === obligationKey(verdict))
  if (replay !== undefined && (replay.outcome === 'not-reproduced' || showedNothing(replay)))
    return { reason: 'its requests alone did not show it again' }
  const file = replayOf(withSource(verdict, exchanges), { history: replay?.history })
  if (file === null) return { reason: 'the report does not hold its requests' }
  const finding = findingOf(verdict, file, exchanges)
  const reason = file.steps.map(whyNotSent).find((why) => why !== null) ?? null
  if (reason !== null) return { reason }
  const page = lastPageWithCursor(finding)
  if (page !== null)
    return { reason: `its requests make a thread that ends with ${page}, and the next page is asked for` }
  const checks = checksOf(finding)
  if (checks === null)
    return { reason: `no assertion of a test says "${visibleLine(finding.expected, 80)}"; the suite checks it` }
  return { lines: testLines(report, finding, checks, language) }
}

/** The verdict with the answer among its steps that first held the wrong id: a new server has none to repeat. */
function withSource(verdict: Verdict, exchanges: ReadonlyMap<string, ReportedExchange>): Verdict {
  const { witness, pointer, exchanges: cited } = verdict
  const actual = (verdict.actual ?? '').replace(/^"(.*)"$/, '$1')
  if (witness === undefined || !uuidText.test(actual)) return verdict
  const earlier = [...exchanges.keys()]
  const source = earlier
    .slice(0, earlier.indexOf(cited.at(-1) ?? ''))
    .find((id) => valuesOf({ exchanges }, id).some((one) => one.pointer === pointer && one.value === actual))
  if (source === undefined) return verdict
  return { ...verdict, witness: { ...witness, steps: [{ exchange: source, name: '', shows: '' }, ...witness.steps] } }
}

const uuidText = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Headers that HTTP clients write themselves or refuse. */
const clientHeaders = /^(?:host|connection|content-length|transfer-encoding|expect|upgrade|keep-alive|te|trailer)$/i

/** Why the usual HTTP clients cannot send a step. */
function whyNotSent({ raw, together, method, path, headers, body, credential, exchange }: ReplayStep): string | null {
  if (raw) return `${exchange} is written over a bare socket`
  if (together) return `${exchange} is sent at the same time as another request`
  if (credential === 'throttled') return 'it takes a burst of requests, and a test sends one after another'
  if (body !== null && (method === 'GET' || method === 'HEAD')) return `${exchange} is a ${method} with a body`
  const url = path.replace(/\{\{\w+\}\}/g, 'x')
  if (!/^[\w.~:/?#@!$&'()*+,;=%-]*$/.test(url) || /%(?![0-9a-f]{2})|\/\.\.?(?:\/|$)|#/i.test(url))
    return `the path of ${exchange} is changed by HTTP clients`
  for (const [name, value] of headers) {
    if (clientHeaders.test(name)) return `HTTP clients write the header ${name} of ${exchange} themselves`
    if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)) return `HTTP clients change the value of ${name}`
  }
  if (body !== null && !isWritable('utf8' in body ? body.utf8 : body.base64))
    return `the body of ${exchange} does not fit into a string literal`
  return null
}

function testLines(
  report: Report,
  finding: Finding,
  checks: readonly Check[],
  language: LanguageSyntax,
): readonly string[] {
  const { verdict, file, expected, actual } = finding
  const rule = report.rules[verdict.requirement]?.rule ?? verdict.requirement
  const comments = [
    `${obligationKey(verdict)}: ${rule}`,
    `Found: ${file.contradiction}`,
    `Expected ${expected}; got ${actual}.`,
  ]
  return language.test(obligationKey(verdict), [
    ...comments.map((line) => commentLine(line, language)),
    ...file.steps.flatMap((step) => stepLines(step, language)),
    ...checks.map((check) => language.statement(checkCall(check, language))),
  ])
}

/** Sends one request and names the values of its answer that later requests need. */
function stepLines(step: ReplayStep, language: LanguageSyntax): readonly string[] {
  const { exchange, method, path, body, gives, until } = step
  const variable = variableOf(exchange)
  const call = `send(${[
    quoted(method, language),
    pathText(path, language),
    body === null
      ? language.nothing
      : 'utf8' in body
        ? joinedText(body.utf8, language)
        : `bytes(${longText(bufferOf(body).toString('base64'), language)})`,
    ...headerWords(step, language),
  ].join(', ')})`
  return [
    language.answer(variable, until === undefined ? call : awaited(call, until, language)),
    ...gives.map(({ name, pointer, line }) => {
      const place = line === null ? pointer : `line ${line + 1} ${pointer}`
      return language.text(name, `text(${quoted(place, language)}, ${variable})`)
    }),
  ]
}

function awaited(call: string, { pointer, value }: NonNullable<ReplayStep['until']>, language: LanguageSyntax): string {
  return language.until(call, quoted(pointer, language), `list(${quoted(JSON.stringify([value]), language)})`)
}

/** A URL from a server is sent as it is; a value in a path is encoded. */
function pathText(path: string, language: LanguageSyntax): string {
  const whole = /^\{\{(\w+)\}\}$/.exec(path)?.[1]
  return whole ?? joinedText(path, language, (name) => `encoded(${name})`)
}

/** Names and values in turn; a key is read from the environment. */
function headerWords({ headers, credential }: ReplayStep, language: LanguageSyntax): readonly string[] {
  const key =
    typeof credential === 'string'
      ? [`key(${quoted(keyVariable(credential), language)})`]
      : credential === null
        ? []
        : [quoted(credential.raw, language)]
  const isKey = (name: string): boolean => name.toLowerCase() === 'api-key'
  const written = headers.flatMap(([name, value]) => [
    quoted(name, language),
    ...(isKey(name) && key.length > 0 ? key : [quoted(value, language)]),
  ])
  return headers.some(([name]) => isKey(name)) || key.length === 0
    ? written
    : [...written, quoted('api-key', language), ...key]
}

/** One comment line; Java reads `\u` even there. */
function commentLine(text: string, { comment }: LanguageSyntax): string {
  return `${comment} ${visibleLine(text, 300).replaceAll('\\u', '\\ u')}`.trimEnd()
}
