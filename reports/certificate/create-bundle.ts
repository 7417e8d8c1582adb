/** Makes a certificate of a judged run: files, statement, signature. Nothing in it is secret; the trace has pseudonyms. */
import { createHash } from 'node:crypto'
import type { Trace } from '../../conformance/index.ts'
import type { Report } from '../report.ts'
import { canonicalJson, serializeReport } from '../serialize-report.ts'
import type { Bundle } from './bundle.ts'
import { signEnvelope } from './dsse-envelope.ts'
import type { SignedFiles } from './file-digests.ts'
import { requirementSet } from './requirement-set.ts'
import { publicPem, readPrivateKey } from './signing-keys.ts'
import { type Product, statementOf } from './statement.ts'

interface CertificateInput {
  readonly trace: Trace
  /** The trace as it is on disk; the digest is of these bytes. */
  readonly traceText: string
  readonly report: Report
  /** Ed25519, PKCS #8 PEM. */
  readonly privateKey: string
  /** The verifier's challenge; the run must have had seedFromNonce(nonce) as its seed. */
  readonly nonce?: string
  /** ISO 8601, UTC. */
  readonly issuedAt: string
  readonly validDays?: number
  readonly product?: Product
}

/** Why a run cannot be certified. */
class CertificateError extends Error {
  override readonly name = 'CertificateError'
  readonly code = 'cannot-certify'
}

const defaultValidDays = 180
const dayMs = 86_400_000

/** The bundle; throws CertificateError when the run proves nothing, KeyError for an invalid key. */
export function createBundle(input: CertificateInput): Bundle {
  const { trace, traceText, report, nonce, product, issuedAt, validDays = defaultValidDays } = input
  if (report.run.outcome === 'invalid')
    throw new CertificateError('an invalid run proves nothing, so there is nothing to certify')
  if (!report.run.complete)
    throw new CertificateError(`the run is not complete: ${report.run.incompleteReason ?? 'it broke off'}`)
  if (nonce !== undefined && report.run.seed !== seedFromNonce(nonce)) {
    throw new CertificateError(`the run has the seed ${report.run.seed}, the nonce asks for ${seedFromNonce(nonce)}`)
  }
  const key = readPrivateKey(input.privateKey)
  const files: SignedFiles = {
    'trace.ndjson': traceText,
    'report.json': serializeReport(report),
    'profile.json': `${canonicalJson(trace.header.profile)}\n`,
    'requirements.json': requirementSet(),
    'public-key.pem': publicPem(key),
  }
  const expiresAt = new Date(Date.parse(issuedAt) + validDays * dayMs).toISOString()
  const validity = { nonce: nonce ?? null, issuedAt, expiresAt, ...(product === undefined ? {} : { product }) }
  const statement = statementOf(files, report, validity)
  return { ...files, 'statement.dsse.json': `${JSON.stringify(signEnvelope(JSON.stringify(statement), key))}\n` }
}

/** Characters of a nonce; a shorter one could be guessed, and a run prepared in advance. */
export const shortestNonce = 16

/** The seed that a verifier's nonce asks for, a non-negative 31-bit integer; throws CertificateError when it is too short. */
export function seedFromNonce(nonce: string): number {
  if (nonce.length < shortestNonce)
    throw new CertificateError(
      `the nonce "${nonce}" is short enough to be guessed; it takes at least ${shortestNonce} characters`,
    )
  return createHash('sha256').update(`acs-nonce ${nonce}`).digest().readUInt32BE(0) >>> 1
}
