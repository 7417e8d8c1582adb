/**
 * Verifies a certificate offline: the files are the signed ones, and every verdict follows from the recorded exchanges when
 * they are judged again. What that shows, and what it cannot show, is part of the answer.
 */
import { type Bundle, unpackBundle } from './bundle.ts'
import { checkFiles } from './check-files.ts'
import { notProvenBy, provenBy } from './claims.ts'
import { judgeAgain, type Rejudge } from './rejudge.ts'
import type { CertificateClaims } from './statement.ts'

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
  if (statement === null || keyId === null) return refused(problems)
  const claims = statement.predicate.acs
  if (problems.length > 0) return { ...refused(problems), claims, keyId }
  const judged = await judgeAgain(bundle, statement, options.rejudge)
  if ('fault' in judged) return { ...refused([judged.fault]), claims, keyId }
  const found = [...validityProblems(claims, options), ...judged.problems]
  const shown = {
    claims,
    judged,
    keyId,
    isTrusted: options.publicKey !== undefined,
    isAsked: options.nonce !== undefined,
  }
  return {
    valid: found.length === 0,
    problems: found,
    proven: found.length > 0 ? [] : provenBy(shown),
    notProven: notProvenBy(shown),
    claims,
    keyId,
  }
}

function refused(problems: readonly string[]): Verification {
  return { valid: false, problems, proven: [], notProven: [], claims: null, keyId: null }
}

function validityProblems(claims: CertificateClaims, { now, nonce }: VerifyOptions): readonly string[] {
  const at = Date.parse(now)
  const asked = nonce ?? claims.nonce
  const problems: readonly (readonly [boolean, string])[] = [
    [at > Date.parse(claims.expiresAt), `the certificate expired on ${claims.expiresAt.slice(0, 10)}`],
    [at < Date.parse(claims.issuedAt), `the certificate is dated ${claims.issuedAt}, which is still to come`],
    [asked !== claims.nonce, `the certificate answers the nonce ${claims.nonce ?? 'of nobody'}, not ${asked}`],
  ]
  return problems.filter(([wrong]) => wrong).map(([, sentence]) => sentence)
}
