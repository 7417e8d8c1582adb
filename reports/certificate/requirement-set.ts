/**
 * The set of requirements that a certificate was judged by, as one document with one digest. Only sets that a release of the
 * kit shipped are known; the obligations behind a certificate must not change unnoticed.
 */
import { hash } from 'node:crypto'
import { type ReleasedSet, type Requirement, requirementSets, requirements } from '../../spec/index.ts'
import { canonicalJson } from '../serialize-report.ts'

/** The version of the contract, as its paths name it. */
export const contractVersion = 'v1'

type SetRow = Pick<Requirement, 'id' | 'level' | 'basis' | 'rule' | 'section' | 'owedBy' | 'needs' | 'owed'>

function setRows(): readonly SetRow[] {
  return requirements.filter(({ excluded }) => excluded === undefined).map(({ excluded: _, fix: __, ...row }) => row)
}

let written: string | null = null

/** All testable requirements of this kit as one canonical JSON document with a line feed at its end. */
export function requirementSet(): string {
  written ??= `${canonicalJson({ contract: contractVersion, requirements: setRows() })}\n`
  return written
}

/** Why verdicts by this set cannot be compared with those of this suite, or `null` when they can. */
export function incomparableSet(setText: string, known: readonly ReleasedSet[] = requirementSets): string | null {
  const digest = digestOf(setText)
  const released = known.find((set) => set.digest === digest && set.contract === contractVersion)
  if (released === undefined)
    return `requirements.json (${digest.slice(0, 23)}…) is not the set of any release that this suite knows`
  if (setText === requirementSet()) return null
  const [then, today] = [judgingRows(setText), judgingRows(requirementSet())]
  const changed = [...new Set([...then.keys(), ...today.keys()])].filter((id) => then.get(id) !== today.get(id))
  if (changed.length === 0) return null
  const { release } = released
  return `it was judged by the requirements of release ${release}, ${changed.length} of which came, went or changed since; verify it with acs-kit ${release}`
}

/** Requirement → all of its row that judges; another wording of the same rule is the same rule. */
function judgingRows(setText: string): ReadonlyMap<string, string> {
  const set = JSON.parse(setText) as { readonly requirements: readonly SetRow[] }
  return new Map(set.requirements.map(({ rule: _, section: __, ...row }) => [row.id, canonicalJson(row)]))
}

/** `sha256:` and the digest of a text. */
export function digestOf(text: string): string {
  return `sha256:${hash('sha256', text)}`
}
