/** Certificates of real runs: an honest one is accepted, and no doctored one is, whoever signed it. */
import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  type Bytes,
  decodeTrace,
  type Exchange,
  encodeTrace,
  judge,
  reenact,
  type Trace,
} from '../conformance/index.ts'
import { signEnvelope } from '../reports/certificate/dsse-envelope.ts'
import { type Statement, statementOf } from '../reports/certificate/statement.ts'
import {
  type Bundle,
  createBundle,
  createReport,
  generateSigningKeys,
  packBundle,
  parseDemands,
  parsePolicy,
  type Report,
  seedFromNonce,
  serializeReport,
  type VerifyOptions,
  verifyBundle,
} from '../reports/index.ts'
import { acs } from './acs-in-process.ts'
import { recordRun } from './recorded-run.ts'
import { sampleOf } from './support/samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-certificates-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const nonce = 'challenge-given-today-7731'
const keys = generateSigningKeys()
const product = { name: 'Harbour', version: '2.1' }
const trace = await recordRun({ tier: 'gate', seed: seedFromNonce(nonce) })
const judgement = judge(trace)
const report = createReport(trace, judgement)
const issuedAt = new Date(Date.parse(trace.header.startedAt) + 120_000).toISOString()
const now = new Date(Date.parse(issuedAt) + 86_400_000).toISOString()
const input = { privateKey: keys.privateKey, issuedAt, product }
const bundle = createBundle({ ...input, trace, traceText: encodeTrace(trace), report, nonce })

/** Judged and made again once for all tests: most of them verify the same evidence. */
const judged = new Map<string, ReturnType<VerifyOptions['rejudge']>>()
const reenacted = new Map<Trace, ReturnType<VerifyOptions['reenact']>>()

const judges: Pick<VerifyOptions, 'rejudge' | 'reenact' | 'now'> = {
  rejudge: (text, options) => {
    const key = `${JSON.stringify(options)} ${text}`
    const result = judged.get(key) ?? judgedOnce(text, options)
    judged.set(key, result)
    return result
  },
  reenact: (read) => {
    const result = reenacted.get(read) ?? reenact(read)
    reenacted.set(read, result)
    return result
  },
  now,
}

async function judgedOnce(text: string, options: { readonly strict: boolean }) {
  const read = decodeTrace(text)
  return { trace: read, judgement: judge(read, options) }
}

const policyText = `format: acs-policy/1
outcome: conformant
trusted: [{ keyId: ${keys.keyId} }]
levels: [core, streaming, threads]
maxAgeDays: 30
tier: gate
nonce: true
target: ${trace.header.target}
product: { name: Harbour, version: "2.1" }
requirements: [pagination.*, threads.create-echoes]
maxClockDifferenceMinutes: 5
`
const policy = parsePolicy(policyText)
const accepting = (source: Bundle, options: Partial<VerifyOptions> = {}) =>
  verifyBundle(source, { ...judges, nonce, demands: policy, ...options })

test('an honest certificate is accepted by the policy of its buyer', async () => {
  expect(await accepting(bundle)).toMatchObject({ status: 'genuine', problems: [], unmet: [], accepted: true })
})

/** What a dishonest holder of the key can make: files and statement that fit each other. */
interface Forgery {
  readonly trace?: Trace
  readonly report?: Report
  readonly files?: Partial<Bundle>
  readonly acs?: object
  readonly privateKey?: string
}

function forge({ acs: changed = {}, privateKey = keys.privateKey, ...made }: Forgery): Bundle {
  const evidence = made.trace ?? trace
  const shown = made.report ?? (made.trace === undefined ? report : createReport(evidence, judge(evidence)))
  const honest = createBundle({
    ...input,
    privateKey,
    trace: evidence,
    traceText: encodeTrace(evidence),
    report: allowed(shown),
  })
  const { 'statement.dsse.json': _, ...files } = { ...honest, 'report.json': serializeReport(shown), ...made.files }
  const expiresAt = new Date(Date.parse(issuedAt) + 180 * 86_400_000).toISOString()
  const statement: Statement = statementOf(files, shown, { nonce, issuedAt, expiresAt, product })
  const predicate = { ...statement.predicate, acs: { ...statement.predicate.acs, ...changed } }
  const envelope = signEnvelope(JSON.stringify({ ...statement, predicate }), createPrivateKey(privateKey))
  return { ...files, 'statement.dsse.json': `${JSON.stringify(envelope)}\n` }
}

/** The kit's own maker refuses invalid runs; a forger does not. */
function allowed(shown: Report): Report {
  return { ...shown, run: { ...shown.run, outcome: 'conformant', complete: true } }
}

const withExchanges = (change: (all: readonly Exchange[]) => readonly Exchange[]): Trace => {
  const exchanges = change(trace.exchanges)
  return { ...trace, exchanges, footer: trace.footer && { ...trace.footer, exchanges: exchanges.length } }
}
const withHeader = (change: Partial<Trace['header']>): Trace => ({ ...trace, header: { ...trace.header, ...change } })
const answering = (change: (exchange: Exchange) => Exchange): Trace => withExchanges((all) => all.map(change))
function undated(bytes: Bytes): Bytes {
  return 'utf8' in bytes ? { utf8: bytes.utf8.replace(/("created_at": ?)"[^"]*"/, '$1"soon"') } : bytes
}
const dated = (days: number): Trace =>
  answering(({ response, ...rest }) => {
    const headers = (response?.headers ?? []).map(([name, value]): [string, string] =>
      name.toLowerCase() === 'date'
        ? [name, new Date(Date.parse(value) - days * 86_400_000).toUTCString()]
        : [name, value],
    )
    return { ...rest, response: response && { ...response, headers } }
  })

const old = await recordRun({ tier: 'gate', seed: 5 })
const broken: Trace = answering((one) => {
  if (one.intent?.operation !== 'createMessage' || one.response?.status !== 201) return one
  const pieces = one.response.pieces.map(({ atMs, bytes }) => ({ atMs, bytes: undated(bytes) }))
  return { ...one, response: { ...one.response, pieces } }
})
const embellished: Report = {
  ...report,
  verdicts: report.verdicts.map((verdict) => ({ ...verdict, outcome: 'upheld' })),
}
const beautified: Report = { ...createReport(broken, judge(broken)), run: report.run, verdicts: report.verdicts }
const rules = (edit: (rows: readonly { readonly rule: string }[]) => unknown): Partial<Bundle> => {
  const { requirements, ...set } = JSON.parse(bundle['requirements.json']) as { readonly requirements: [] }
  return { 'requirements.json': `${JSON.stringify({ ...set, requirements: edit(requirements) })}\n` }
}
const blanks = rules((rows) => rows.map((row) => ({ ...row, rule: `${row.rule} ` })))
const plan = { tier: 'gate', maxExchanges: 600, maxModelCalls: 20 }
const profileWith = (change: object): Trace =>
  withHeader({ profile: { ...(trace.header.profile as object), ...change } })

const forgeries: Readonly<Record<string, Forgery>> = {
  'an old recording with the seed of the nonce': {
    trace: { ...old, header: { ...old.header, seed: seedFromNonce(nonce), target: trace.header.target } },
  },
  'an old recording with its own seed': { trace: old },
  'violations shown as upheld, a blank in every rule': { trace: broken, report: beautified, files: blanks },
  'violations shown as upheld, no rules': { trace: broken, report: beautified, files: rules(() => []) },
  'violations shown as upheld, one rule changed': {
    trace: broken,
    report: beautified,
    files: rules(([first, ...rest]) => [{ ...first, rule: 'x' }, ...rest]),
  },
  'violations shown as upheld, the rules of the kit': { trace: broken, report: beautified },
  'a nonconformant run, told honestly': { trace: broken },
  'everything upheld': { report: embellished },
  'verdicts left out': { report: { ...report, verdicts: report.verdicts.slice(5) } },
  'a verdict twice': { report: { ...report, verdicts: [...report.verdicts, ...report.verdicts.slice(0, 1)] } },
  'levels that were not claimed': { report: { ...report, run: { ...report.run, granted: ['everything'] } } },
  'another level in the statement': { acs: { granted: [...report.run.granted, 'audit'] } },
  'another outcome in the statement': { trace: broken, acs: { outcome: 'conformant' } },
  'a strict run in the statement': { acs: { strict: true } },
  'a deeper tier in the statement': { acs: { tier: 'soak' } },
  'a deeper tier in the plan': { trace: withHeader({ plan: { ...plan, tier: 'deep' } }) },
  'smaller caps in the plan': { trace: withHeader({ plan: { ...plan, maxExchanges: 50 } }) },
  'no plan': { trace: withHeader({ plan: { ...plan, tier: '' } }) },
  'another target in the statement': { acs: { target: 'https://other.example' } },
  'another base URL in the profile': { trace: profileWith({ baseUrl: 'https://other.example' }) },
  'fewer claims in the profile': { trace: profileWith({ claims: ['core'] }) },
  'threads by a command': { trace: profileWith({ threads: { kind: 'command', command: ['true'] } }) },
  'another profile.json': { files: { 'profile.json': '{}\n' } },
  'an exchange left out': { trace: withExchanges((all) => all.filter((_, index) => index !== 40)) },
  'the end left out': { trace: withExchanges((all) => all.slice(0, 200)) },
  'an exchange twice': { trace: withExchanges((all) => [...all, { ...(all[9] as Exchange), id: 'E900' }]) },
  'no exchanges': { trace: withExchanges(() => []) },
  'a request changed': {
    trace: answering((one) => (one.id === 'E50' ? { ...one, request: { ...one.request, method: 'GET ' } } : one)),
  },
  'a purpose changed': {
    trace: answering((one) =>
      one.intent && one.id === 'E50' ? { ...one, intent: { ...one.intent, purpose: 'x' } } : one,
    ),
  },
  'a recording by a proxy': { trace: withHeader({ source: 'proxy' }) },
  'a recording by another version': { trace: withHeader({ suiteVersion: '9.9.9', seed: 4 }) },
  'an incomplete run': { trace: { ...trace, footer: trace.footer && { ...trace.footer, complete: false } } },
  'a trace without an end': { files: { 'trace.ndjson': encodeTrace({ ...trace, footer: null }) } },
  'a trace that is none': { files: { 'trace.ndjson': '{}\n' } },
  'a report that is none': { files: { 'report.json': '{}\n' } },
  'no expiry': { acs: { expiresAt: 'never' } },
  'an expiry in the past': { acs: { expiresAt: new Date(Date.parse(issuedAt) + 1000).toISOString() } },
  'a date to come': { acs: { issuedAt: '2099-01-01T00:00:00.000Z' } },
  'a date before the recording': { acs: { issuedAt: '2001-01-01T00:00:00.000Z' } },
  'an old recording by the clock of the recording': { trace: withHeader({ startedAt: '2024-01-01T00:00:00.000Z' }) },
  'an old recording by the clock of the target': { trace: dated(90) },
  'clocks an hour apart': { trace: dated(1 / 24) },
  'a start that is no date': { trace: withHeader({ startedAt: 'yesterday' }) },
  'no nonce': { acs: { nonce: null } },
  'another nonce': { acs: { nonce: 'another' } },
  'another product': { acs: { product: { name: 'Anchor', version: '2.1' } } },
  'another version of the product': { acs: { product: { name: 'Harbour', version: '1.0' } } },
  'a key that is not trusted': { privateKey: generateSigningKeys().privateKey },
  'a further claim': { acs: { gold: true } },
}

test.each(sampleOf('doctored certificates', Object.entries(forgeries)))(
  'a doctored certificate is not accepted: %s',
  async (_, forgery) => {
    const { accepted, problems, notComparable, unmet, proven } = await accepting(forge(forgery))
    expect(accepted).toBe(false)
    expect([...problems, ...notComparable, ...unmet].length).toBeGreaterThan(0)
    expect(problems.length + notComparable.length === 0 || proven.length === 0).toBe(true)
  },
)

test('an untouched copy of the forger’s own making is accepted, so that the forgeries above fail for what they change', async () => {
  expect(await accepting(forge({}))).toMatchObject({ accepted: true, problems: [], notComparable: [] })
})

const demands: readonly (readonly [string, boolean])[] = [
  ['conformant', true],
  ['genuine', true],
  ['strict', false],
  ['nonce', true],
  ['tier=gate', true],
  ['tier=deep', false],
  ['max-age=30d', true],
  ['max-age=0d', false],
  ['levels=core+streaming', true],
  ['conformant,nonce,tier=smoke,max-age=2d,levels=core', true],
]

test.each(sampleOf('doctored certificates', demands))('what is required decides: %s', async (text, met) => {
  expect((await accepting(bundle, { demands: parseDemands(text) })).accepted).toBe(met)
})

test.each([
  '',
  'good',
  'strict=1',
  'levels=gold',
  'max-age=30',
  'max-age=-1d',
  'tier',
  'genuine,strict',
  'constructor',
])('requirements that nobody can check are refused: %j', (text) => {
  expect(() => parseDemands(text)).toThrow()
})

test.each([
  ['an empty file', ''],
  ['no YAML', '{'],
  ['an unknown field', `${policyText}colour: blue\n`],
  ['an unknown level', policyText.replace('[core,', '[gold,')],
  ['an unknown requirement', policyText.replace('threads.create-echoes', 'threads.create-gold')],
  ['an unknown question', `${policyText}gapAnswers: { no.question: [yes] }\n`],
  ['no trusted key', policyText.replace(/trusted: .*/, 'trusted: []')],
  ['a key id that is none', policyText.replace(keys.keyId, 'abc')],
  ['a public key that is none', policyText.replace(/trusted: .*/, 'trusted: [{ publicKey: abc }]')],
  ['no age', policyText.replace(/maxAgeDays: .*\n/, '')],
  ['another outcome', policyText.replace('outcome: conformant', 'outcome: nonconformant')],
  ['another format', policyText.replace('acs-policy/1', 'acs-policy/2')],
  ['a field twice', `${policyText}tier: smoke\n`],
  ['a revoked key whose id is none', `${policyText}revoked: [{ keyId: abc }]\n`],
  ['a revocation of nothing', `${policyText}revoked: [{}]\n`],
])('a policy fails closed: %s', (_, text) => {
  expect(() => parsePolicy(text)).toThrow()
})

test('a key or a certificate that the buyer revoked is not accepted, and another one’s revocation changes nothing', async () => {
  const { certificateId, keyId } = await accepting(bundle)
  const revoking = (entry: string) => parsePolicy(`${policyText}revoked: [${entry}]\n`)
  const other = 'f'.repeat(64)
  for (const entry of [`{ keyId: ${keyId} }`, `{ certificate: ${other} }, { certificate: ${certificateId} }`]) {
    const { accepted, unmet } = await accepting(bundle, { demands: revoking(entry) })
    expect([accepted, unmet]).toEqual([false, [expect.stringContaining('not revoked')]])
  }
  expect(await accepting(bundle, { demands: revoking(`{ keyId: ${other} }`) })).toMatchObject({ accepted: true })
})

test('a nonce that could be guessed is refused by those who give it and by those who answer it', async () => {
  expect(() => seedFromNonce('2f9c')).toThrow('short enough to be guessed')
  const { accepted, problems } = await accepting(bundle, { nonce: '2f9c' })
  expect([accepted, problems[0]]).toEqual([false, expect.stringContaining('short enough to be guessed')])
})

test('the clocks of the recording, of the target and of the verifier are told side by side, and what nobody knows', async () => {
  const { notProven } = await accepting(bundle)
  const [clocks = ''] = notProven.filter((line) => line.startsWith('When it was made'))
  expect(clocks).toMatch(
    /it started \d{4}-.* and was signed .* after its end, 24 h before now by your clock; by the target's clock its first Date header is .*created_at/,
  )
  expect(notProven).toContain('That it was the first attempt: runs that showed less need not be shown.')
})

test('a recording of another server under the name of this one is never called proven, since no file can show whose it is', async () => {
  const name = 'https://api.vendor.example'
  const renamed = decodeTrace(encodeTrace(trace).replaceAll(trace.header.target, name))
  const { proven, notProven } = await verifyBundle(forge({ trace: renamed }), { ...judges, nonce })
  expect(proven.join(' ')).not.toContain(name)
  expect(notProven.join('\n')).toContain(`That the answers come from ${name}: the holder of the key vouches for it.`)
})

test('answers to open questions are demanded as they were observed', async () => {
  const [observed] = report.observations.filter(({ consistent }) => consistent)
  const { gap = '', value = '' } = observed ?? {}
  const demanding = (answer: string) => parsePolicy(`${policyText}gapAnswers: ${JSON.stringify({ [gap]: [answer] })}\n`)
  expect((await accepting(bundle, { demands: demanding(value) })).unmet).toEqual([])
  const { unmet } = await accepting(bundle, { demands: demanding('another answer') })
  expect(unmet).toEqual([expect.stringContaining(`answer to ${gap}: ${value}`)])
})

test('the commands say by their exit codes what was asked', async () => {
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const good = file('good.acsbundle', packBundle(bundle))
  const bad = file('bad.acsbundle', packBundle(forge({ trace: broken })))
  const unknown = file('unknown.acsbundle', packBundle(forge({ files: blanks })))
  const days = Math.ceil((Date.now() - Date.parse(issuedAt)) / 86_400_000) + 1
  const loose = file('policy.yaml', policyText.replace('maxAgeDays: 30', `maxAgeDays: ${Math.max(1, days)}`))
  const codeOf = async (...argv: readonly string[]): Promise<number> => (await acs(argv)).code
  expect((await acs(['verify', unknown])).out).not.toContain('✓')
  expect(await codeOf('verify', bad)).toBe(1)
  expect(await codeOf('verify', good, '--require', 'gold')).toBe(64)
  expect(await codeOf('accept', good, '--policy', loose)).toBe(64)
  expect(await codeOf('accept', good, '--policy', file('none.yaml', 'levels: []'))).toBe(65)
  expect(readFileSync(good, 'utf8')).toBe(packBundle(bundle))
})

test('a key or a file that cannot be used is told before the run', async () => {
  const place = mkdtempSync(join(folder, 'certify-'))
  writeFileSync(join(place, 'signing.pub'), keys.publicKey)
  writeFileSync(join(place, 'signing.key'), keys.privateKey)
  const certify = (key: string, out: string) =>
    acs(['certify', '--target', join(place, 'none.yaml'), '--key', join(place, key), '--out', join(place, out)])
  expect(await certify('signing.pub', 'a.acsbundle')).toMatchObject({
    code: 65,
    err: expect.stringContaining('keygen'),
  })
  expect(await certify('signing.key', 'none/a.acsbundle')).toMatchObject({ code: 73 })
  expect(await certify('signing.key', 'a.acsbundle')).toMatchObject({ code: 66 })
})
