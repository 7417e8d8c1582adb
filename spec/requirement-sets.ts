/**
 * The requirement sets that releases of the kit judged by, each known by its digest. A certificate that names another set was
 * judged by rules that nobody published.
 */
import sets from './requirement-sets.json' with { type: 'json' }

export interface ReleasedSet {
  /** Version of the kit. */
  readonly release: string
  /** Version of the contract. */
  readonly contract: string
  /** `sha256:` and the digest of the set as a certificate holds it. */
  readonly digest: string
}

/** One row for each release, the oldest first. */
export const requirementSets: readonly ReleasedSet[] = sets
