/**
 * Repeats gate on the mock with other seeds over real HTTP and counts runs that are not clean.
 * A suite that gates builds must not flake. `node scripts/repeat-gate.ts 1000 [first seed] [plain|again|shards]`; CI runs a few.
 */
import { referenceProfile } from '../cli/reference-profile.ts'
import { createMock } from '../mock-server/index.ts'
import { complaints, type Form, forms } from '../test/false-alarms/forms.ts'

interface Flake {
  readonly seed: number
  readonly form: Form
  readonly complaints: readonly string[]
}

interface RepeatOptions {
  /** Default: the forms in turn. */
  readonly form?: Form | undefined
  /** Told of each run that has ended, and of what it complained about, which may be nothing. */
  readonly onRun?: (done: number, run: Flake) => void
}

/** While one run waits for a stream, another computes. */
const atOnce = 3

/** Runs gate `count` times, each on a fresh mock; gives the runs that were not conformant, strictly judged. */
export const repeatGate = async (
  count: number,
  firstSeed: number,
  { form, onRun = () => {} }: RepeatOptions = {},
): Promise<readonly Flake[]> => {
  const flakes: Flake[] = []
  const waiting = Array.from({ length: count }, (_, index) => firstSeed + index).values()
  let done = 0
  const work = async (): Promise<void> => {
    for (const seed of waiting) {
      const flake = await runOnce(seed, form ?? forms[seed % forms.length] ?? 'plain')
      if (flake.complaints.length > 0) flakes.push(flake)
      done += 1
      onRun(done, flake)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return flakes
}

const runOnce = async (seed: number, form: Form): Promise<Flake> => {
  await using mock = await createMock({ seed })
  const { url } = await mock.listen({ port: 0 })
  return { seed, form, complaints: await complaints({ profile: referenceProfile(url), fetch }, form, seed) }
}

if (process.argv[1] === import.meta.filename) {
  const [count = 1000, firstSeed = 1] = process.argv.slice(2, 4).map(Number)
  const form = forms.find((one) => one === process.argv[4])
  // At once: a long row of runs may be stopped before its end.
  const onRun = (done: number, one: Flake): void => {
    if (one.complaints.length > 0) console.log(JSON.stringify(one))
    if (done % 50 === 0) console.error(`${done} of ${count}`)
  }
  const flakes = await repeatGate(count, firstSeed, { form, onRun })
  console.log(`${count} gate runs, ${flakes.length} not clean`)
  process.exitCode = flakes.length === 0 ? 0 : 1
}
