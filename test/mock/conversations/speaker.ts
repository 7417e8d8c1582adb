/**
 * Sends the conversations of the tests and notes every answer with status and bytes. For a stream it notes the pieces
 * in which it came. Given the notes of a faithful mock, it stops at the first answer that differs.
 */

import type { Deviation } from '../../../mock-server/exchange/hooks.ts'
import { createMock, type Mock } from '../../../mock-server/mock.ts'
import { isObject } from '../../../mock-server/overrides/json-edit.ts'
import type { Json, JsonObject } from '../../../mock-server/scenario/scenario.ts'
import type { ThreadSeed } from '../../../mock-server/worlds/seed-thread.ts'

interface HeardResponse {
  readonly text: string
  readonly json: JsonObject
}

export interface Speaker {
  get(path: string, headers?: Headers): Promise<HeardResponse>
  post(path: string, body: unknown, headers?: Headers): Promise<HeardResponse>
  put(url: string, body: string, headers?: Headers): Promise<HeardResponse>
  /** Acts while a streamed run is told to a client that does not read yet. */
  whileTold(path: string, act: () => Promise<unknown>): Promise<void>
  /** Leaves a streamed run before its first piece is read. */
  leave(path: string): Promise<void>
  /** Lets so many seconds pass. */
  pass(seconds: number): Promise<void>
  /** Adds a message to a thread. */
  say(thread: string, role: string, content: string, more?: JsonObject): Promise<HeardResponse>
  /** A new thread's id. */
  thread(assistant?: string): Promise<string>
  /** A thread with messages in it, without an exchange. */
  seeded(seed: ThreadSeed): string
  /** Id of an assistant by its name. */
  assistant(name: string): string
  /** Body of a completion. */
  asks(content: string, more?: JsonObject): JsonObject
}

export type Conversation = (speaker: Speaker) => Promise<void>
type Headers = Readonly<Record<string, string>>

/** The first answer that differs from what a faithful mock said. */
class Difference extends Error {}

/** What a mock with these overrides says in a conversation, until it differs from `faithful`. */
export async function notesOf(
  conversation: Conversation,
  overrides: readonly Deviation[],
  faithful: readonly string[] | null = null,
): Promise<{ readonly notes: readonly string[]; readonly differs: boolean; readonly faults: readonly unknown[] }> {
  await using mock = await createMock({ clock: { mode: 'frozen' }, deviations: overrides })
  const notes: string[] = []
  const note = (text: string) => {
    notes.push(text)
    if (faithful !== null && text !== faithful[notes.length - 1]) throw new Difference()
  }
  const outcome = await conversation(speakerOf(mock, note)).then(
    () => faithful !== null && notes.length !== faithful.length,
    (cause: unknown) => {
      if (cause instanceof Difference) return true
      throw cause
    },
  )
  const faults = mock.journal
    .query()
    .flatMap(({ scenarioFault, mockFault }) => [scenarioFault, mockFault].filter((fault) => fault !== null))
  return { notes, differs: outcome, faults }
}

function speakerOf(mock: Mock, note: (text: string) => void): Speaker {
  const open = async (method: string, path: string, body: unknown, headers: Headers): Promise<Response> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const all = Object.entries({ 'api-key': 'acs-demo-primary', ...headers }).filter(([, value]) => value !== '(none)')
    return mock.fetch(path, {
      method,
      headers: Object.fromEntries(all),
      ...(body === undefined ? null : { body: text }),
    })
  }
  const listen = async (name: string, response: Response): Promise<HeardResponse> => {
    const { pieces, bytes } = await read(response)
    note(`${name} ${response.status} ${pieces} ${bytes.toString('latin1')}`)
    return { text: bytes.toString(), json: parsed(bytes.toString()) }
  }
  const send = async (method: string, path: string, body: unknown, headers: Headers = {}): Promise<HeardResponse> =>
    listen(`${method} ${path}`, await open(method, path, body, headers))
  const assistant = (name: string) => {
    const all = mock.scenario.tenants.flatMap(({ assistants }) => assistants)
    return all.find((one) => one.name === name)?.id ?? 'no such assistant'
  }
  const self: Speaker = {
    assistant,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (url, body, headers) => send('PUT', url, body, headers),
    async whileTold(path, act) {
      const response = await open('POST', path, {}, {})
      await act()
      await listen(path, response)
    },
    async leave(path) {
      const response = await open('POST', path, {}, {})
      await response.body?.cancel()
    },
    pass: async (seconds) => void (await mock.clock.advance(seconds * 1000)),
    say: (thread, role, content, more = {}) => self.post(`/v1/threads/${thread}/messages`, { role, content, ...more }),
    seeded: (seed) => mock.main.seedThread(seed).id,
    asks: (content, more = {}) => ({ assistant_id: assistant('Echo'), messages: [{ role: 'user', content }], ...more }),
    async thread(name) {
      const { json } = await self.post('/v1/threads', name === undefined ? {} : { assistant_id: assistant(name) })
      return String(json.id)
    },
  }
  return self
}

async function read(response: Response): Promise<{ readonly pieces: number; readonly bytes: Buffer }> {
  const all: Uint8Array[] = []
  if (response.body !== null) for await (const piece of response.body) all.push(piece)
  return { pieces: all.length, bytes: Buffer.concat(all) }
}

function parsed(text: string): JsonObject {
  try {
    const json = JSON.parse(text) as Json
    return isObject(json) ? json : { list: json }
  } catch {
    return {}
  }
}
