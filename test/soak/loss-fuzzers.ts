/**
 * Fuzzes the end of a mock with a state directory: kills at random moments, and power cuts.
 * What was acknowledged is there once and in order; a cut without `stateSync` takes the newest only.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMock } from '../../mock-server/index.ts'
import { type MockClient, mockClient } from '../support/mock-client.ts'
import { copyAfterCut, noteSyncs } from '../support/power-cut.ts'
import { type Attempt, type Fuzzer, pick, type SeededRandom } from './fuzzer.ts'

/** What was acknowledged, thread by thread, in order. */
type Acknowledged = Map<string, string[]>

/** All messages of a thread, oldest first. */
async function listed(client: MockClient, thread: string): Promise<readonly string[]> {
  const contents: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await client.get(`/v1/threads/${thread}/messages${cursor === '' ? '' : `?cursor=${cursor}`}`)
    if (page.status !== 200) return []
    contents.push(...page.json.items.map(({ content }: { readonly content: string }) => content))
    cursor = page.json.cursor
  }
  return contents.toReversed()
}

/** What the threads of a directory list; nothing where a thread is gone. */
async function listedIn(stateDir: string, threads: readonly string[]): Promise<readonly (readonly string[])[]> {
  await using mock = await createMock({ clock: { mode: 'frozen' }, stateDir })
  const client = mockClient(mock.main, mock)
  return Promise.all(threads.map((thread) => listed(client, thread)))
}

/** What is wrong with the threads of a directory; of each at most one message more is allowed, whose answer never came. */
async function lossIn(stateDir: string, acknowledged: Acknowledged): Promise<string | null> {
  const found = await listedIn(stateDir, [...acknowledged.keys()])
  for (const [index, said] of [...acknowledged.values()].entries()) {
    const kept = found[index] ?? []
    const unasked = kept.slice(said.length)
    if (said.some((content, at) => kept[at] !== content))
      return `of ${said.length} acknowledged messages the thread lists ${kept.length}, in another way`
    if (unasked.length > 1 || (unasked.length === 1 && said.includes(unasked[0] ?? ''))) return 'a message came twice'
  }
  return null
}

const headers = { 'api-key': 'acs-demo-primary', 'content-type': 'application/json' }
const posted = async (url: string, path: string, body: unknown): Promise<string> => {
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const { id } = (await response.json()) as { readonly id: string }
  if (response.status !== 201) throw new Error(`the mock answers ${response.status}`)
  return id
}

/** Writes to a thread of its own until the connection is lost. */
async function writeUntilLost(url: string, acknowledged: Acknowledged, onWritten: () => void): Promise<void> {
  const said: string[] = []
  try {
    const thread = await posted(url, '/v1/threads', {})
    acknowledged.set(thread, said)
    for (;;) {
      const content = `message ${said.length} ${'x'.repeat((said.length * 37) % 400)}`
      await posted(url, `/v1/threads/${thread}/messages`, { role: 'user', content })
      said.push(content)
      onWritten()
    }
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
  }
}

const killed = async (random: SeededRandom, stateDir: string, acknowledged: Acknowledged): Promise<void> => {
  const script = join(import.meta.dirname, 'state-server.ts')
  const child = spawn(process.execPath, [script, stateDir, ...(random() < 0.5 ? ['--sync'] : [])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended])) as [unknown]
  if (!(line instanceof Buffer)) throw new Error(`the mock did not start: it ended with ${line}`)
  const limit = Math.floor(random() * 150)
  const turns = Math.floor(random() * 20)
  let written = 0
  const onWritten = () => {
    written += 1
    // Some turns of the loop later, so that it falls between any two steps of the mock.
    const kill = (left: number) => (left === 0 ? child.kill('SIGKILL') : setImmediate(kill, left - 1))
    if (written === limit + 1) kill(turns)
  }
  const url = line.toString().trim()
  await Promise.all(Array.from({ length: 4 }, () => writeUntilLost(url, acknowledged, onWritten)))
  await ended
}

/** A folder that lasts for an attempt. */
const inFolder =
  (attempt: (random: SeededRandom, folder: string) => Promise<string | null>): Attempt =>
  async (random) => {
    const folder = mkdtempSync(join(tmpdir(), 'acs-soak-'))
    try {
      return await attempt(random, folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

const kills: Fuzzer = {
  name: 'mocks killed at random moments while four clients write, and started again',
  goal: 2_190,
  sample: 4,
  prepare: async () => ({
    attempt: inFolder(async (random, folder) => {
      const acknowledged: Acknowledged = new Map()
      // Twice: what was read again has to survive as well.
      for (let life = 0; life < 2; life += 1) {
        await killed(random, folder, acknowledged)
        const loss = await lossIn(folder, acknowledged)
        if (loss !== null) return loss
      }
      return null
    }),
  }),
}

/** What a cut left of messages that were acknowledged one after the other in several threads. */
function holeIn(order: readonly string[], kept: ReadonlySet<string>): string | null {
  const end = order.findIndex((content) => !kept.has(content))
  const later = end < 0 ? undefined : order.slice(end).find((content) => kept.has(content))
  return later === undefined ? null : `"${later}" was kept, and "${order[end]}" before it was not`
}

const cuts: Fuzzer = {
  name: 'power cuts: logs end at what was synced, or at any byte behind it',
  goal: 2_190,
  sample: 25,
  prepare: async () => ({
    attempt: inFolder(async (random, folder) => {
      const stateDir = join(folder, 'state')
      using syncs = noteSyncs(stateDir)
      const stateSync = random() < 0.5
      await using mock = await createMock({ clock: { mode: 'frozen' }, stateDir, stateSync })
      const client = mockClient(mock.main, mock)
      const threads = [await client.thread(), await client.thread(), await client.thread()]
      const order: string[] = []
      for (let left = 1 + Math.floor(random() * 40); left > 0; left -= 1) {
        const content = `message ${order.length} ${'x'.repeat(Math.floor(random() ** 4 * 5_000))}`
        const { status } = await client.say(pick(random, threads), { role: 'user', content })
        if (status !== 201) return `a message is answered by ${status}`
        order.push(content)
      }
      const copy = join(folder, 'copy')
      copyAfterCut(stateDir, copy, { synced: syncs.sizes(), keep: random() < 0.3 ? 0 : random() })
      const kept = new Set((await listedIn(copy, threads)).flat())
      if (stateSync && kept.size < order.length) return `${order.length - kept.size} acknowledged messages are lost`
      return holeIn(order, kept)
    }),
  }),
}

export const lossFuzzers: readonly Fuzzer[] = [kills, cuts]
