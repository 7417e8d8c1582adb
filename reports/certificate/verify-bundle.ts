/**
 * Verifies a certificate offline: the files are the signed ones, and every verdict follows from the recorded exchanges when
 * they are judged again. What that shows, and what it cannot show, is part of the answer.
 */
import type { Judgement, Trace } from '../../conformance/index.ts'
import { compareReports } from '../compare/compare-reports.ts'
import { createReport } from '../create-report.ts'
import { parseReport } from '../parse-report.ts'
import type { Report } from '../report.ts'
import { canonicalJson, serializeReport } from '../serialize-report.ts'
import { countOutcomes } from '../standing.ts'
import { type Bundle, firstDifference, unpackBundle } from './bundle.ts'
import { checkFiles } from './check-files.ts'
import { seedFromNonce } from './create-bundle.ts'
import { digestOf, requirementSet } from './requirement-set.ts'
import { type CertificateClaims, type Statement, statementOf } from './statement.ts'

/** Reads and judges the text of a trace; conformance/ has both, the caller brings them together. */
export type Rejudge = (
  traceText: string,
  options: { readonly strict: boolean },
) => Promise<{ readonly trace: Trace; readonly judgement: Judgement }>

export interface VerifyOptions {
  readonly rejudge: Rejudge
  /** SPKI PEM of the key that the verifier trusts; without it only integrity is shown. */
  readonly publicKey?: string
  /** ISO 8601, UTC. */
  readonly now: string
  /** The nonce that the verifier gave; compared with the certificate's. */
  readonly nonce?: string
}

export interface Verification {
  readonly valid: boolean
  /** Everything that is wrong, in sentences that name file and place. */
  readonly problems: readonly string[]
  readonly proven: readonly string[]
  readonly notProven: readonly string[]
  /** What the certificate says, once its signature holds. */
  readonly claims: CertificateClaims | null
  readonly keyId: string | null
}

/** Verifies a packed bundle (bytes) or the files of one. */
export async function verifyBundle(source: Uint8Array | Bundle, options: VerifyOptions): Promise<Verification> {
  const unpacked = source instanceof Uint8Array ? unpackBundle(source) : { bundle: source }
  if ('fault' in unpacked) return refused([unpacked.fault])
  const { bundle } = unpacked
  const { statement, keyId, problems } = checkFiles(bundle, options.publicKey)
  if (statement === null || problems.length > 0)
    return { ...refused(problems), claims: statement?.predicate.acs ?? null, keyId }
  const claims = statement.predicate.acs
  const judged = await judgedAgain(bundle, statement, options)
  if ('fault' in judged) return { ...refused([judged.fault]), claims, keyId }
  const found = [...validityProblems(claims, options), ...judged.problems]
  return {
    valid: found.length === 0,
    problems: found,
    proven: found.length > 0 ? [] : provenBy(claims, judged.report, options, keyId),
    notProven: notProvenBy(claims, judged.report, options),
    claims,
    keyId,
  }
}

function refused(problems: readonly string[]): Verification {
  return { valid: false, problems, proven: [], notProven: [], claims: null, keyId: null }
}

function validityProblems(claims: CertificateClaims, { now, nonce }: VerifyOptions): readonly string[] {
  const at = Date.parse(now)
  const problems: readonly (readonly [boolean, string])[] = [
    [at > Date.parse(claims.expiresAt), `the certificate expired on ${claims.expiresAt.slice(0, 10)}`],
    [at < Date.parse(claims.issuedAt), `the certificate is dated ${claims.issuedAt}, which is still to come`],
    [
      nonce !== undefined && nonce !== claims.nonce,
      `the certificate answers the nonce ${claims.nonce ?? 'of nobody'}, not ${nonce ?? ''}`,
    ],
  ]
  return problems.filter(([wrong]) => wrong).map(([, sentence]) => sentence)
}

interface JudgedAgain {
  readonly report: Report
  readonly problems: readonly string[]
}

/** A signature over something that is no report or no trace is possible; it then is what is wrong. */
async function judgedAgain(
  bundle: Bundle,
  statement: Statement,
  options: VerifyOptions,
): Promise<JudgedAgain | { readonly fault: string }> {
  try {
    return await compareWithEvidence(bundle, statement, options)
  } catch (cause) {
    return { fault: `the evidence cannot be judged again: ${cause instanceof Error ? cause.message : String(cause)}` }
  }
}

async function compareWithEvidence(
  bundle: Bundle,
  statement: Statement,
  { rejudge }: VerifyOptions,
): Promise<JudgedAgain> {
  const signed = parseReport(bundle['report.json'])
  const { strict, tier, shard } = signed.run
  const { trace, judgement } = await rejudge(bundle['trace.ndjson'], { strict })
  const report = createReport(trace, judgement, {
    strict,
    tier,
    caps: signed.cost,
    ...(shard === undefined ? {} : { shard }),
  })
  const { nonce, issuedAt, expiresAt } = statement.predicate.acs
  const restated = statementOf(bundle, report, { nonce, issuedAt, expiresAt })
  const checks: readonly (readonly [boolean, string])[] = [
    [
      bundle['requirements.json'] !== requirementSet(),
      `it was judged by another set of requirements (${digestOf(bundle['requirements.json'])}) than this suite has`,
    ],
    [
      bundle['profile.json'] !== `${canonicalJson(trace.header.profile)}\n`,
      'profile.json is not the profile of the trace',
    ],
    [
      nonce !== null && trace.header.seed !== seedFromNonce(nonce),
      'the seed of the trace does not follow from the nonce',
    ],
    [canonicalJson(restated) !== canonicalJson(statement), 'the statement says something else than the evidence gives'],
  ]
  const problems = checks.filter(([wrong]) => wrong).map(([, sentence]) => sentence)
  return { report, problems: [...problems, ...reportProblems(bundle['report.json'], signed, report)] }
}

/** How the report of the bundle differs from the one that the evidence gives. */
function reportProblems(signedText: string, signed: Report, report: Report): readonly string[] {
  const at = firstDifference(Buffer.from(signedText, 'utf8'), Buffer.from(serializeReport(report), 'utf8'))
  if (at === null) return []
  const { broken, fixed, new: fresh, lost, unproven } = compareReports(signed, report)
  const changed = [...broken, ...fresh, ...fixed, ...lost, ...unproven]
  const named = changed
    .slice(0, 5)
    .map(({ obligation, before, after }) => `${obligation} (${before ?? 'absent'}, judged again ${after ?? 'absent'})`)
  const verdicts =
    changed.length === 0 ? 'no verdict differs' : `${changed.length} verdicts differ: ${named.join('; ')}`
  return [`report.json is not what judging the trace again gives, first at byte ${at}; ${verdicts}`]
}

function provenBy(
  claims: CertificateClaims,
  report: Report,
  { publicKey }: VerifyOptions,
  keyId: string | null,
): readonly string[] {
  const counts = countOutcomes(report.verdicts)
  const signer = publicKey === undefined ? 'the key inside the bundle' : 'the key that you trust'
  return [
    `These files are the ones that ${signer} (${keyId?.slice(0, 16) ?? ''}…) signed on ${claims.issuedAt.slice(0, 10)}; not a byte differs.`,
    `All ${report.verdicts.length} verdicts (${counts.upheld} upheld, ${counts.violated} violated) follow from the ${report.exchanges.length} recorded exchanges: they were judged again here.`,
    `Granted of the claimed levels: ${claims.granted.join(', ') || 'none'} (claimed: ${claims.claimed.join(', ') || 'none'}).`,
    ...(claims.nonce === null ? [] : [`The seed of the recording is the one that the nonce ${claims.nonce} asks for.`]),
  ]
}

function notProvenBy(claims: CertificateClaims, report: Report, { publicKey }: VerifyOptions): readonly string[] {
  const { unexercised } = countOutcomes(report.verdicts)
  return [
    ...(publicKey === undefined ? ['Who signed: give the public key that you got from the vendor to check that.'] : []),
    `That the recording comes from ${claims.target}: the holder of the key vouches for it. Certify with a nonce of your own, or run the suite yourself, to see.`,
    ...(claims.nonce === null ? ['That the recording was made for you: there is no nonce in it.'] : []),
    `Anything about the ${unexercised} obligations that were not exercised, and about requests that were not sent.`,
  ]
}
