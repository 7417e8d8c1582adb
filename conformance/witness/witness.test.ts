/** Laws of witnesses: as short as possible, complete, and cut without asking again. */
import { expect, test } from 'vitest'
import { uuid } from '../trace-notation/material.ts'
import { Story } from '../trace-notation.ts'
import type { Witness } from '../verdict.ts'

const witnessOf = (story: Story, requirement: string): Witness | undefined =>
  story.judge().verdicts.find((verdict) => verdict.requirement === requirement && verdict.outcome === 'violated')
    ?.witness

test('a story holds the producers of the ids that it uses, and what was added later and is not missed', () => {
  const story = new Story().assistants()
  story.thread()
  const thread = story.thread()
  story.complete()
  story.add(thread, 'user', 'The first message.')
  story.add(thread, 'user', 'The second message.')
  const items = (story.list(thread).items as readonly object[]).slice(0, 1)
  story.list(thread, { body: { cursor: null, items } })
  const witness = witnessOf(story, 'threads.created-is-listed')
  expect(witness?.steps.map(({ exchange, name }) => `${exchange} ${name}`)).toEqual([
    'E1 list the assistants',
    'E3 make a thread',
    'E5 add a message of role user',
    'E6 add a message of role user',
    'E8 list the messages',
  ])
  expect(witness?.contradiction).toContain('E8')
})

test('the decisive step says what was expected and what came', () => {
  const story = new Story().assistants()
  story.list(uuid(99))
  expect(witnessOf(story, 'threads.unknown-thread-error')?.steps.at(-1)).toEqual({
    exchange: 'E2',
    name: 'list the messages',
    shows: '200 success; expected a rejection, got 200 success',
  })
})

test('a page behind a cursor brings the page that handed it out, and the messages that there are to list', () => {
  const story = new Story().assistants()
  const thread = story.thread()
  for (const text of ['The first.', 'The second.', 'The third.']) story.add(thread, 'user', text)
  story.list(thread)
  const first = story.list(thread, { query: '?limit=1' })
  story.list(thread, { query: '?limit=1&cursor=1', body: { cursor: '2', items: first.items } })
  const steps = witnessOf(story, 'pagination.cursor-continues')?.steps.map(({ exchange }) => exchange)
  expect(steps).toEqual(['E1', 'E2', 'E3', 'E4', 'E5', 'E7', 'E8'])
})

test('a run brings the question that it answers, and not the whole conversation', () => {
  const story = new Story().assistants()
  const thread = story.thread()
  for (const text of ['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.']) story.add(thread, 'system', text)
  story.add(thread, 'user', 'The question.')
  for (const text of ['Seven.', 'Eight.', 'Nine.', 'Ten.', 'Eleven.', 'Twelve.']) story.add(thread, 'assistant', text)
  story.run(thread)
  const items = (story.list(thread).items as readonly object[]).slice(1)
  story.exchanges.pop()
  story.list(thread, { body: { cursor: null, items } })
  const steps = witnessOf(story, 'threads.run-appends-answer')?.steps.map(({ exchange }) => exchange)
  expect(steps).toEqual(['E1', 'E2', 'E9', 'E10', 'E11', 'E12', 'E13', 'E14', 'E15', 'E16', 'E17'])
})
