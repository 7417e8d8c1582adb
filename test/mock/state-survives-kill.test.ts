/** A mock that is killed at any moment has lost no message that it acknowledged, and doubled none. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startMock } from './mock-process.ts'

const headers = { 'api-key': 'acs-demo-primary', 'content-type': 'application/json' }

async function post(
  url: string,
  path: string,
  body: unknown,
): Promise<{ readonly status: number; readonly id: string }> {
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const { id } = (await response.json()) as { readonly id: string }
  return { status: response.status, id }
}

/** Message ids of a thread, page by page. */
async function listed(url: string, thread: string): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `?cursor=${cursor}`
    const response = await fetch(`${url}/v1/threads/${thread}/messages${query}`, { headers })
    const page = (await response.json()) as {
      readonly cursor: string | null
      readonly items: readonly { id: string }[]
    }
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.cursor
  }
  return ids
}

/** A draw from 0 to below 1 that every run repeats. */
const random = (round: number) => ((round * 2_654_435_761) % 4096) / 4096

test('every acknowledged message is listed exactly once, however often the mock is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'acs-kill-'))
  const acknowledged = new Map<string, Set<string>>()
  try {
    for (let round = 1; round <= 4; round += 1) {
      await using mock = await startMock('--state', folder)
      for (const [thread, ids] of acknowledged) {
        const found = await listed(mock.url, thread)
        expect(new Set(found).size, 'a message came twice').toBe(found.length)
        expect(
          [...ids].filter((id) => !found.includes(id)),
          'a message is lost',
        ).toEqual([])
      }
      const killAfter = 40 + Math.floor(random(round) * 400)
      let total = 0
      const writer = async () => {
        const { id: thread } = await post(mock.url, '/v1/threads', {})
        const ids = new Set<string>()
        acknowledged.set(thread, ids)
        for (;;) {
          const { id, status } = await post(mock.url, `/v1/threads/${thread}/messages`, { role: 'user', content: 'x' })
          expect(status).toBe(201)
          ids.add(id)
          total += 1
          // In the middle of what the other writers are doing.
          if (total === killAfter) void mock.end('SIGKILL')
        }
      }
      const ends = await Promise.allSettled(Array.from({ length: 8 }, writer))
      // The connection is lost, nothing else.
      for (const end of ends) expect(end).toMatchObject({ reason: expect.any(TypeError) })
      expect(total).toBeGreaterThanOrEqual(killAfter)
    }
    expect([...acknowledged.values()].reduce((sum, ids) => sum + ids.size, 0)).toBeGreaterThan(400)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
