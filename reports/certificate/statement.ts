/**
 * Builds the signed statement: an in-toto statement (v1) with the standard test-result predicate. Its subjects are the
 * files of the bundle; beside each stands a digest for every few bytes, so that a change can be placed and not only
 * noticed.
 */
import { hash } from 'node:crypto'
import type { Report } from '../report.ts'
import { fileDigests, type SignedFiles } from './file-digests.ts'
import { contractVersion, digestOf } from './requirement-set.ts'

interface Subject {
  readonly name: string
  readonly digest: { readonly sha256: string }
}

/** The data of the certificate about the run, beside the standard predicate. */
export interface CertificateClaims {
  readonly target: string
  readonly outcome: string
  readonly strict: boolean
  readonly tier: string
  readonly claimed: readonly string[]
  readonly granted: readonly string[]
  readonly suiteVersion: string
  readonly contract: string
  readonly contractDigest: string
  readonly requirementSetDigest: string
  /** The verifier's challenge; the seed of the run follows from it. */
  readonly nonce: string | null
  /** The vendor's own name for the product; nothing in the evidence shows it. */
  readonly product?: Product
  readonly issuedAt: string
  readonly expiresAt: string
}

export interface Product {
  readonly name: string
  readonly version: string | null
}

export interface Statement {
  readonly _type: 'https://in-toto.io/Statement/v1'
  readonly subject: readonly Subject[]
  readonly predicateType: 'https://in-toto.io/attestation/test-result/v0.1'
  readonly predicate: {
    readonly result: 'PASSED' | 'WARNED' | 'FAILED'
    readonly configuration: readonly Subject[]
    readonly passedTests: readonly string[]
    readonly warnedTests: readonly string[]
    readonly failedTests: readonly string[]
    readonly acs: CertificateClaims
    /** File → digests of its blocks, 16 hexadecimal digits each. */
    readonly blocks: Readonly<Record<string, readonly string[]>>
  }
}

/** Bytes of one block. */
export const blockBytes = 512

/** The facts that the evidence does not contain. */
type Validity = Pick<CertificateClaims, 'nonce' | 'product' | 'issuedAt' | 'expiresAt'>

/** The statement over these files. */
export function statementOf(files: SignedFiles, report: Report, validity: Validity): Statement {
  const digests = fileDigests(files)
  const subject = digests.map(({ name, sha256 }) => ({ name, digest: { sha256 } }))
  const configuration = subject.filter(({ name }) => name === 'profile.json' || name === 'requirements.json')
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: { conformant: 'PASSED', incomplete: 'WARNED', nonconformant: 'FAILED', invalid: 'FAILED' }[
        report.run.outcome
      ] as 'PASSED',
      configuration,
      ...testsOf(report),
      acs: claimsOf(report, files['requirements.json'], validity),
      blocks: Object.fromEntries(digests.map(({ name, bytes }) => [name, blockDigests(bytes)])),
    },
  }
}

function testsOf(report: Report): Pick<Statement['predicate'], 'passedTests' | 'warnedTests' | 'failedTests'> {
  const ids = [...new Set(report.verdicts.map(({ requirement }) => requirement))]
  const of = (id: string) => report.verdicts.filter(({ requirement }) => requirement === id)
  const failed = ids.filter((id) => of(id).some(({ blocking }) => blocking))
  const passed = ids.filter(
    (id) =>
      of(id).every(({ outcome }) => ['upheld', 'inapplicable', 'unexercised'].includes(outcome)) &&
      of(id).some(({ outcome }) => outcome === 'upheld'),
  )
  return {
    passedTests: passed,
    warnedTests: ids.filter((id) => !failed.includes(id) && !passed.includes(id)),
    failedTests: failed,
  }
}

function claimsOf({ run }: Report, requirements: string, validity: Validity): CertificateClaims {
  const { target, outcome, strict, tier, claimed, granted, suiteVersion, contractDigest } = run
  return {
    target,
    outcome,
    strict,
    tier,
    claimed,
    granted,
    suiteVersion,
    contract: contractVersion,
    contractDigest,
    requirementSetDigest: digestOf(requirements),
    ...validity,
  }
}

/** A short digest of each block of a file. */
export function blockDigests(bytes: Uint8Array): readonly string[] {
  return Array.from({ length: Math.ceil(bytes.length / blockBytes) }, (_, index) =>
    hash('sha256', bytes.subarray(index * blockBytes, (index + 1) * blockBytes)).slice(0, 16),
  )
}
