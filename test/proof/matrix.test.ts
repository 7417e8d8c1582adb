/**
 * The matrix in CI: every deviation at least once and every benign variant, in this process; and two servers that share no
 * code with the mock, over a few seeds. The whole matrix in the gate tier is `acs prove`.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Proof, prove } from '../../cli/prove/proof.ts'
import { runTrials } from '../../cli/prove/run-trials.ts'
import { type Judgement, judge, run, type TargetProfile } from '../../conformance/index.ts'
import { loadDeviations, loadVariants } from '../../mock-server/index.ts'
import { startAtrium } from '../servers/atrium/index.ts'
import { startBasalt } from '../servers/basalt/index.ts'
import openPoints from './open-points.json' with { type: 'json' }

/** Seeds for the independent servers; `npm run prove` asks for twenty. */
const seeds = Array.from({ length: Number(process.env.ACS_PROVE_SEEDS ?? 3) }, (_, index) => index + 1)
const jobs = 2
const matrixTimeoutMs = 600_000

/** What `acs prove` still says against the suite or its deviations; nothing may be added, and what is mended is taken out. */
const open = { notKilled: new Set<string>(openPoints.notKilled), undeclared: new Set<string>(openPoints.undeclared) }

let smoke: Pick<Proof, 'deviations' | 'variants' | 'cards'>
let gate: Pick<Proof, 'deviations' | 'variants' | 'cards'>

/** First the cheap tier on everything, then the gate tier on what it let live, and on all variants. */
beforeAll(async () => {
  const { deviations, withoutDeviation } = await loadDeviations()
  const variants = await loadVariants()
  const names = deviations.map(({ id }) => ({ kind: 'deviation', id }) as const)
  const first = await runTrials(names, { tier: 'smoke', seed: 1, jobs })
  smoke = prove({ deviations, variants: [], trials: first, withoutDeviation }, 'smoke')
  const alive = new Set(smoke.deviations.filter(({ fate }) => fate !== 'killed').map(({ id }) => id))
  const variantNames = variants.map(({ id }) => ({ kind: 'variant', id }) as const)
  const rest = [...names.filter(({ id }) => alive.has(id)), ...variantNames]
  const trials = await runTrials(rest, { tier: 'gate', seed: 1, jobs })
  gate = prove({ deviations: deviations.filter(({ id }) => alive.has(id)), variants, trials, withoutDeviation }, 'gate')
}, matrixTimeoutMs)

test('every deviation is killed by the requirement that it violates', () => {
  const missed = gate.deviations.filter(({ id, fate }) => fate !== 'killed' && !open.notKilled.has(id))
  expect(missed.map(({ id, fate }) => `${id}: ${fate}`)).toEqual([])
})

/** The bar of the proof. */
const smokeFloor = 0.8

test('smoke kills its share of the deviations with a seventh of the requests', () => {
  const killed = smoke.deviations.filter(({ fate }) => fate === 'killed')
  expect(killed.length / smoke.deviations.length).toBeGreaterThanOrEqual(smokeFloor)
})

test('what is open is a small part, and names deviations that exist', () => {
  const ids = new Set(smoke.deviations.map(({ id }) => id))
  const share = open.notKilled.size / smoke.deviations.length
  expect([...open.notKilled, ...open.undeclared].filter((id) => !ids.has(id))).toEqual([])
  expect(share).toBeLessThan(0.1)
})

test('no variant is called violated, and each run on one is conformant', () => {
  const alarms = gate.variants.filter(({ fate }) => fate !== 'silent')
  expect(alarms.map(({ id, outcome, breaches }) => [id, outcome, ...breaches.map((one) => one.requirement)])).toEqual(
    [],
  )
})

test('what a deviation violates beside its own requirement, it declares', () => {
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
  '%s is conformant, also in a strict run, whatever the seed',
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
