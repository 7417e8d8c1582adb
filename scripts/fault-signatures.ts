/**
 * Adds to spec/fault-signatures.json what a proof has seen: `node scripts/fault-signatures.ts [acs-proof/proof.json]`, then
 * `npm run format`. A signature is the set of requirements that one known fault violates; reports name the likely cause by
 * it. What an earlier proof has seen stays as it is, since a run with another seed or on another service shows it as well, and
 * counts of one proof alone name the first cause on unknown servers less often.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Proof } from '../cli/prove/proof.ts'
import { type FaultSignature, requirementOf, requirements } from '../spec/index.ts'

const root = join(import.meta.dirname, '..')
const proof = JSON.parse(readFileSync(process.argv[2] ?? join(root, 'acs-proof', 'proof.json'), 'utf8')) as Proof

const advice = new Set<string>(requirements.filter(({ level }) => level !== 'must').map(({ id }) => id))

interface Pattern {
  readonly requirement: string
  readonly violates: readonly string[]
  readonly patterns: string[]
}

const signatures = new Map<string, Pattern>()
for (const { requirement, description, kill, collateral } of proof.deviations) {
  if (kill === null) continue
  // Advice that goes along with a broken rule tells nothing of its cause, and a server with the same bug may follow it.
  const others = collateral.map((evidence) => evidence.requirement).filter((id) => !advice.has(id))
  const violates: readonly string[] = [...new Set<string>(others)].filter((other) => other !== requirement).sort()
  const key = JSON.stringify([requirement, violates])
  const known = signatures.get(key) ?? { requirement, violates, patterns: [] as string[] }
  known.patterns.push(description)
  signatures.set(key, known)
}

const file = join(root, 'spec', 'fault-signatures.json')
const earlier: readonly FaultSignature[] = JSON.parse(readFileSync(file, 'utf8'))
const seen: readonly FaultSignature[] = [...signatures.values()].map(({ requirement, violates, patterns }) => ({
  requirement,
  violates,
  faults: patterns.length,
  example: patterns[0] ?? '',
}))
const keyOf = ({ requirement, violates }: Pick<FaultSignature, 'requirement' | 'violates'>): string =>
  JSON.stringify([requirement, violates])
const known = new Set(earlier.map(keyOf))
const added = seen.filter((row) => !known.has(keyOf(row)))
const rows = [...earlier, ...added].filter(({ requirement }) => requirementOf(requirement) !== undefined)
writeFileSync(file, `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`)
console.log(`${rows.length} signatures, ${added.length} of them new, of ${proof.deviations.length} known faults`)
