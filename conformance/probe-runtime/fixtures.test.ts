/** Which assistant a probe gets, and when a thread counts as read. */
import { expect, test } from 'vitest'
import type { TargetProfile } from '../profile/target-profile.ts'
import type { AssistantSummary } from './assistant-summary.ts'
import { createFixtures, mostDemandingAssistant, simplestAssistant } from './fixtures.ts'
import type { Answer } from './probe-response.ts'

const assistant = (id: string, streaming: boolean, ...required: readonly string[]): AssistantSummary => ({
  id,
  streaming,
  requires: { __root__: required },
})
const profile = { assistants: { '*': { body: { user_data: {} } } }, tools: null } as unknown as TargetProfile
const assistants = [
  assistant('plain', true),
  assistant('much', true, 'a', 'b'),
  assistant('little', true, 'a'),
  assistant('whole', false, 'a', 'b', 'c'),
]

test('the demanding assistant streams and requires most', () => {
  expect(mostDemandingAssistant(assistants, profile)?.id).toBe('much')
})

test('the plain assistant is one to which the profile gives no fields of its own', () => {
  const named = { assistants: { plain: { body: { user_data: {} } } }, tools: null } as unknown as TargetProfile
  const others = [assistant('plain', true), assistant('other', true)]
  expect(simplestAssistant(others, named)?.id).toBe('other')
})

test('of several plain assistants the one that promises most is asked, unless the profile tells it apart', () => {
  const promising = (id: string, promised: number, ...required: readonly string[]): AssistantSummary => ({
    ...assistant(id, true, ...required),
    promised,
  })
  const cards = [promising('bare', 0), promising('rich', 2003), promising('demanding', 9009, 'user_data')]
  const open = { assistants: {}, tools: null } as unknown as TargetProfile
  const narrow = { assistants: { rich: { prompt: 'Is it binding?' } }, tools: null } as unknown as TargetProfile
  expect(simplestAssistant(cards, open)?.id).toBe('rich')
  expect(simplestAssistant(cards, narrow)?.id).toBe('bare')
})

test('where the profile fills nothing in, or nothing is required, the plain assistant stands in', () => {
  expect(mostDemandingAssistant(assistants, { ...profile, assistants: {} })?.id).toBe('plain')
  expect(mostDemandingAssistant(assistants.slice(0, 1), profile)?.id).toBe('plain')
})

test('a shared thread is fresh for all probes until one of them has written to it', async () => {
  const ids = ['t1', 't2']
  const next = async () => ({ id: ids.shift(), holds: 'empty' })
  const threads = { next } as unknown as Parameters<typeof createFixtures>[0]['threads']
  const fixtures = createFixtures({ profile, send: () => Promise.reject(new Error('nothing is asked')), threads })
  const shared = () => fixtures.shareThread('runs', 'primary', assistant('plain', true))
  const told = (thread: string, outcome: Answer['outcome']): void =>
    fixtures.learn({ outcome, json: {}, lines: [] } as unknown as Answer, 'createMessage', {
      in: { thread_id: thread },
    })
  expect(await shared()).toEqual({ id: 't1', fresh: true, empty: true })
  told('t1', 'rejected')
  expect(await shared()).toEqual({ id: 't1', fresh: true, empty: true })
  told('t1', 'accepted')
  expect(await shared()).toEqual({ id: 't1', fresh: false, empty: false })
  fixtures.giveUp('t1')
  expect(await shared()).toEqual({ id: 't2', fresh: true, empty: true })
})

test('a list that is refused does not count as having read the thread', async () => {
  const threads = { next: async () => ({ id: 't', holds: 'empty' }) } as unknown as Parameters<
    typeof createFixtures
  >[0]['threads']
  const fixtures = createFixtures({ profile, send: () => Promise.reject(new Error('nothing is asked')), threads })
  await fixtures.openThread('primary', assistant('plain', true))
  const told = (outcome: Answer['outcome'], operation: 'createMessage' | 'listMessages'): number | undefined => {
    fixtures.learn({ outcome, json: {}, lines: [] } as unknown as Answer, operation, { in: { thread_id: 't' } })
    return fixtures.touched()[0]?.unseen
  }
  expect(told('rejected', 'createMessage')).toBe(1)
  expect(told('accepted', 'createMessage')).toBe(3)
  expect(told('rejected', 'listMessages')).toBe(3)
  expect(told('accepted', 'listMessages')).toBe(0)
})
