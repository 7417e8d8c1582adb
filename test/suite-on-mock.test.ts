/** Tests the suite on the mock over HTTP: no violation, the budget is kept, the plan is fulfilled. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { referenceProfile } from '../cli/reference-profile.ts'
import {
  type Judgement,
  judge,
  type Plan,
  planRun,
  run,
  stateCoverage,
  type TargetProfile,
  type Trace,
} from '../conformance/index.ts'
import { neverExercised } from '../conformance/judge/unexercised-reason.ts'
import { createMock } from '../mock-server/index.ts'

interface Outcome {
  readonly plan: Plan
  readonly trace: Trace
  readonly judgement: Judgement
}

const opened: (() => Promise<void>)[] = []
const outcomes = new Map<string, Outcome>()

const runOnMock = async (tier: 'smoke' | 'gate' | 'deep'): Promise<Outcome> => {
  const mock = await createMock({})
  const listener = await mock.listen({ port: 0, host: '127.0.0.1' })
  opened.push(async () => {
    await listener.close()
    await mock[Symbol.asyncDispose]()
  })
  const profile: TargetProfile = referenceProfile(listener.url)
  for await (const event of run(profile, { tier, seed: 11 })) {
    if (event.type === 'finished')
      return { plan: planRun(profile, { tier }), trace: event.trace, judgement: judge(event.trace) }
  }
  throw new Error('the run ended without a trace')
}
const outcomeOf = (tier: string): Outcome => {
  const outcome = outcomes.get(tier)
  if (outcome === undefined) throw new Error(`no run of ${tier}`)
  return outcome
}

beforeAll(async () => {
  for (const tier of ['smoke', 'gate', 'deep'] as const) outcomes.set(tier, await runOnMock(tier))
})
afterAll(async () => {
  for (const close of opened) await close()
})

const notable = (judgement: Judgement) =>
  judgement.verdicts
    .filter(({ outcome }) => outcome === 'violated' || outcome === 'suite-fault')
    .map(({ requirement, operation, facet, actual }) => ({ requirement, operation, facet, actual }))

test.each(['smoke', 'gate', 'deep'])('%s finds no violation and no fault of the suite', (tier) => {
  expect(notable(outcomeOf(tier).judgement)).toEqual([])
})

test('gate is conformant and exercises every obligation of the full profile', () => {
  const { judgement, plan } = outcomeOf('gate')
  expect(plan.unexercised).toEqual([])
  expect(judgement).toMatchObject({ outcome: 'conformant', exitCode: 0 })
})

test('the judgement finds exercised what the plan says will be', () => {
  const { judgement } = outcomeOf('gate')
  const open = judgement.verdicts.filter(({ outcome }) => outcome === 'unexercised')
  const isExpected = /^no-fixture: The profile does not say how to provoke \w+\.$/
  expect(
    open.filter(({ reason = '', owed }) => owed || (reason !== neverExercised && !isExpected.test(reason))),
  ).toEqual([])
})

test.each([
  ['smoke', 60, 7],
  ['gate', 600, 20],
  ['deep', 3000, 120],
])('%s sends at most %i requests and %i model calls', (tier, exchanges, modelCalls) => {
  const { footer } = outcomeOf(tier).trace
  expect(footer).toMatchObject({ complete: true })
  expect(footer?.exchanges).toBeLessThanOrEqual(exchanges)
  expect(footer?.modelCalls).toBeLessThanOrEqual(modelCalls)
})

test('gate reaches every state of a thread and asks every run that must be refused', () => {
  expect(stateCoverage(outcomeOf('gate').trace)).toMatchObject({
    states: { asked: 26, of: 26 },
    refusedRuns: { asked: 46, of: 46 },
  })
})

test('deep asks everything in every state', () => {
  expect(stateCoverage(outcomeOf('deep').trace)?.pairs).toEqual({ asked: 278, of: 278 })
})

test.each(['smoke', 'gate'])('every request of %s gets the answer that its probe expects', (tier) => {
  const surprising = outcomeOf(tier).trace.exchanges.filter(({ intent, response }) => {
    const refused = (response?.status ?? 0) >= 400
    return intent?.expects === 'accepted' ? refused : intent?.expects === 'rejected' && !refused
  })
  expect(surprising.map(({ id, intent }) => `${id} ${intent?.probe} ${intent?.purpose}`)).toEqual([])
})

test('the trace starts with its header and holds the exchanges in the order of sending', () => {
  const { header, exchanges } = outcomeOf('gate').trace
  expect(header).toMatchObject({ kind: 'header', seed: 11, source: 'suite' })
  expect(exchanges.map(({ id }) => id)).toEqual(exchanges.map((_, index) => `E${index + 1}`))
})

test('the trace holds no key of the profile', () => {
  const text = JSON.stringify(outcomeOf('gate').trace)
  for (const key of ['acs-demo-primary', 'acs-demo-secondary', 'acs-demo-throttled']) expect(text).not.toContain(key)
})
