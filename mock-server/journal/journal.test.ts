/** Laws of the journal. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock } from '../mock.ts'
import { JournalTimeout } from './journal.ts'

test('an entry tells who asked what, and what became of it', async () => {
  const mock = await createMock({ clock: { mode: 'frozen' } })
  const primary = mockClient(mock.main, mock)
  await primary.post('/v1/threads/x/run', {})
  const [entry] = mock.journal.query()
  expect(entry).toMatchObject({
    number: 1,
    world: 'default',
    method: 'POST',
    target: '/v1/threads/x/run',
    operation: 'runThread',
    tenant: 'primary',
    status: 404,
    reason: 'threads.unknown',
    outcome: 'read-all',
    fault: null,
  })
  expect(Buffer.concat(entry?.responsePieces ?? []).toString()).toBe(
    '{"error_code":"thread_not_found","detail":"Thread not found"}',
  )
})

test('the journal keeps the latest entries within its limits of number and bytes', async () => {
  const few = await createMock({ journal: { entries: 3 } })
  for (let call = 0; call < 10; call += 1) await few.fetch(`/v1/assistants?call=${call}`)
  expect(few.journal.query().map(({ number, target }) => [number, target.at(-1)])).toEqual([
    [8, '7'],
    [9, '8'],
    [10, '9'],
  ])
  expect(few.journal.total()).toBe(10)
  const small = await createMock({ journal: { bytes: 1000 } })
  const body = 'x'.repeat(400)
  for (let call = 0; call < 10; call += 1) {
    await small.fetch('/v1/threads', { method: 'POST', body, headers: { 'api-key': 'acs-demo-primary' } })
  }
  const kept = small.journal.query()
  expect(kept.reduce((sum, entry) => sum + entry.bytes, 0)).toBeLessThanOrEqual(1000)
  expect(kept.at(-1)?.number).toBe(10)
  const none = await createMock({ journal: { entries: 0 } })
  await none.fetch('/v1/assistants')
  expect([none.journal.query(), none.journal.total()]).toEqual([[], 1])
})

test('a filter by each field finds what fits all of it', async () => {
  const mock = await createMock()
  const primary = mockClient(mock.main, mock)
  const secondary = mockClient(mock.main, mock, 'secondary')
  await primary.thread()
  await secondary.thread()
  await primary.get('/v1/nowhere')
  const count = (filter: Parameters<typeof mock.journal.query>[0]) => mock.journal.query(filter).length
  expect(count({ operation: 'createThread' })).toBe(2)
  expect(count({ operation: 'createThread', tenant: 'primary' })).toBe(1)
  expect(count({ method: 'GET' })).toBe(1)
  expect(count({ status: 404, reason: 'http.unknown-route' })).toBe(1)
  expect(count({ target: /threads$/ })).toBe(2)
  expect(count({ target: 'nowhere' })).toBe(1)
  expect(count({ outcome: 'left' })).toBe(0)
})

test('wait gives the entries as soon as there are enough, and says how many came when time is up', async () => {
  const mock = await createMock()
  const primary = mockClient(mock.main, mock)
  const two = mock.journal.wait({ operation: 'createThread' }, { count: 2 })
  await primary.thread()
  await primary.thread()
  expect(await two).toHaveLength(2)
  expect(await mock.journal.wait({ operation: 'createThread' })).toHaveLength(2)
  const late = mock.journal.wait({ operation: 'createThread' }, { count: 3, timeoutMs: 1 })
  await expect(late).rejects.toThrow(JournalTimeout)
  await expect(late).rejects.toThrow('2 of 3')
})
