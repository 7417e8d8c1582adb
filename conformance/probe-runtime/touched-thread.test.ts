/** Which question is asked again for a message without sources. */
import { expect, test } from 'vitest'
import type { TargetProfile } from '../profile/target-profile.ts'
import type { Answer } from './probe-response.ts'
import { askedForBareMessage, counted, fragileUnstreamed, type TouchedThread } from './touched-thread.ts'

const thread = (change: Partial<TouchedThread>): TouchedThread => ({
  id: 't',
  tenant: 'primary',
  createdBy: null,
  turns: 0,
  added: 0,
  unseen: 0,
  by: 'probe',
  sentAs: 1,
  ...change,
})
const whole = thread({ createdBy: 'createChatCompletion', asked: { n: 1 }, quotes: true })
const streamed = thread({ createdBy: 'streamChatCompletion', asked: { n: 2 }, quotes: false })
const run = thread({ said: 'Two', saidForBare: 'One' })

test('what a stream answered without sources is asked as a whole completion, or what a run answered so', () => {
  expect(askedForBareMessage([whole, run, streamed])).toEqual({ asked: { n: 2 } })
  expect(askedForBareMessage([whole, run])).toEqual({ said: 'One' })
})

test('where a whole completion came without sources, or nothing did, nothing is left to ask', () => {
  expect(askedForBareMessage([{ ...whole, quotes: false, tenant: 'secondary' }, streamed, run])).toBeNull()
  expect(askedForBareMessage([whole, { ...streamed, quotes: true }])).toBeNull()
  expect(askedForBareMessage([whole, { ...streamed, tenant: 'secondary' }])).toBeNull()
})

test('answers with fragile characters are looked for that no text stream has shown, those with most of them first', () => {
  const [few, many] = [thread({ text: 'é', createdBy: 'createChatCompletion' }), thread({ text: 'ééé' })]
  const others = [thread({ text: 'e' }), thread({ text: 'éé', tenant: 'secondary' })]
  expect(fragileUnstreamed([few, ...others, many])).toEqual([many, few])
  expect(fragileUnstreamed([few, { ...streamed, text: 'é', tenant: 'secondary' }, many])).toEqual([many])
  const broken = thread({ text: 'e\ne' })
  expect(fragileUnstreamed([few, { ...streamed, text: 'é' }, many, broken])).toEqual([broken, many])
  const asked = { assistant_id: 'a', messages: [{ content: 'And now?' }] }
  const cut = { size: 4, measure: { lengthOf: ({ length }: string) => length, unit: '?' } }
  const quoting = { ...streamed, asked, text: 'You ask: And now?', cut }
  expect(fragileUnstreamed([few, quoting])).toEqual([])
})

test('the first cursor of a thread is kept with the limit of its page, unless that is no number', () => {
  const profile = { files: undefined, tools: null } as unknown as TargetProfile
  const page = (cursor: string | null): Answer =>
    ({ outcome: 'accepted', json: { cursor, items: [] }, exchange: {} }) as unknown as Answer
  const listed = (one: TouchedThread, cursor: string | null, limit?: string): TouchedThread =>
    counted(one, page(cursor), 'listMessages', limit === undefined ? {} : { query: [['limit', limit]] }, profile)
  const none = listed(listed(thread({}), null), 'odd', 'many')
  expect(none.firstCursor).toBeUndefined()
  expect(listed(none, 'a').firstCursor).toEqual({ cursor: 'a', limit: null })
  expect(listed(listed(none, 'b', '7'), 'c').firstCursor).toEqual({ cursor: 'b', limit: 7 })
})
