/** Which assistant a probe gets, and when a thread counts as read. */
import { expect, test } from 'vitest'
import type { TargetProfile } from '../profile/target-profile.ts'
import type { Answer } from './answer.ts'
import type { AssistantCard } from './assistant-card.ts'
import { createFixtures, demandingCard } from './fixtures.ts'

const card = (id: string, streaming: boolean, ...required: readonly string[]): AssistantCard => ({
  id,
  streaming,
  requires: { __root__: required },
})
const profile = { assistants: { '*': { body: { user_data: {} } } }, tools: null } as unknown as TargetProfile
const cards = [
  card('plain', true),
  card('much', true, 'a', 'b'),
  card('little', true, 'a'),
  card('whole', false, 'a', 'b', 'c'),
]

test('the demanding assistant streams and requires most', () => {
  expect(demandingCard(cards, profile)?.id).toBe('much')
})

test('where the profile fills nothing in, or nothing is required, the plain assistant stands in', () => {
  expect(demandingCard(cards, { ...profile, assistants: {} })?.id).toBe('plain')
  expect(demandingCard(cards.slice(0, 1), profile)?.id).toBe('plain')
})

test('a list that is refused does not count as having read the thread', async () => {
  const threads = { next: async () => ({ id: 't', holds: 'empty' }) } as unknown as Parameters<
    typeof createFixtures
  >[0]['threads']
  const fixtures = createFixtures({ profile, send: () => Promise.reject(new Error('nothing is asked')), threads })
  await fixtures.openThread('primary', card('plain', true))
  const told = (outcome: Answer['outcome'], operation: 'createMessage' | 'listMessages'): number | undefined => {
    fixtures.learn({ outcome, json: {}, lines: [] } as unknown as Answer, operation, { in: { thread_id: 't' } })
    return fixtures.touched()[0]?.unseen
  }
  expect(told('accepted', 'createMessage')).toBe(1)
  expect(told('rejected', 'listMessages')).toBe(1)
  expect(told('accepted', 'listMessages')).toBe(0)
})
