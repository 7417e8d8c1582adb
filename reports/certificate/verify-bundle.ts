/**
 * Verifies a certificate offline. The files must be the signed ones, every verdict must follow from the recorded
 * exchanges, and every request from the seed. The answer lists the facts shown, the facts not shown, and the parts that
 * this suite cannot compare.
 */
import type { Report } from '../report.ts'
import { type Bundle, unpackBundle } from './bundle.ts'
import { checkFiles } from './check-files.ts'
import { notProvenBy, provenBy } from './claims.ts'
import { shortestNonce } from './create-bundle.ts'
import { conformantOnly, type Demands, unmetDemands } from './demands.ts'
import type { RecordingTimes } from './recording-times.ts'
import { type Judges, judgeAgain } from './rejudge.ts'
import { digestOf } from './requirement-set.ts'
import type { CertificateClaims } from './statement.ts'

export interface VerifyOptions extends Judges {
  /** SPKI PEM of the key that the verifier trusts; without it only integrity is shown. */
  readonly publicKey?: string
  /** ISO 8601, UTC. */
  readonly now: string
  /** The nonce that the verifier gave; compared with the certificate's. */
  readonly nonce?: string
  /** Accepts expired entries: a history keeps them. */
  readonly allowExpired?: boolean
  /** The demands on an accepted certificate; default: a conformant run. */
  readonly demands?: Demands
}

/** `genuine`: all its statements follow from its evidence; `not-comparable`: this suite cannot decide. */
type CertificateStatus = 'genuine' | 'refused' | 'not-comparable'

export interface Verification {
  readonly status: CertificateStatus
  /** All problems, in sentences that name file and place. */
  readonly problems: readonly string[]
  /** The parts that this suite cannot compare. */
  readonly notComparable: readonly string[]
  /** The unmet demands; the certificate counts only when this is empty and the status is `genuine`. */
  readonly unmet: readonly string[]
  readonly accepted: boolean
  readonly proven: readonly string[]
  readonly notProven: readonly string[]
  /** The results of the evidence, once the files are the signed ones. */
  readonly report: Report | null
  /** The statements of the certificate, once its signature is valid. */
  readonly claims: CertificateClaims | null
  readonly times: RecordingTimes | null
  readonly keyId: string | null
  /** SHA-256 of the signed statement: the name by which a policy revokes a certificate. */
  readonly certificateId: string | null
}

/** Verifies a packed bundle (bytes) or the files of one. */
export async function verifyBundle(source: Uint8Array | Bundle, options: VerifyOptions): Promise<Verification> {
  const unpacked = source instanceof Uint8Array ? unpackBundle(source) : { bundle: source }
  if ('fault' in unpacked) return refused([unpacked.fault])
  const { bundle } = unpacked
  const { statement, keyId, problems } = checkFiles(bundle, options.publicKey)
  if (statement === null || keyId === null) return refused(problems)
  const claims = statement.predicate.acs
  const certificateId = digestOf(bundle['statement.dsse.json']).slice('sha256:'.length)
  if (problems.length > 0) return { ...refused(problems), claims, keyId, certificateId }
  const judged = await judgeAgain(bundle, statement, options)
  if ('fault' in judged) return { ...refused([judged.fault]), claims, keyId, certificateId }
  const { report, times, notComparable } = judged
  const wrong = [...validityProblems(claims, options), ...judged.problems]
  const status = statusOf(wrong, notComparable)
  const demands = options.demands ?? conformantOnly
  const isTrusted = options.publicKey !== undefined || demands.trustedKeyIds?.includes(keyId) === true
  const isAsked = options.nonce !== undefined
  const certified = { claims, keyId, certificateId, report, times, isAsked }
  const unmet = status === 'genuine' ? unmetDemands(certified, demands, options.now) : []
  const shown = { claims, judged, keyId, isTrusted, isAsked, now: options.now }
  return {
    status,
    problems: wrong,
    notComparable,
    unmet,
    accepted: status === 'genuine' && unmet.length === 0,
    proven: status === 'genuine' ? provenBy(shown) : [],
    notProven: notProvenBy(shown),
    report,
    claims,
    times,
    keyId,
    certificateId,
  }
}

function statusOf(problems: readonly string[], notComparable: readonly string[]): CertificateStatus {
  if (problems.length > 0) return 'refused'
  return notComparable.length > 0 ? 'not-comparable' : 'genuine'
}

function refused(problems: readonly string[]): Verification {
  return {
    status: 'refused',
    problems,
    notComparable: [],
    unmet: [],
    accepted: false,
    proven: [],
    notProven: [],
    report: null,
    claims: null,
    times: null,
    keyId: null,
    certificateId: null,
  }
}

function validityProblems(
  claims: CertificateClaims,
  { now, nonce, allowExpired = false }: VerifyOptions,
): readonly string[] {
  const at = Date.parse(now)
  const asked = nonce ?? claims.nonce
  const problems: readonly (readonly [boolean, string])[] = [
    [
      !(allowExpired || at <= Date.parse(claims.expiresAt)),
      `the certificate expired on ${claims.expiresAt.slice(0, 10)}`,
    ],
    [!(at >= Date.parse(claims.issuedAt)), `the certificate is dated ${claims.issuedAt}, which is still to come`],
    [
      (nonce?.length ?? shortestNonce) < shortestNonce,
      `the nonce "${nonce}" is short enough to be guessed, so no answer to it shows anything`,
    ],
    [asked !== claims.nonce, `the certificate answers the nonce ${claims.nonce ?? 'of nobody'}, not ${asked}`],
  ]
  return problems.filter(([wrong]) => wrong).map(([, sentence]) => sentence)
}
