/** One certificate on the board: its issuer, its date, and the results of its evidence. Everything in it was verified. */
import { groupBy } from '../../spec/index.ts'
import type { Verification } from '../certificate/verify-bundle.ts'
import type { Report } from '../report.ts'

export interface CertifiedRun {
  /** The name of the bundle's file. */
  readonly file: string
  readonly certificateId: string
  readonly keyId: string
  /** The vendor's name for it, or the target. */
  readonly name: string
  readonly version: string | null
  readonly expiresAt: string
  /** Without its exchanges: the bundle has them. */
  readonly report: Report
}

/** The certified run of a verification; `null` when it was not genuine or not accepted. */
export function certifiedRun(file: string, verification: Verification): CertifiedRun | null {
  const { accepted, report, claims, keyId, certificateId } = verification
  if (!accepted || report === null || claims === null || keyId === null || certificateId === null) return null
  return {
    file,
    certificateId,
    keyId,
    name: claims.product?.name ?? report.run.target,
    version: claims.product?.version ?? null,
    expiresAt: claims.expiresAt,
    report: { ...report, exchanges: [] },
  }
}

/** The certificates of one product by one key, the latest first. */
export interface Implementation {
  /** Its name in URLs. */
  readonly slug: string
  readonly name: string
  readonly runs: readonly [CertifiedRun, ...CertifiedRun[]]
}

/** The implementations by name; a name that two keys use is two implementations, and a copy of a certificate is none. */
export function implementationsOf(runs: readonly CertifiedRun[]): readonly Implementation[] {
  const different = new Map(runs.map((run) => [run.certificateId, run]))
  const byOwner = groupBy([...different.values()].sort(latestFirst), ({ name, keyId }) => `${name}\n${keyId}`)
  const groups = [...byOwner.values()].sort(([one], [other]) => compareText(slugOf(one), slugOf(other)))
  const slugs = new Set<string>()
  return groups.flatMap(([first, ...rest]) => {
    if (first === undefined) return []
    const isShared = groups.filter(([one]) => slugOf(one) === slugOf(first)).length > 1
    const plain = isShared ? `${slugOf(first)}-${first.keyId.slice(0, 8)}` : slugOf(first)
    const slug = slugs.has(plain) ? `${plain}-${first.certificateId.slice(0, 8)}` : plain
    slugs.add(slug)
    return [{ slug, name: first.name, runs: [first, ...rest] as const }]
  })
}

function latestFirst(one: CertifiedRun, other: CertifiedRun): number {
  return (
    compareText(other.report.run.startedAt, one.report.run.startedAt) ||
    compareText(one.certificateId, other.certificateId)
  )
}

/** Not by locale, so that a site is the same on every machine. */
function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function slugOf(run: CertifiedRun | undefined): string {
  const plain = (run?.name ?? '')
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[^a-z0-9]+/g, '-')
  return plain.replace(/^-+|-+$/g, '').slice(0, 60) || 'implementation'
}
