/**
 * Tests the proof matrix: smoke on every deviation, and gate on what smoke missed and on the variants.
 * It also runs gate on two servers that share no code with the mock. `npm run prove` leaves nothing out.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Proof, prove } from '../../cli/prove/proof.ts'
import { type Judgement, judge, run, type TargetProfile } from '../../conformance/index.ts'
import { loadDeviations, loadVariants } from '../../mock-server/index.ts'
import { startAtrium } from '../servers/atrium/index.ts'
import { startBasalt } from '../servers/basalt/index.ts'
import { sampledTrials } from '../support/sampled-trials.ts'
import { pick, sampleCount, sampleOf, sampling } from '../support/samples.ts'
import openPoints from './open-points.json' with { type: 'json' }

/** Seeds for the independent servers. */
const seeds = pick(
  Array.from({ length: 20 }, (_, index) => index + 1),
  sampleCount('seeds for the independent servers'),
)
const matrixTimeoutMs = 3_600_000

/** What `acs prove` reports today; nothing may be added, and what is fixed is taken out. */
const open = { notKilled: new Set<string>(openPoints.notKilled), undeclared: new Set<string>(openPoints.undeclared) }

let ids: ReadonlySet<string>
let smoke: Pick<Proof, 'deviations' | 'variants' | 'cards'>
let gate: Pick<Proof, 'deviations' | 'variants' | 'cards'>

/** First smoke on a sample, then gate on a sample of what smoke missed and of the variants. */
beforeAll(async () => {
  const { deviations: all, withoutDeviation } = await loadDeviations()
  ids = new Set(all.map(({ id }) => id))
  const deviations = sampleOf('smoke runs on the deviations', all)
  const variants = await loadVariants()
  const names = deviations.map(({ id }) => ({ kind: 'deviation', id }) as const)
  const first = await sampledTrials(names, { tier: 'smoke', seed: 1 })
  smoke = prove({ deviations, variants: [], trials: first, withoutDeviation }, 'smoke')
  const alive = new Set(smoke.deviations.filter(({ status }) => status !== 'killed').map(({ id }) => id))
  const variantNames = variants.map(({ id }) => ({ kind: 'variant', id }) as const)
  const missed = names.filter(({ id }) => alive.has(id))
  const rest = [
    ...sampleOf('gate runs on the deviations that smoke missed', missed),
    ...sampleOf('gate runs on the variants', variantNames),
  ]
  const trials = await sampledTrials(rest, { tier: 'gate', seed: 1 })
  gate = prove({ deviations: deviations.filter(({ id }) => alive.has(id)), variants, trials, withoutDeviation }, 'gate')
}, matrixTimeoutMs)

test('every deviation is killed by the requirement that it violates', () => {
  const missed = gate.deviations.filter(({ id, status }) => status !== 'killed' && !open.notKilled.has(id))
  expect(missed.map(({ id, status }) => `${id}: ${status}`)).toEqual([])
})

/** The smallest share of the deviations that smoke has to kill: newer ones need the states that gate reaches. */
const smokeFloor = 0.74

test('smoke kills at least 74 % of the deviations', () => {
  const killed = smoke.deviations.filter(({ status }) => status === 'killed')
  // A sample may hold more of those that only gate finds: four standard errors below the share of all are chance.
  const chance = sampling.whole ? 0 : 4 * Math.sqrt((smokeFloor * (1 - smokeFloor)) / smoke.deviations.length)
  expect(killed.length / smoke.deviations.length).toBeGreaterThanOrEqual(smokeFloor - chance)
})

test('the open points are few and name deviations that exist', () => {
  const share = open.notKilled.size / ids.size
  expect([...open.notKilled, ...open.undeclared].filter((id) => !ids.has(id))).toEqual([])
  expect(share).toBeLessThan(0.1)
})

test('a run on a variant finds nothing violated and is conformant', () => {
  const alarms = gate.variants.filter(({ status }) => status !== 'silent')
  expect(alarms.map(({ id, outcome, breaches }) => [id, outcome, ...breaches.map((one) => one.requirement)])).toEqual(
    [],
  )
})

test('a deviation declares every other requirement that it violates', () => {
  const unexplained = [...smoke.deviations, ...gate.deviations].filter(
    (one) => one.unexplained.length > 0 && !open.undeclared.has(one.id),
  )
  expect(unexplained.map(({ id, unexplained: ids }) => `${id}: ${ids.join(', ')}`)).toEqual([])
})

const judged = async (profile: TargetProfile, seed: number): Promise<Judgement> => {
  for await (const event of run(profile, { tier: 'gate', seed })) {
    if (event.type === 'finished') return judge(event.trace, { strict: true })
  }
  throw new Error('the run ended without a trace')
}

const broken = ({ verdicts }: Judgement): readonly string[] =>
  verdicts
    .filter(({ outcome }) => outcome === 'violated' || outcome === 'suite-fault')
    .map(({ requirement, actual }) => `${requirement}: ${actual}`)

const servers = { atrium: startAtrium, basalt: startBasalt } as const
const running: { close(): Promise<void> }[] = []

afterAll(async () => {
  await Promise.all(running.map((server) => server.close()))
})

test.for(Object.entries(servers))(
  '%s is conformant in a strict run with any seed',
  { timeout: matrixTimeoutMs },
  async ([, start]) => {
    for (const seed of seeds) {
      const server = await start()
      running.push(server)
      const judgement = await judged(server.profile, seed)
      expect(broken(judgement), `seed ${seed}`).toEqual([])
      expect(judgement.outcome, `seed ${seed}: ${judgement.reason}`).toBe('conformant')
    }
  },
)
