/**
 * `node scripts/update-collateral.ts proof.json`: notes what deviations were seen to violate besides their own requirement.
 * The proof measures it, and a reader judges the difference: each addition is a consequence of the bug, or a false alarm.
 * `npm run format` follows.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadDeviations } from '../mock-server/index.ts'

const [proof = 'proof.json'] = process.argv.slice(2)
const seen: { readonly deviations: readonly { readonly id: string; readonly unexplained: readonly string[] }[] } =
  JSON.parse(readFileSync(proof, 'utf8'))
const unexplained = new Map(seen.deviations.map((one) => [one.id, one.unexplained]))
const { deviations } = await loadDeviations()
const collateral = deviations.flatMap(({ id, alsoViolates = [] }) => {
  const all = new Set<string>([...alsoViolates, ...(unexplained.get(id) ?? [])])
  return all.size === 0 ? [] : [[id, [...all]] as const]
})
const file = join(import.meta.dirname, '..', 'mock-server', 'deviations', 'collateral.json')
writeFileSync(file, `${JSON.stringify(Object.fromEntries(collateral), null, 2)}\n`)
