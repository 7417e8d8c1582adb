/** The record: pure, stable, and what its schema says, whatever strings a target sends. */
import { expect, test } from 'vitest'
import type { RunOutcome, Verdict } from '../conformance/index.ts'
import { hostileText } from '../test/reports/hostile-text.ts'
import { sampleJudgement, sampleReport, sampleTrace } from '../test/reports/sample-report.ts'
import { createReport } from './create-report.ts'
import { grantedLevels } from './granted-levels.ts'
import { renderHtml } from './html/render-html.ts'
import { parseReport, ReportError, reportSchema } from './parse-report.ts'
import type { Report } from './report.ts'
import { serializeReport } from './serialize-report.ts'

test('a report is what its schema says, also with hostile strings in it', () => {
  const report = sampleReport({ text: hostileText })
  expect(parseReport(serializeReport(report))).toEqual(JSON.parse(JSON.stringify(report)))
})

test('a gap with the name of an inherited property has no text and is still rendered', () => {
  const report = sampleReport()
  const observations = [{ gap: 'constructor', value: 'yes', consistent: true, exchanges: [] }]
  const damaged = parseReport(JSON.stringify({ ...report, observations }))
  expect(renderHtml(damaged)).toContain('id="gap-constructor"')
})

test('a minimal report of a broken trace is still a report', () => {
  const trace = { ...sampleTrace({ exchanges: [] }), footer: null }
  const judgement = { ...sampleJudgement(), outcome: 'invalid', exitCode: 3, verdicts: [] } as const
  const report = createReport(trace, judgement)
  expect(parseReport(serializeReport(report)).run).toMatchObject({ complete: false, granted: [], outcome: 'invalid' })
})

test('a run of some rules alone grants nothing, whoever asked for them', () => {
  const trace = sampleTrace()
  const judgement = sampleJudgement({ green: true })
  const planned = { ...trace, header: { ...trace.header, plan: { tier: 'gate', only: 'threads.*' } } } as typeof trace
  expect(createReport(trace, judgement).run.granted).not.toEqual([])
  expect(createReport(planned, judgement).run).toMatchObject({ granted: [], only: 'threads.*' })
  expect(createReport(trace, judgement, { only: 'files.*' }).run).toMatchObject({ granted: [], only: 'files.*' })
})

test('equal evidence gives equal bytes, in whatever order keys were set', () => {
  const trace = sampleTrace()
  const reversed = {
    footer: trace.footer,
    notes: trace.notes,
    exchanges: trace.exchanges,
    header: Object.fromEntries(Object.entries(trace.header).reverse()),
  } as typeof trace
  expect(serializeReport(createReport(reversed, sampleJudgement()))).toBe(
    serializeReport(createReport(trace, sampleJudgement())),
  )
})

test('a report with one field too many, too few or of another kind is refused with its place', () => {
  const report = JSON.parse(serializeReport(sampleReport()))
  const broken: readonly [object, string][] = [
    [{ ...report, extra: 1 }, ''],
    [{ ...report, schemaVersion: 2 }, '/schemaVersion'],
    [{ ...report, run: { ...report.run, exitCode: 7 } }, '/run/exitCode'],
    [{ ...report, verdicts: [{ ...report.verdicts[0], requirement: '<b>' }] }, '/verdicts/0/requirement'],
  ]
  for (const [document, at] of broken) {
    expect(() => parseReport(JSON.stringify(document))).toThrow(expect.objectContaining({ name: 'ReportError', at }))
  }
  expect(() => parseReport('{')).toThrow(ReportError)
})

test('bodies are cut at the limit on a character border, and what is left out is counted', () => {
  const long = 'é'.repeat(50_000)
  const trace = sampleTrace({ text: long })
  const judgement = { ...sampleJudgement({ green: true }), verdicts: [] }
  const cut = createReport(trace, judgement).exchanges.find(({ id }) => id === 'E4')
  const whole = trace.exchanges.find(({ id }) => id === 'E4')
  const bytes = cut?.request.body
  expect(
    bytes &&
      'utf8' in bytes &&
      whole?.request.body &&
      'utf8' in whole.request.body &&
      whole.request.body.utf8.startsWith(bytes.utf8),
  ).toBe(true)
  expect(cut?.omittedBytes).toBeGreaterThan(190_000)
})

test('what a run was asked for comes out of the trace, so that judging it again gives the same report', () => {
  const plain = sampleTrace()
  const plan = { tier: 'smoke', shard: { index: 2, count: 3 }, maxExchanges: 60, maxModelCalls: 5 }
  const report = createReport({ ...plain, header: Object.assign({}, plain.header, { plan }) }, sampleJudgement())
  expect(report.run).toMatchObject({ tier: 'smoke', shard: { index: 2, count: 3 } })
  expect(report.cost).toMatchObject({ maxExchanges: 60, maxModelCalls: 5 })
  expect(createReport(plain, sampleJudgement()).cost).toMatchObject({ maxExchanges: 401, maxModelCalls: 20 })
})

const judged = (
  operation: Verdict['operation'],
  outcome: Verdict['outcome'],
  changes: Partial<Verdict> = {},
): Verdict => ({
  requirement: 'http.operation-served',
  operation,
  facet: null,
  level: 'must',
  basis: 'stated',
  owed: true,
  blocking: outcome === 'violated',
  outcome,
  witnesses: 1,
  exchanges: [],
  ...changes,
})

test('a declared answer is told with the question of its gap', () => {
  const declared = judged('listMessages', 'violated', { requirement: 'gap.streams.line-end' })
  const { rules } = createReport(sampleTrace(), { ...sampleJudgement(), verdicts: [declared] })
  expect(rules['gap.streams.line-end']?.rule).toContain('Do lines end with LF alone, or with CR LF?')
})

const granted = (outcome: RunOutcome, ...verdicts: readonly Verdict[]) =>
  grantedLevels({ outcome, verdicts }, ['core', 'threads', 'files'])

test('a level is granted when it is claimed and upheld', () => {
  expect(granted('conformant', judged('listAssistants', 'upheld'), judged('createMessage', 'upheld'))).toEqual([
    'core',
    'threads',
  ])
  expect(granted('conformant', judged('streamChatCompletion', 'upheld'))).toEqual([])
})

test('a level is not granted when something under it blocks, is owed and not exercised, or was left out', () => {
  const upheld = judged('createMessage', 'upheld')
  expect(granted('nonconformant', upheld, judged('runThread', 'violated'))).toEqual([])
  expect(granted('conformant', upheld, judged('runThread', 'violated', { basis: 'implied', blocking: false }))).toEqual(
    ['threads'],
  )
  expect(granted('incomplete', upheld, judged('runThread', 'unexercised', { reason: 'budget' }))).toEqual([])
  expect(granted('conformant', upheld, judged('runThread', 'unexercised', { reason: 'not-selected' }))).toEqual([])
  expect(granted('invalid', upheld)).toEqual([])
})

type Complete<T> = T extends readonly (infer Item)[]
  ? readonly Complete<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]-?: Complete<Exclude<T[Key], undefined>> }
    : T

/** A report in which no field is left out: a field that the type gains has to be added here, and then to the schema. */
const everyField: Complete<Report> = {
  schemaVersion: 1,
  run: {
    outcome: 'incomplete',
    exitCode: 2,
    seed: 1,
    startedAt: '2026-11-21T02:00:00.000Z',
    durationMs: 1,
    target: 't',
    contractDigest: 'c',
    profileDigest: 'p',
    suiteVersion: 's',
    strict: true,
    tier: 'gate',
    claimed: ['core'],
    granted: ['core'],
    complete: false,
    incompleteReason: 'r',
    shard: { index: 1, count: 2 },
    baseline: {
      file: 'f',
      known: ['a.b runThread'],
      unexpected: ['a.b runThread'],
      stale: [{ obligation: 'a.b runThread', reason: 'r', expires: '2027-01-31' }],
      expired: [{ obligation: 'a.b runThread', reason: 'r', expires: '2027-01-31' }],
      unproven: [{ obligation: 'a.b runThread', reason: 'r', expires: '2027-01-31' }],
    },
    only: 'threads.*',
    source: 'proxy',
    failOnFlaky: true,
  },
  cost: { exchanges: 1, modelCalls: 1, maxExchanges: 1, maxModelCalls: 1 },
  verdicts: [
    {
      requirement: 'a.b',
      operation: 'runThread',
      facet: 'f',
      level: 'must',
      basis: 'stated',
      owed: true,
      blocking: true,
      outcome: 'violated',
      witnesses: 1,
      reason: 'r',
      exchanges: ['E1'],
      expected: 'e',
      actual: 'a',
      pointer: '/p',
      headline: 'h',
      witness: { steps: [{ exchange: 'E1', name: 'n', shows: 's' }], contradiction: 'c', confirmed: true, timed: true },
    },
  ],
  replays: [
    {
      obligation: 'a.b runThread f',
      outcome: 'not-tried',
      reason: 'r',
      history: true,
      flaky: true,
      disturbances: ['E1'],
    },
  ],
  observations: [
    {
      gap: 'a.b',
      value: 'v',
      consistent: true,
      exchanges: ['E1'],
      declared: { value: 'v', met: false, mixed: true },
      proposal: 'p',
    },
  ],
  notices: [{ code: 'a.b', text: 't', exchanges: ['E1'] }],
  rules: { 'a.b': { level: 'must', basis: 'stated', rule: 'r', section: 's', fix: 'f' } },
  questions: { 'a.b': { question: 'q', section: 's', mark: 'silent', mockAnswer: 'm', consistency: 'c' } },
  exchanges: [
    {
      kind: 'exchange',
      id: 'E1',
      credential: 'primary',
      sentAtMs: 0,
      endedAtMs: 1,
      request: { method: 'GET', url: 'u', headers: [['a', 'b']], body: { utf8: 'x' }, line: 'GET u', omittedBytes: 1 },
      response: {
        status: 200,
        headers: [['a', 'b']],
        headAtMs: 1,
        pieces: [{ atMs: 1, bytes: { base64: 'eA==' }, sizeBytes: 9 }],
      },
      ending: 'complete',
      failure: 'f',
      intent: { probe: 'p', operation: 'runThread', purpose: 'valid', expects: 'either', for: 'p' },
      loopLagMs: 1,
      omittedBytes: 1,
    },
  ],
}

interface SchemaNode {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly items?: SchemaNode
  readonly additionalProperties?: SchemaNode | boolean
  readonly anyOf?: readonly SchemaNode[]
  readonly oneOf?: readonly SchemaNode[]
}

const definitions = (reportSchema as { readonly $defs: Readonly<Record<string, SchemaNode>> }).$defs

const schemaPaths = (node: SchemaNode, at = ''): readonly string[] => [
  ...(node.$ref === undefined ? [] : schemaPaths(definitions[node.$ref.slice('#/$defs/'.length)] ?? {}, at)),
  ...Object.entries(node.properties ?? {}).flatMap(([key, inner]) => [
    `${at}/${key}`,
    ...schemaPaths(inner, `${at}/${key}`),
  ]),
  ...(typeof node.items === 'object' ? schemaPaths(node.items, `${at}/*`) : []),
  ...(typeof node.additionalProperties === 'object' ? schemaPaths(node.additionalProperties, `${at}/*`) : []),
  ...[...(node.anyOf ?? []), ...(node.oneOf ?? [])].flatMap((inner) => schemaPaths(inner, at)),
]

const valuePaths = (value: unknown, at = ''): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => valuePaths(item, `${at}/*`))
  if (typeof value !== 'object' || value === null) return []
  const table = at === '/rules' || at === '/questions'
  return Object.entries(value).flatMap(([key, inner]) =>
    table ? valuePaths(inner, `${at}/*`) : [`${at}/${key}`, ...valuePaths(inner, `${at}/${key}`)],
  )
}

test('schema and type know the same fields', () => {
  const alike = (paths: readonly string[]) =>
    [...new Set(paths)].filter((path) => !/\/bytes\/|\/body\//.test(path)).sort()
  expect(parseReport(JSON.stringify(everyField))).toEqual(everyField)
  expect(alike(schemaPaths(reportSchema as SchemaNode))).toEqual(alike(valuePaths(everyField)))
})

test('members of a trace that this release does not know make no report that it cannot read', () => {
  const trace = sampleTrace()
  const withMember = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withMember)
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).map(([name, inner]) => [name, withMember(inner)])
    return { ...Object.fromEntries(members), ofLater: 1 }
  }
  const later = { ...trace, exchanges: trace.exchanges.map(withMember) } as typeof trace
  const report = createReport(later, sampleJudgement())
  expect(parseReport(serializeReport(report)).exchanges).toHaveLength(trace.exchanges.length)
})
