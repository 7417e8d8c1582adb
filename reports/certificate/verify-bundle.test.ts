/** A certificate stands on its evidence: any change of it is found and named, and nothing is claimed beyond it. */
import { createPrivateKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { issuedAt, nonce, reenact, rejudge, sampleCertificate } from '../../test/reports/sample-certificate.ts'
import { sampleJudgement } from '../../test/reports/sample-report.ts'
import { createReport } from '../create-report.ts'
import type { Report } from '../report.ts'
import { serializeReport } from '../serialize-report.ts'
import { artefactNames, type Bundle, packBundle, unpackBundle } from './bundle.ts'
import { createBundle, seedFromNonce } from './create-bundle.ts'
import { signEnvelope } from './dsse-envelope.ts'
import { digestOf, incomparableSet, requirementSet } from './requirement-set.ts'
import { generateSigningKeys } from './signing-keys.ts'
import { type Statement, statementOf } from './statement.ts'
import { renderVerificationHtml } from './verification-page.ts'
import { renderVerification } from './verification-text.ts'
import { verifyBundle } from './verify-bundle.ts'

const { bundle, keys, trace } = sampleCertificate()
const packed = Buffer.from(packBundle(bundle))
const now = '2026-12-01T00:00:00.000Z'
const trusted = { rejudge, reenact, now, publicKey: keys.publicKey }

test('an untouched bundle verifies, packed or as files, and says what that shows', async () => {
  for (const source of [packed, bundle])
    expect(await verifyBundle(source, trusted)).toMatchObject({ status: 'genuine', accepted: true, problems: [] })
  const { proven, notProven } = await verifyBundle(packed, { ...trusted, nonce })
  expect(proven.join(' ')).toMatch(
    /not a byte differs.*were judged again here.*were made again here.*Granted: all claimed levels \(core.*nonce/,
  )
  expect(notProven.join(' ')).toMatch(/the holder of the key vouches for it.*not tested/)
})

test('the page of a verification says what is proven and what is not, and how to repeat it', async () => {
  const verification = await verifyBundle(packed, trusted)
  const page = renderVerificationHtml(verification, 'bundle.json')
  expect(page.match(/<li>/g)).toHaveLength(verification.proven.length + verification.notProven.length)
  for (const words of ['<h2>Proven</h2>', '<h2>Not proven</h2>', 'acs verify bundle.json'])
    expect(page).toContain(words)
  const damaged = await verifyBundle(packed.subarray(0, 100), trusted)
  expect(renderVerificationHtml(damaged, '<b>')).toMatch(/× not verified.*<h2>Wrong<\/h2>.*&lt;b&gt;/s)
})

test('without a trusted key only integrity is claimed', async () => {
  const { accepted, notProven } = await verifyBundle(packed, { rejudge, reenact, now })
  expect(accepted).toBe(true)
  expect(notProven[0]).toMatch(/^Who signed/)
})

test('every changed byte is found, wherever it is', async () => {
  let state = 7
  const next = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  for (let round = 0; round < 60; round += 1) {
    const changed = Buffer.from(packed)
    const at = next(changed.length)
    changed[at] = ((changed[at] ?? 0) + 1 + next(255)) % 256
    const { accepted, problems } = await verifyBundle(changed, trusted)
    expect({ at, accepted, named: problems.length > 0 }).toEqual({ at, accepted: false, named: true })
  }
})

test('a change is named with its file and place', async () => {
  const changed = (name: keyof Bundle, edit: (text: string) => string) =>
    verifyBundle({ ...bundle, [name]: edit(bundle[name]) }, trusted)
  const inTrace = await changed('trace.ndjson', (text) => text.replace('"status":201', '"status":200'))
  expect(inTrace.problems).toEqual([
    expect.stringMatching(
      /^trace\.ndjson is not the signed file: it differs within bytes \d+ to \d+, from line [23] on$/,
    ),
  ])
  const cutOff = await changed('report.json', (text) => text.slice(0, 512 * 4))
  expect(cutOff.problems).toEqual(['report.json is not the signed file: it ends after byte 2048, too early'])
  const signature = await changed('statement.dsse.json', (text) => text.replace(/"sig":"./, '"sig":"!'))
  expect(signature.problems).toEqual(['statement.dsse.json: its base64 is not canonical'])
})

test('bytes that are no bundle are refused with the place', () => {
  const head = '{"format":"acs-bundle/1"}\n'
  const broken = Buffer.concat([Buffer.from(head), Buffer.from([0x7b, 0xff, 0x0a])])
  expect(unpackBundle(broken)).toEqual({ fault: `byte ${head.length + 1} is not UTF-8` })
  expect(unpackBundle(Buffer.from(`${head}{}\n`))).toEqual({ fault: 'line 2 is not the file trace.ndjson' })
  for (const other of ['', '{}', '{"format":"acs-bundle/2"}\n'])
    expect(unpackBundle(Buffer.from(other))).toEqual({
      fault: expect.stringMatching(/^it is no bundle of this format/),
    })
  expect(unpackBundle(packed.subarray(0, -9))).toEqual({ fault: expect.stringMatching(/^it is cut/) })
  expect(unpackBundle(Buffer.concat([packed, Buffer.from(' ')]))).toEqual({
    fault: `byte ${packed.length} is not as a bundle is written`,
  })
  const unpacked = unpackBundle(packed)
  expect('bundle' in unpacked && artefactNames.every((name) => unpacked.bundle[name] === bundle[name])).toBe(true)
})

test('a signature by another key than the trusted one does not count', async () => {
  const { problems } = await verifyBundle(packed, { ...trusted, publicKey: generateSigningKeys().publicKey })
  expect(problems).toEqual([expect.stringMatching(/^statement\.dsse\.json: it names the key/)])
})

/** The bundle with other files and another statement, signed by the holder of the key. */
const signedAnew = (
  changed: Partial<Bundle>,
  report: Report,
  edit: (statement: Statement) => unknown = (statement) => statement,
): Bundle => {
  const { 'statement.dsse.json': _, ...files } = { ...bundle, ...changed }
  const statement = statementOf(files, report, { nonce, issuedAt, expiresAt: '2027-05-20T03:00:00.000Z' })
  const envelope = signEnvelope(JSON.stringify(edit(statement)), createPrivateKey(keys.privateKey))
  return { ...files, 'statement.dsse.json': `${JSON.stringify(envelope)}\n` }
}
const honest = createReport(trace, sampleJudgement({ green: true }), { tier: 'gate' })
const embellished: Report = {
  ...honest,
  verdicts: honest.verdicts.map((one) => ({ ...one, outcome: 'upheld' as const })),
}

test('a signed report that the evidence does not give is found, with the verdicts that differ', async () => {
  const forged = signedAnew({ 'report.json': serializeReport(embellished) }, embellished)
  const { status, problems } = await verifyBundle(forged, trusted)
  expect(status).toBe('refused')
  expect(problems.join('\n')).toMatch(
    /the statement says something else than the evidence gives[\s\S]*judged again, \d+ verdicts differ: .*\(upheld, judged again unexercised\)/,
  )
})

/** The rules of the kit, rewritten so that they are no longer known. */
const rewritten = (edit: (rows: readonly { readonly id: string; readonly rule: string }[]) => unknown): string => {
  const { requirements, ...set } = JSON.parse(requirementSet()) as { readonly requirements: [] }
  return `${JSON.stringify({ ...set, requirements: edit(requirements) })}\n`
}

test.each([
  ['a blank in every rule', rewritten((rows) => rows.map((row) => ({ ...row, rule: `${row.rule} ` })))],
  ['no rules at all', rewritten(() => [])],
  [
    'another wording of a few rules',
    rewritten(([first, ...rest]) => [{ ...first, rule: 'It was another rule.' }, ...rest]),
  ],
])('a certificate by rules that no release shipped is not verified: %s', async (_, rules) => {
  const forged = { 'requirements.json': rules, 'report.json': serializeReport(embellished) }
  const verification = await verifyBundle(signedAnew(forged, embellished), trusted)
  expect(verification).toMatchObject({ status: 'not-comparable', accepted: false, proven: [] })
  expect(verification.notComparable).toEqual([expect.stringContaining('not the set of any release')])
  expect(renderVerification(verification)).not.toMatch(/✓|conformant|Granted/)
})

test('the requirements of an earlier release are compared only when they judge the same', () => {
  const released = (text: string) => [{ release: '0.0.9', contract: 'v1', digest: digestOf(text) }]
  const reworded = rewritten(([first, ...rest]) => [{ ...first, rule: 'The same in other words.' }, ...rest])
  const fewer = rewritten((rows) => rows.slice(3))
  expect(incomparableSet(reworded, released(reworded))).toBeNull()
  expect(incomparableSet(fewer, released(fewer))).toMatch(/release 0\.0\.9, 3 of which.*verify it with acs-kit 0\.0\.9/)
})

test('other words of notices and reasons do not make a certificate wrong', async () => {
  const words = <T extends { readonly text: string }>(one: T): T => ({ ...one, text: 'In other words.' })
  const reworded: Report = {
    ...honest,
    notices: [...honest.notices.map(words), { code: 'new', text: 'A new notice.', exchanges: [] }],
    verdicts: honest.verdicts.map((one) => ({ ...one, reason: 'In other words.' })),
  }
  const verification = await verifyBundle(signedAnew({ 'report.json': serializeReport(reworded) }, reworded), trusted)
  expect(verification).toMatchObject({ status: 'genuine', problems: [] })
  expect(verification.notProven.join(' ')).toContain('The wording of notices and reasons in report.json')
})

test.each<readonly [string, (acs: Statement['predicate']['acs']) => object, RegExp]>([
  ['it never expires', () => ({ expiresAt: 'never' }), /expiresAt is no point in time/],
  ['it expires on no day', () => ({ expiresAt: '2027-02-30T00:00:00.000Z' }), /expiresAt is no point in time/],
  ['it expires at a number', () => ({ expiresAt: 5 }), /expiresAt must be string/],
  ['its tier is not that of the trace', () => ({ tier: 'soak' }), /the statement says something else/],
  ['it grants what the evidence does not', () => ({ granted: ['core', 'files'] }), /the statement says something else/],
  ['it is of another target', () => ({ target: 'https://other.example' }), /the statement says something else/],
  ['it claims to be strict', () => ({ strict: true }), /the statement says something else|differs in strict/],
  ['it has an unknown claim', () => ({ gold: true }), /must NOT have additional properties: gold/],
  ['its nonce asks for another seed', () => ({ nonce: 'a nonce of another run' }), /seed .* does not follow from the/],
  [
    'it is dated before its recording',
    () => ({ issuedAt: '2020-01-01T00:00:00.000Z' }),
    /before the end of its recording/,
  ],
])('a signed statement is refused when %s', async (_, change, problem) => {
  const edit = (statement: Statement): unknown => ({
    ...statement,
    predicate: { ...statement.predicate, acs: { ...statement.predicate.acs, ...change(statement.predicate.acs) } },
  })
  const { status, problems } = await verifyBundle(signedAnew({}, honest, edit), trusted)
  expect({ status, problems: problems.join('; ') }).toEqual({
    status: 'refused',
    problems: expect.stringMatching(problem),
  })
})

test.each([null, 5, {}, { acs: null }])('a signed predicate %j is a problem, not a crash', async (predicate) => {
  const { problems } = await verifyBundle(
    signedAnew({}, honest, (statement) => ({ ...statement, predicate })),
    trusted,
  )
  expect(problems).toEqual([expect.stringMatching(/^statement\.dsse\.json: \/predicate/)])
})

test('members that nobody signed are refused', async () => {
  const envelope = JSON.parse(bundle['statement.dsse.json']) as { readonly signatures: readonly object[] }
  const extended = [
    { ...envelope, note: 'gold' },
    { ...envelope, signatures: envelope.signatures.map((one) => ({ ...one, note: 'gold' })) },
    { ...envelope, signatures: null },
  ]
  for (const one of extended) {
    const { problems } = await verifyBundle({ ...bundle, 'statement.dsse.json': `${JSON.stringify(one)}\n` }, trusted)
    expect(problems).toEqual(['statement.dsse.json is not a DSSE envelope as a bundle holds it'])
  }
})

test('requests that do not follow from the seed refuse a certificate, and a run that cannot be told is no proof', async () => {
  const different = { outcome: 'different', exchange: 'E3', reason: 'E3: its body differs from byte 9 on' } as const
  const refused = await verifyBundle(packed, { ...trusted, reenact: () => Promise.resolve(different) })
  expect(refused.problems).toEqual([expect.stringContaining('E3: its body differs from byte 9 on')])
  const undecided = { outcome: 'undecided', reason: 'another version recorded it' } as const
  const open = await verifyBundle(packed, { ...trusted, reenact: () => Promise.resolve(undecided) })
  expect(open).toMatchObject({ status: 'not-comparable', accepted: false, problems: [] })
  expect(renderVerification(open)).toMatch(/^\? not comparable, so not verified/)
})

test('a genuine certificate of a nonconformant run has no tick', async () => {
  const red = sampleJudgement({ green: false })
  const report = createReport(trace, red, { tier: 'gate' })
  const bad = signedAnew({ 'report.json': serializeReport(report) }, report)
  const judges = {
    ...trusted,
    rejudge: async (text: string) => ({ ...(await rejudge(text, { strict: false })), judgement: red }),
  }
  const asked = await verifyBundle(bad, judges)
  expect(asked).toMatchObject({ status: 'genuine', accepted: false, unmet: ['conformant: the run is nonconformant'] })
  expect(renderVerification(asked)).toMatch(/^× genuine, but not accepted {2}\S+ {2}nonconformant/)
  const integrity = await verifyBundle(bad, { ...judges, demands: { outcome: 'any' } })
  expect(integrity.accepted).toBe(true)
  expect(renderVerification(integrity)).toMatch(/^! genuine {2}\S+ {2}nonconformant/)
})

test('a signed trace that cannot be judged is a problem, not a crash', async () => {
  const broken = { ...trusted, rejudge: () => Promise.reject(new Error('line 3: not JSON')) }
  expect((await verifyBundle(packed, broken)).problems).toEqual([
    'the evidence cannot be judged again: line 3: not JSON',
  ])
})

test('a certificate counts from its date to its expiry, and for its own nonce', async () => {
  const problemsAt = async (at: string) => (await verifyBundle(packed, { ...trusted, now: at })).problems
  expect(await problemsAt('2027-05-20T02:59:59.000Z')).toEqual([])
  expect(await problemsAt('2027-05-20T03:00:01.000Z')).toEqual(['the certificate expired on 2027-05-20'])
  expect(await problemsAt('2026-11-20T00:00:00.000Z')).toEqual([
    `the certificate is dated ${issuedAt}, which is still to come`,
  ])
  expect((await verifyBundle(packed, { ...trusted, nonce: 'a challenge of mine' })).problems).toEqual([
    `the certificate answers the nonce ${nonce}, not a challenge of mine`,
  ])
})

test('no certificate is made of a run that proves nothing, broke off, or had another seed', () => {
  const report = createReport(trace, sampleJudgement({ green: true }))
  const input = { trace, traceText: bundle['trace.ndjson'], report, privateKey: keys.privateKey, issuedAt }
  expect(() => createBundle({ ...input, report: { ...report, run: { ...report.run, outcome: 'invalid' } } })).toThrow(
    'proves nothing',
  )
  expect(() => createBundle({ ...input, report: { ...report, run: { ...report.run, complete: false } } })).toThrow(
    'not complete',
  )
  expect(() => createBundle({ ...input, nonce: 'another challenge' })).toThrow(
    `the nonce asks for ${seedFromNonce('another challenge')}`,
  )
  expect(() => createBundle({ ...input, privateKey: keys.publicKey })).toThrow('acs keygen makes one')
})

test('the text says verified or not, and what is proven and what is not', async () => {
  const text = renderVerification(await verifyBundle(packed, trusted))
  expect(text).toMatch(
    /^✓ verified {2}http:\/\/127\.0\.0\.1:4010 {2}conformant {2}valid until 2027-05-20\n {2}certificate [0-9a-f]{64}\n\nproven\n[\s\S]+\n\nnot proven\n/,
  )
  expect(renderVerification(await verifyBundle(Buffer.from('x'), trusted))).toMatch(
    /^× not verified\n\nwrong\n {2}it is no bundle of this format: .*\n$/,
  )
})
