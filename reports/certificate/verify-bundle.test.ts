/** A certificate stands on its evidence: any change of it is found and named, and nothing is claimed beyond it. */
import { createPrivateKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { issuedAt, nonce, rejudge, sampleCertificate } from '../../test/reports/sample-certificate.ts'
import { sampleJudgement } from '../../test/reports/sample-report.ts'
import { createReport } from '../create-report.ts'
import type { Report } from '../report.ts'
import { serializeReport } from '../serialize-report.ts'
import { artefactNames, type Bundle, packBundle, unpackBundle } from './bundle.ts'
import { createBundle, seedFromNonce } from './create-bundle.ts'
import { signEnvelope } from './dsse-envelope.ts'
import { generateSigningKeys } from './signing-keys.ts'
import { statementOf } from './statement.ts'
import { renderVerification } from './verification-text.ts'
import { verifyBundle } from './verify-bundle.ts'

const { bundle, keys, trace } = sampleCertificate()
const packed = Buffer.from(packBundle(bundle))
const now = '2026-12-01T00:00:00.000Z'
const trusted = { rejudge, now, publicKey: keys.publicKey }

test('an untouched bundle verifies, packed or as files, and says what that shows', async () => {
  for (const source of [packed, bundle])
    expect(await verifyBundle(source, trusted)).toMatchObject({ valid: true, problems: [] })
  const { proven, notProven } = await verifyBundle(packed, { ...trusted, nonce })
  expect(proven.join(' ')).toMatch(
    /not a byte differs.*were judged again here.*Granted of the claimed levels: core.*nonce/,
  )
  expect(notProven.join(' ')).toMatch(/the holder of the key vouches for it.*not exercised/)
})

test('without a trusted key only integrity is claimed', async () => {
  const { valid, notProven } = await verifyBundle(packed, { rejudge, now })
  expect(valid).toBe(true)
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
    const { valid, problems } = await verifyBundle(changed, trusted)
    expect({ at, valid, named: problems.length > 0 }).toEqual({ at, valid: false, named: true })
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
  expect(unpackBundle(Buffer.from([0x7b, 0xff]))).toEqual({ fault: 'byte 1 is not UTF-8' })
  expect(unpackBundle(Buffer.from('{}'))).toEqual({ fault: 'line 2 is not the file trace.ndjson' })
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

test('a signed report that the evidence does not give is found, with the verdicts that differ', async () => {
  const judgement = sampleJudgement({ green: true })
  const embellished = createReport(trace, {
    ...judgement,
    verdicts: judgement.verdicts.map((one) => ({ ...one, outcome: 'upheld' as const })),
  })
  const { 'statement.dsse.json': _, ...files } = { ...bundle, 'report.json': serializeReport(embellished) }
  const statement = statementOf(files, embellished, { nonce, issuedAt, expiresAt: '2027-05-20T03:00:00.000Z' })
  const envelope = signEnvelope(JSON.stringify(statement), createPrivateKey(keys.privateKey))
  const { valid, problems } = await verifyBundle(
    { ...files, 'statement.dsse.json': `${JSON.stringify(envelope)}\n` },
    trusted,
  )
  expect(valid).toBe(false)
  expect(problems.join('\n')).toMatch(
    /the statement says something else than the evidence gives[\s\S]*report\.json is not what judging the trace again gives, first at byte \d+; \d+ verdicts differ: .*\(upheld, judged again unexercised\)/,
  )
})

/** The certificate as an older suite would have made it: with fewer requirements and its own idea of one of them. */
const olderCertificate = (changeReport: (report: Report) => Report): Bundle => {
  const set = JSON.parse(bundle['requirements.json']) as {
    readonly requirements: readonly { readonly id: string; readonly rule: string }[]
  }
  const [first, ...rest] = set.requirements
  const older = { ...set, requirements: [{ ...first, rule: 'It was another rule then.' }, ...rest.slice(10)] }
  const signed = changeReport(createReport(trace, sampleJudgement({ green: true })))
  const { 'statement.dsse.json': _, ...files } = {
    ...bundle,
    'requirements.json': `${JSON.stringify(older)}\n`,
    'report.json': serializeReport(signed),
  }
  const statement = statementOf(files, signed, { nonce, issuedAt, expiresAt: '2027-05-20T03:00:00.000Z' })
  const envelope = signEnvelope(JSON.stringify(statement), createPrivateKey(keys.privateKey))
  return { ...files, 'statement.dsse.json': `${JSON.stringify(envelope)}\n` }
}

test('a later suite holds an older certificate to the requirements that did not change', async () => {
  const set = JSON.parse(bundle['requirements.json']) as { readonly requirements: readonly { readonly id: string }[] }
  const changedId = set.requirements[0]?.id
  const broken =
    (id: string | undefined) =>
    (report: Report): Report => ({
      ...report,
      verdicts: report.verdicts.map((verdict) =>
        verdict.requirement === id ? { ...verdict, outcome: 'violated' as const } : verdict,
      ),
    })
  const same = await verifyBundle(
    olderCertificate((report) => report),
    trusted,
  )
  expect(same).toMatchObject({ valid: true, problems: [] })
  expect(same.notProven.join(' ')).toContain('requirements that came or changed since')
  expect((await verifyBundle(olderCertificate(broken(changedId)), trusted)).valid).toBe(true)
  expect((await verifyBundle(olderCertificate(broken('threads.created-in-thread')), trusted)).problems).toEqual([
    expect.stringMatching(
      /^judged again by requirements that did not change, 1 verdicts differ: threads\.created-in-thread/,
    ),
  ])
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
  expect((await verifyBundle(packed, { ...trusted, nonce: 'mine' })).problems).toEqual([
    `the certificate answers the nonce ${nonce}, not mine`,
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
  expect(() => createBundle({ ...input, nonce: 'other' })).toThrow(`the nonce asks for ${seedFromNonce('other')}`)
  expect(() => createBundle({ ...input, privateKey: keys.publicKey })).toThrow('acs keygen makes one')
})

test('the text says verified or not, and what is proven and what is not', async () => {
  const text = renderVerification(await verifyBundle(packed, trusted))
  expect(text).toMatch(
    /^✓ verified {2}http:\/\/127\.0\.0\.1:4010 {2}conformant {2}until 2027-05-20\n\nproven\n[\s\S]+\n\nnot proven\n/,
  )
  expect(renderVerification(await verifyBundle(Buffer.from('x'), trusted))).toMatch(
    /^× not verified\n\nwrong\n {2}line 2 is not the file trace\.ndjson\n$/,
  )
})
