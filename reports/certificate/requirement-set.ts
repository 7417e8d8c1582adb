/**
 * The set of requirements that a certificate was judged by, as one document with one digest: what is owed may not move
 * under a certificate without being seen.
 */
import { createHash } from 'node:crypto'
import { type Requirement, requirements } from '../../spec/index.ts'
import { canonicalJson } from '../serialize-report.ts'

/** The version of the contract, as its paths name it. */
export const contractVersion = 'v1'

type SetRow = Pick<Requirement, 'id' | 'level' | 'basis' | 'rule' | 'section' | 'owedBy' | 'needs' | 'owed'>

function setRows(): readonly SetRow[] {
  return (requirements as readonly Requirement[])
    .filter(({ excluded }) => excluded === undefined)
    .map(({ excluded: _, fix: __, ...row }) => row)
}

/** All testable requirements of this kit as one canonical JSON document with a line feed at its end. */
export function requirementSet(): string {
  return `${canonicalJson({ contract: contractVersion, requirements: setRows() })}\n`
}

/** Ids of the requirements that stand in this set as they stand in the kit today. */
export function unchangedRequirements(setText: string): ReadonlySet<string> {
  const set = JSON.parse(setText) as { readonly contract: string; readonly requirements: readonly SetRow[] }
  if (set.contract !== contractVersion) return new Set()
  const then = new Map(set.requirements.map((row) => [row.id, canonicalJson(row)]))
  return new Set(
    setRows()
      .filter((row) => then.get(row.id) === canonicalJson(row))
      .map(({ id }) => id),
  )
}

/** `sha256:` and the digest of a text. */
export function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`
}
