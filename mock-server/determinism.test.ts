/** The same seed and the same requests give the same bytes, in whatever order the threads take turns. */
import { expect, test } from 'vitest'
import { createClock } from './clock/clock.ts'
import { createEngine } from './http/handle-request.ts'
import { derive, drawsFrom, rootKey } from './randomness/key.ts'
import { defaultScenario } from './scenario/default-scenario.ts'
import { resolveScenario } from './scenario/resolved-scenario.ts'
import { createWorld } from './worlds/world.ts'
import { createWorldRegistry } from './worlds/world-registry.ts'

const conversations = 100
const turns = 100
const cast = resolveScenario(defaultScenario)

function setUp() {
  const limits = { entries: 10, bytes: 1_000_000 }
  const make = (name: string) =>
    createWorld({
      name,
      seed: 42,
      cast,
      clock: createClock({ mode: 'frozen' }),
      overrides: [],
      journalLimits: limits,
      interfere: null,
    })
  const engine = createEngine(createWorldRegistry(make('default'), make, 0))
  return (method: string, target: string, body?: unknown): string => {
    const pieces: Uint8Array[] = []
    let status = 0
    engine.handle(
      {
        method,
        target,
        headers: { 'api-key': 'acs-demo-primary' },
        body: body === undefined ? { kind: 'none' } : { kind: 'bytes', bytes: Buffer.from(JSON.stringify(body)) },
        origin: 'http://acs.mock',
      },
      {
        head: (head) => {
          status = head.status
        },
        write: (bytes) => pieces.push(bytes) > 0,
        end: (bytes) => bytes !== undefined && pieces.push(bytes),
        reset: () => pieces.push(Buffer.from('reset')),
        whenWritable: () => {},
        whenGone: () => {},
      },
    )
    return `${status} ${Buffer.concat(pieces)}`
  }
}

/** One turn of a conversation, drawn from its number alone. */
function act(call: ReturnType<typeof setUp>, thread: string, conversation: number, turn: number): string {
  const draw = drawsFrom(derive(rootKey(conversation), 'act', turn))
  const kind = Math.floor(draw() * 6)
  const content = `c${conversation} t${turn} ${'weather '.repeat(Math.floor(draw() * 6))}\u{1f600}`
  const assistants = cast.tenants[0]?.assistants ?? []
  const assistant_id = assistants[Math.floor(draw() * 3)]?.id
  const messages = [{ role: 'user', content }]
  if (kind === 0) return call('POST', `/v1/threads/${thread}/messages`, { role: 'user', content })
  if (kind === 1) return call('POST', `/v1/threads/${thread}/run/stream`, { assistant_id })
  if (kind === 2) return call('POST', `/v1/threads/${thread}/run`, {})
  if (kind === 3) return call('GET', `/v1/threads/${thread}/messages?limit=${1 + Math.floor(draw() * 20)}`)
  if (kind === 4)
    return call('POST', '/v1/chat/completions/stream', { assistant_id, messages, user_data: { licence: 'x' } })
  return call('POST', '/v1/chat/completions', { assistant_id, messages, user_data: {} })
}

function replay(order: readonly number[]): readonly (readonly string[])[] {
  const call = setUp()
  const threads = Array.from({ length: conversations }, () => JSON.parse(call('POST', '/v1/threads', {}).slice(4)).id)
  const log: string[][] = threads.map(() => [])
  for (const conversation of order) {
    const own = log[conversation] ?? []
    own.push(act(call, threads[conversation], conversation, own.length))
  }
  return log
}

test('ten thousand requests, taken in two different orders, get the same bytes', () => {
  const oneByOne = Array.from({ length: conversations * turns }, (_, index) => Math.floor(index / turns))
  const draw = drawsFrom(rootKey(7))
  const shuffled = oneByOne
    .map((conversation) => ({ conversation, at: draw() }))
    .sort((left, right) => left.at - right.at)
  const first = replay(oneByOne)
  const second = replay(shuffled.map(({ conversation }) => conversation))
  expect(second).toEqual(first)
  const statuses = new Set(first.flat().map((answer) => answer.slice(0, 3)))
  expect(statuses).toEqual(new Set(['200', '201', '400', '422']))
})
