/** Plans: within their caps, honest about what they leave out, the same for the same input. */
import { expect, test } from 'vitest'
import { conformanceLevels } from '../../spec/index.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import { planRun } from './plan.ts'
import { renderPlan } from './render-plan.ts'

const profile: TargetProfile = {
  baseUrl: 'http://acs.test',
  tenants: { primary: { key: 'a' }, secondary: { key: 'b' }, throttled: { key: 'c' } },
  claims: conformanceLevels,
  threads: { kind: 'http', method: 'POST', path: '/v1/threads', pointer: '/id' },
  runBody: {},
  assistants: {},
  tools: {
    prompt: 'What is the weather?',
    callIds: '/tool_calls/*/id',
    resultField: 'tool_call_id',
    assistantMessage: { tool_calls: [{ id: '{{tool_call_id}}' }] },
  },
  throttle: { requests: 8 },
  provoke: {},
  declares: {},
  budget: { timeoutMs: 1000, maxBodyBytes: 1_000_000 },
}
const ids = (plan: ReturnType<typeof planRun>) => plan.probes.map(({ id }) => id)

test('gate gives every owed obligation of a full profile a witness', () => {
  const plan = planRun(profile, { tier: 'gate' })
  expect(plan.unexercised).toEqual([])
  expect(plan.owed).toBeGreaterThan(400)
})

test.each(['smoke', 'gate', 'deep'] as const)('the plan of %s stays within its caps', (tier) => {
  const { exchanges, modelCalls, caps } = planRun(profile, { tier })
  expect(exchanges).toBeLessThanOrEqual(caps.maxExchanges ?? Number.POSITIVE_INFINITY)
  expect(modelCalls).toBeLessThanOrEqual(caps.maxModelCalls ?? Number.POSITIVE_INFINITY)
})

test('smoke touches every claimed level', () => {
  const plan = planRun(profile, { tier: 'smoke' })
  for (const chapter of ['completions', 'streams', 'threads', 'tools', 'files', 'tenancy'])
    expect(plan.probes.map((probe) => probe.chapter)).toContain(chapter)
})

test('smoke takes its first looks, which no heavier tier plays', () => {
  const isFirst = (id: string): boolean => /\.(first|last)-/.test(id)
  expect(ids(planRun(profile, { tier: 'smoke' })).filter(isFirst)).toHaveLength(24)
  expect(ids(planRun(profile, { tier: 'deep' })).filter(isFirst)).toEqual([])
})

test('what a first look leaves out stays open in smoke, facet by facet', () => {
  const { unexercised } = planRun(profile, { tier: 'smoke' })
  const open = unexercised.filter(({ requirement }) => requirement === 'files.user-id-refused')
  expect(open.map(({ facet }) => facet)).toEqual(['slash', 'comma', 'plus', 'non-ascii', 'empty'])
})

test('without tools smoke keeps to five model calls, the last of them behind every refusal', () => {
  const claims = conformanceLevels.filter((level) => level !== 'tools')
  const plan = planRun({ ...profile, tools: null, claims }, { tier: 'smoke' })
  const behindLast = plan.probes.slice(plan.probes.findLastIndex(({ modelCalls }) => modelCalls > 0) + 1)
  expect(plan.modelCalls).toBeLessThanOrEqual(5)
  expect(behindLast.map(({ id }) => id)).toEqual(['threads.final-look'])
})

test('a rare probe for which a large quota leaves no room is on standby, and the bill holds it', () => {
  const plan = planRun({ ...profile, throttle: { requests: 30 } }, { tier: 'gate' })
  expect(plan.standby.map(({ id }) => id)).toContain('tenancy.left-before-answer')
  expect(ids(plan)).not.toContain('tenancy.left-before-answer')
  expect(renderPlan(plan)).toMatch(/only if requests are left:[\s\S]*\n {2}tenancy\.left-before-answer/)
  expect(plan.exchanges).toBe(plan.caps.maxExchanges)
  expect(planRun(profile, { tier: 'gate', maxModelCalls: 3, shard: { index: 1, of: 2 } }).standby).toEqual([])
})

test('what is left goes to those ahead, then to the cheap probes first, so that more of them play', () => {
  const { standby } = planRun(profile, { tier: 'gate' })
  const ahead = ['files.last-upload', 'files.other-types', 'pagination.filled-thread', 'pagination.first-cursor']
  expect(standby.slice(0, 4).map(({ id }) => id)).toEqual(ahead)
  const costs = standby.slice(4).map(({ exchanges }) => exchanges)
  expect(standby.map(({ id }) => id)).toContain('files.user-id-ranges')
  expect(costs).toEqual(costs.toSorted((one, other) => one - other))
  expect(costs[0]).toBeLessThan(costs.at(-1) ?? 0)
})

test('a tighter cap on model calls is kept, and what it leaves open is named with the reason', () => {
  const plan = planRun(profile, { tier: 'gate', maxModelCalls: 3 })
  expect(plan.modelCalls).toBeLessThanOrEqual(3)
  expect(plan.unexercised.length).toBeGreaterThan(0)
  expect(new Set(plan.unexercised.map(({ reason }) => reason))).toEqual(new Set(['budget']))
})

test('where no client can write a tool call, an assistant is paid for asking', () => {
  const { assistantMessage: _, ...asked } = profile.tools ?? { callIds: '', resultField: '' }
  const plan = planRun({ ...profile, tools: asked }, { tier: 'gate' })
  expect(ids(plan)).toContain('tools.asked-matching')
  expect(ids(planRun(profile, { tier: 'gate' }))).not.toContain('tools.asked-matching')
  expect(plan.unexercised).toEqual([])
})

test('without model calls only free probes play', () => {
  const plan = planRun(profile, { maxModelCalls: 0 })
  expect(plan.probes.every(({ modelCalls }) => modelCalls === 0)).toBe(true)
  expect(ids(plan)).toContain('pagination.burst')
})

test('without a source of threads their obligations are open for want of a fixture, never silently gone', () => {
  const plan = planRun({ ...profile, threads: null }, { tier: 'gate' })
  const open = plan.unexercised.filter(({ requirement }) => requirement === 'threads.create-echoes')
  expect(open.map(({ reason }) => reason)).toEqual(['no-fixture', 'no-fixture'])
})

test.each([
  ['core'],
  ['core', 'streaming'],
  ['core', 'events'],
  ['core', 'threads'],
  ['core', 'threads', 'tools'],
  ['core', 'threads', 'streaming'],
  ['core', 'files'],
  ['core', 'tenancy'],
] as const)('whatever is claimed, gate exercises all that it owes, case %#', (...claims) => {
  const plan = planRun({ ...profile, claims }, { tier: 'gate' })
  expect(plan.unexercised).toEqual([])
  expect(ids(plan).some((id) => id === 'files.grant')).toBe((claims as readonly string[]).includes('files'))
})

test('a glob picks the probes that exercise it, with those that they build on', () => {
  const plan = planRun(profile, { tier: 'gate', only: 'threads.completion-thread-closed' })
  expect(ids(plan)).toEqual(['completions.answer', 'threads.completion-closed'])
  expect(plan.owed).toBe(1)
})

test('shards share the work and lose none of it', () => {
  const whole = ids(planRun(profile, { tier: 'gate' }))
  const parts = [1, 2, 3].map((index) => ids(planRun(profile, { tier: 'gate', shard: { index, of: 3 } })))
  expect(new Set(parts.flat())).toEqual(new Set(whole))
  for (const part of parts) expect(part.length).toBeLessThan(whole.length)
})

test('probes that build on others come after them', () => {
  const order = ids(planRun(profile, { tier: 'gate' }))
  expect(order.indexOf('completions.answer')).toBeLessThan(order.indexOf('threads.completion-closed'))
  expect(order.at(-1)).toBe('threads.final-look')
})

test('the same profile and options give the same plan', () => {
  expect(planRun(profile, { tier: 'deep', seed: 3 })).toEqual(planRun(profile, { tier: 'deep', seed: 3 }))
})

test('a plan is printed with its bill, its time at the given rate and what stays open', () => {
  const budget = { ...profile.budget, ratePerMinute: 120 }
  const plan = planRun({ ...profile, budget, claims: ['core'] }, { only: 'auth.*-*-*', maxExchanges: 2 })
  expect(renderPlan(plan)).toMatchInlineSnapshot(`
    "tier gate: plans 2 requests (cap 2) and 0 model calls (cap 20)
    reserve for retries and for invalid requests that the target accepts: at most 0 requests, 6 model calls
    about 1 s at 120 requests a minute
    1 of 5 required obligations are tested

      auth.header-name                        2 requests    0 model calls

    4 are not tested:
      left out by cap or tier: auth.unknown-key: It does not fit into 2 exchanges and 20 model calls.
        auth.unknown-key-refused createChatCompletion
        auth.unknown-key-refused listAssistants
        auth.unknown-key-refused getAssistant
        auth.unknown-key-refused listMyApiKeys
    "
  `)
})
