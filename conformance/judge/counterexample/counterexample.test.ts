/** Laws of witnesses: as short as possible, complete, and cut without asking again. */
import { expect, test } from 'vitest'
import { complete, mapped } from '../../../test/trace-builder/file-exchanges.ts'
import { assistantIds, rejectedWith, uuid } from '../../../test/trace-builder/sample-data.ts'
import { TraceBuilder } from '../../../test/trace-builder/trace-builder.ts'
import type { Counterexample } from '../verdict.ts'

const witnessOf = (trace: TraceBuilder, requirement: string): Counterexample | undefined =>
  trace.judge().verdicts.find((verdict) => verdict.requirement === requirement && verdict.outcome === 'violated')
    ?.witness

test('a story holds the producers of the ids that it uses, and what was added later and is not missed', () => {
  const trace = new TraceBuilder().assistants()
  trace.thread()
  const thread = trace.thread()
  trace.complete()
  trace.add(thread, 'user', 'The first message.')
  trace.add(thread, 'user', 'The second message.')
  const items = (trace.list(thread).items as readonly object[]).slice(0, 1)
  trace.list(thread, { body: { cursor: null, items } })
  const witness = witnessOf(trace, 'threads.created-is-listed')
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
  const trace = new TraceBuilder().assistants()
  trace.list(uuid(99))
  expect(witnessOf(trace, 'threads.unknown-thread-error')?.steps.at(-1)).toEqual({
    exchange: 'E2',
    name: 'list the messages',
    shows: '200 success; expected a rejection, got 200 success',
  })
})

test('a page behind a cursor brings the page that handed it out, and the messages that there are to list', () => {
  const trace = new TraceBuilder().assistants()
  const thread = trace.thread()
  for (const text of ['The first.', 'The second.', 'The third.']) trace.add(thread, 'user', text)
  trace.list(thread)
  const first = trace.list(thread, { query: '?limit=1' })
  trace.list(thread, { query: '?limit=1&cursor=1', body: { cursor: '2', items: first.items } })
  const steps = witnessOf(trace, 'pagination.cursor-continues')?.steps.map(({ exchange }) => exchange)
  expect(steps).toEqual(['E1', 'E2', 'E3', 'E4', 'E5', 'E7', 'E8'])
})

test('a run brings the question that it answers, and not the whole conversation', () => {
  const trace = new TraceBuilder().assistants()
  const thread = trace.thread()
  for (const text of ['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.']) trace.add(thread, 'system', text)
  trace.add(thread, 'user', 'The question.')
  for (const text of ['Seven.', 'Eight.', 'Nine.', 'Ten.', 'Eleven.', 'Twelve.']) trace.add(thread, 'assistant', text)
  trace.run(thread)
  const items = (trace.list(thread).items as readonly object[]).slice(1)
  trace.exchanges.pop()
  trace.list(thread, { body: { cursor: null, items } })
  const steps = witnessOf(trace, 'threads.run-appends-answer')?.steps.map(({ exchange }) => exchange)
  expect(steps).toEqual(['E1', 'E2', 'E9', 'E10', 'E11', 'E12', 'E13', 'E14', 'E15', 'E16', 'E17'])
})

test('a message with a file brings the upload and the status that says complete, as a run on it does', () => {
  const trace = new TraceBuilder(mapped).assistants()
  const thread = trace.thread()
  trace.add(thread, 'user', 'See the file.', { more: { attachments: [{ file_id: complete(trace) }] } })
  trace.run(thread, 'The answer.', { with: { content: 7 } })
  const witness = witnessOf(trace, 'resources.message-fields')
  expect(witness?.steps.map(({ name }) => name)).toEqual([
    'list the assistants',
    'make a thread',
    'ask for an upload grant',
    'upload the file',
    'ask for the status of the file',
    'add a message of role user',
    'run the thread',
  ])
})

test('a refusal that should not be brings the requests that were refused before it, one of each kind', () => {
  const trace = new TraceBuilder({ profile: { runBody: { assistant_id: '{{assistant_id}}' } } }).assistants()
  const thread = trace.thread()
  trace.add(thread, 'user', 'The question.')
  const run = (assistant_id: string, code: string) =>
    trace.send('runThread', { in: { thread_id: thread }, json: { assistant_id } }, null, rejectedWith(code, 403))
  run(uuid(98), 'assistant_not_available')
  run(uuid(99), 'assistant_not_available')
  run(assistantIds.plain, 'bad_request')
  const witness = witnessOf(trace, 'http.operation-served')
  expect(witness?.steps.map(({ exchange, name }) => `${exchange} ${name}`)).toEqual([
    'E1 list the assistants',
    'E2 make a thread',
    'E3 add a message of role user',
    'E5 run the thread',
    'E6 run the thread',
  ])
})
