/**
 * The set of requirements that a certificate was judged by, as one document with one digest: what is owed may not move
 * under a certificate without being seen.
 */
import { createHash } from 'node:crypto'
import { type Requirement, requirements } from '../../spec/index.ts'
import { canonicalJson } from '../serialize-report.ts'

/** The version of the contract, as its paths name it. */
export const contractVersion = 'v1'

/** All testable requirements of this kit as one canonical JSON document with a line feed at its end. */
export function requirementSet(): string {
  const rows = (requirements as readonly Requirement[])
    .filter(({ excluded }) => excluded === undefined)
    .map(({ id, level, basis, rule, section, owedBy, needs, owed }) => ({
      id,
      level,
      basis,
      rule,
      section,
      owedBy,
      needs,
      owed,
    }))
  return `${canonicalJson({ contract: contractVersion, requirements: rows })}\n`
}

/** `sha256:` and the digest of a text. */
export function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`
}
