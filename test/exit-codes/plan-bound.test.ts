/** Tests that a run never sends more than its plan says. */
import { expect, test } from 'vitest'
import { subjectOf } from '../../cli/prove/mutant.ts'
import { trialClient } from '../../cli/prove/trial.ts'
import { virtualClock } from '../../cli/prove/virtual-time.ts'
import { planRun, type RunOptions, run, type TargetProfile, type Trace } from '../../conformance/index.ts'
import { createMock, type MockOptions } from '../../mock-server/index.ts'
import { requirements } from '../../spec/index.ts'
import { pick, sampleCount, sampling } from '../support/samples.ts'
import { profiles } from './sharded-run.ts'

const tiers = ['smoke', 'gate'] as const
const offers = Object.entries(profiles)

/** Each profile in each tier: whole, and narrowed to requirements that rotate. */
const narrowed = pick(
  requirements.flatMap(({ id }, index) =>
    tiers.map((tier, place) => ({ only: id, tier, offer: offers[(index + place) % offers.length]?.[0] ?? '' })),
  ),
  sampleCount('runs of one requirement against their plan'),
  sampling.seed * 37,
)
const whole = offers.flatMap(([offer]) => tiers.map((tier) => ({ only: '*', tier, offer })))

const traceOf = async (
  profile: TargetProfile,
  options: RunOptions,
  deviations: MockOptions['deviations'] = [],
): Promise<Trace> => {
  await using mock = await createMock({ seed: 1, deviations, clock: virtualClock })
  for await (const event of run(profile, { ...options, client: trialClient(mock) })) {
    if (event.type === 'finished') return event.trace
  }
  throw new Error('the run ended without a trace')
}

const profileOf = (offer: string): TargetProfile => {
  const profile = profiles[offer]
  if (profile === undefined) throw new Error(`no profile ${offer}`)
  return profile
}

test.each([...whole, ...narrowed])(
  'a $tier run of $only sends no more than its plan says: $offer',
  async ({ only, tier, offer }) => {
    const options = { tier, only, seed: sampling.seed }
    const plan = planRun(profileOf(offer), options)
    const { footer } = await traceOf(profileOf(offer), options)
    expect(footer).toMatchObject({ complete: true })
    expect(footer?.exchanges).toBeLessThanOrEqual(plan.exchanges)
    expect(footer?.modelCalls).toBeLessThanOrEqual(plan.modelCalls)
  },
)

test.each(['auth.unknown-key-asks', 'completions.answers-without-user'])(
  'a service that answers what it should refuse costs no more than the reserve on top: %s',
  async (id) => {
    const { overrides } = await subjectOf('deviation', id)
    const profile = profileOf('everything is offered')
    const { caps } = planRun(profile, { tier: 'gate' })
    const { footer } = await traceOf(profile, { tier: 'gate', seed: sampling.seed }, overrides)
    expect(footer?.exchanges).toBeLessThanOrEqual((caps.maxExchanges ?? 0) + caps.reserve.exchanges)
    expect(footer?.modelCalls).toBeLessThanOrEqual((caps.maxModelCalls ?? 0) + caps.reserve.modelCalls)
  },
)
