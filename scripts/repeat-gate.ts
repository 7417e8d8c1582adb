/**
 * Repeats gate on the mock with other seeds over real HTTP and counts runs that are not clean.
 * A suite that gates builds must not flake. `node scripts/repeat-gate.ts 1000 [first seed]`; CI runs a few.
 */
import { referenceProfile } from '../cli/reference-profile.ts'
import { judge, run, type Verdict } from '../conformance/index.ts'
import { createMock } from '../mock-server/index.ts'

interface Flake {
  readonly seed: number
  readonly outcome: string
  /** `requirement operation outcome` of every verdict that a clean run does not have. */
  readonly verdicts: readonly string[]
}

/** Runs gate `count` times, each on a fresh mock; gives the runs that were not conformant, strictly judged. */
export const repeatGate = async (
  count: number,
  firstSeed: number,
  onRun: (done: number) => void = () => {},
): Promise<readonly Flake[]> => {
  const flakes: Flake[] = []
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    const flake = await runOnce(seed)
    if (flake !== null) flakes.push(flake)
    onRun(seed - firstSeed + 1)
  }
  return flakes
}

/** Broken, a fault of the suite, or owed and not decided. */
const isOdd = ({ outcome, owed }: Verdict): boolean =>
  outcome === 'violated' || outcome === 'suite-fault' || (owed && outcome !== 'upheld' && outcome !== 'inapplicable')

const runOnce = async (seed: number): Promise<Flake | null> => {
  await using mock = await createMock({ seed })
  const { url } = await mock.listen({ port: 0 })
  // One request at a time, or as many as the command sends by default.
  const concurrency = seed % 2 === 0 ? 8 : 1
  for await (const event of run(referenceProfile(url), { tier: 'gate', seed, concurrency })) {
    if (event.type !== 'finished') continue
    const { outcome, verdicts } = judge(event.trace, { strict: true })
    const odd = verdicts.filter(isOdd)
    if (outcome === 'conformant' && odd.length === 0) return null
    return { seed, outcome, verdicts: odd.map((one) => `${one.requirement} ${one.operation} ${one.outcome}`) }
  }
  return { seed, outcome: 'no trace', verdicts: [] }
}

if (process.argv[1] === import.meta.filename) {
  const [count = 1000, firstSeed = 1] = process.argv.slice(2).map(Number)
  const flakes = await repeatGate(count, firstSeed, (done) => {
    if (done % 50 === 0) console.error(`${done} of ${count}`)
  })
  for (const flake of flakes) console.log(JSON.stringify(flake))
  console.log(`${count} gate runs, ${flakes.length} not clean`)
  process.exitCode = flakes.length === 0 ? 0 : 1
}
