/** Laws of pages. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock } from '../mock.ts'

const mock = await createMock({ clock: { mode: 'frozen' } })
const primary = mockClient(mock.main, mock)
const contents = Array.from({ length: 250 }, (_, index) => `m${index}`)
const thread = mock.main.seedThread({ messages: contents.map((content) => ({ role: 'user', content })) }).id

async function readAll(limit: string, between: () => Promise<unknown> = async () => {}): Promise<readonly string[]> {
  const read: string[] = []
  let cursor: string | null = null
  do {
    const page = await primary.get(
      `/v1/threads/${thread}/messages?${limit}${cursor === null ? '' : `&cursor=${cursor}`}`,
    )
    expect(page.status).toBe(200)
    read.push(...page.json.items.map((item: { content: string }) => item.content))
    cursor = page.json.cursor
    await between()
  } while (cursor !== null)
  return read
}

test('pages of every size together are the thread, newest first, each message once', async () => {
  const expected = [...contents].reverse()
  for (const limit of ['limit=1000', 'limit=250', 'limit=249', 'limit=100', 'limit=7', '']) {
    expect(await readAll(limit)).toEqual(expected)
  }
})

test('the default page has 100 messages and the last one a null cursor', async () => {
  const page = await primary.get(`/v1/threads/${thread}/messages`)
  expect(page.json.items).toHaveLength(100)
  expect(typeof page.json.cursor).toBe('string')
  const exact = await primary.get(`/v1/threads/${thread}/messages?limit=250`)
  expect(exact.json.cursor).toBeNull()
  const empty = await primary.get(`/v1/threads/${await primary.thread()}/messages`)
  expect(empty.json).toEqual({ cursor: null, items: [] })
})

test('limits outside 1 to 1000, and what is no whole number, are validation errors', async () => {
  const types: Readonly<Record<string, string>> = {
    '0': 'greater_than_equal',
    '-1': 'greater_than_equal',
    '1001': 'less_than_equal',
    abc: 'int_parsing',
    '1.5': 'int_parsing',
    '1e2': 'int_parsing',
    '0x10': 'int_parsing',
    '': 'int_parsing',
    [`1${'0'.repeat(5000)}`]: 'int_parsing',
  }
  for (const [limit, type] of Object.entries(types)) {
    const refused = await primary.get(`/v1/threads/${thread}/messages?limit=${limit}`)
    expect([refused.status, refused.json.detail[0].loc, refused.json.detail[0].type]).toEqual([
      422,
      ['query', 'limit'],
      type,
    ])
  }
})

test("a tampered cursor and another thread's are validation errors", async () => {
  const { cursor } = (await primary.get(`/v1/threads/${thread}/messages?limit=10`)).json
  const other = await primary.thread()
  for (const target of [`${thread}/messages?cursor=${cursor.slice(1)}A`, `${other}/messages?cursor=${cursor}`]) {
    const refused = await primary.get(`/v1/threads/${target}`)
    expect([refused.status, refused.json.error_code, refused.json.detail[0].loc]).toEqual([
      422,
      'validation_error',
      ['query', 'cursor'],
    ])
  }
})

test('messages that arrive while pages are read neither repeat nor hide any', async () => {
  let arrived = 0
  const read = await readAll('limit=40', async () => {
    arrived += 1
    await primary.say(thread, { role: 'user', content: `late ${arrived}` })
  })
  expect(read).toEqual([...contents].reverse())
  expect(arrived).toBe(7)
})
