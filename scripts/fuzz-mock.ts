/**
 * The long form of the mock's fuzz: 100,000 hostile requests, or as many as are given, over several seeds.
 * `node scripts/fuzz-mock.ts [count] [seed]`; exit 1 when an answer breaks the contract or memory grows without bound.
 */
import { runHostile } from '../test/mock/hostile-run.ts'

const count = Number(process.argv[2] ?? 100_000)
const seed = Number(process.argv[3] ?? 1)
const perSeed = 10_000
const heapLimitBytes = 400_000_000

let broken = 0
for (let sent = 0; sent < count; sent += perSeed) {
  const ownSeed = seed + sent / perSeed
  const { statuses, faults } = await runHostile(ownSeed, Math.min(perSeed, count - sent))
  const heapBytes = process.memoryUsage().heapUsed
  console.log(`seed ${ownSeed}: ${JSON.stringify(statuses)} heap ${Math.round(heapBytes / 1_000_000)} MB`)
  for (const fault of faults.slice(0, 5)) console.log(fault)
  broken += faults.length
  if (heapBytes > heapLimitBytes) {
    console.log('the heap grows without bound')
    broken += 1
  }
}
console.log(
  broken === 0 ? `${count} hostile requests, every answer by the contract` : `${broken} answers break the contract`,
)
process.exitCode = broken === 0 ? 0 : 1
