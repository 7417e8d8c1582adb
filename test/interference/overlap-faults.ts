/**
 * Faults of servers that keep for all requests what belongs to one. They are harmless as long as requests come one after the
 * other. Each is a proxy in front of a faithful server.
 */
import type { FetchHandler } from '../../conformance/index.ts'
import { changedLines, type Json, jsonOf, type Proxied, proxied, withBody } from './proxied.ts'

export type FaultyProxy = (handler: FetchHandler) => FetchHandler

/** Resolves behind what the loop has to do now: others in flight have arrived by then. */
export const others = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Answers accepted requests that `applies` picks from what the latest of those in flight was answered. */
const mixingUp = (
  applies: (asked: Proxied) => boolean,
  mix: (own: Json, other: Json, asked: Proxied) => Json,
): FaultyProxy => {
  return (handler) => {
    const inFlight = new Set<{ body: Json | null }>()
    return proxied(handler, async (asked, pass) => {
      if (!applies(asked)) return pass()
      const mine: { body: Json | null } = { body: null }
      const met = [...inFlight]
      inFlight.add(mine)
      await others()
      const response = await pass()
      mine.body = response.status < 300 ? await jsonOf(response) : null
      await others()
      const other = [...met, ...inFlight].find((one) => one !== mine && one.body !== null)?.body
      await others()
      inFlight.delete(mine)
      return other && mine.body ? withBody(response, mix(mine.body, other, asked)) : response
    })
  }
}

const is =
  (...names: readonly string[]) =>
  (asked: Proxied) =>
    names.includes(asked.operation)
const instead = (_own: Json, other: Json): Json => other
const withFields =
  (...names: readonly string[]) =>
  (own: Json, other: Json): Json => ({ ...own, ...Object.fromEntries(names.map((name) => [name, other[name]])) })

/** Of requests that overlap on a thread, only the first is passed on; the others are acknowledged and nothing is kept. */
const lostOnThread = (applies: (asked: Proxied) => boolean, isLost: (asked: Proxied) => boolean): FaultyProxy => {
  return (handler) => {
    const inFlight = new Map<string, number>()
    return proxied(handler, async (asked, pass) => {
      if (!applies(asked)) return pass()
      const before = inFlight.get(asked.thread) ?? 0
      inFlight.set(asked.thread, before + 1)
      await others()
      const meets = (inFlight.get(asked.thread) ?? 0) > 1
      const response = meets && isLost(asked) && before > 0 ? invented(asked) : await pass()
      await others()
      inFlight.set(asked.thread, (inFlight.get(asked.thread) ?? 1) - 1)
      return response
    })
  }
}

const stamp = '2030-01-01T00:00:00.000000Z'

/** An answer as it would have been, of a message that is nowhere. */
function invented({ operation, thread, body }: Proxied): Response {
  const message = { id: crypto.randomUUID(), thread_id: thread, created_at: stamp }
  if (operation === 'createMessage') return Response.json({ ...message, ...body }, { status: 201 })
  const metaData = { type: '53aa66b7-b874-407f-967c-3a959c919d62', legal_advice: false, intent: 'question' }
  return Response.json({ ...message, role: 'assistant', content: 'Noted.', meta_data: metaData, sources: [] })
}

const streams = is('streamChatCompletion', 'streamChatCompletionEvents', 'streamThreadRun')

/** Streams that were read at once are told apart no longer; `mix` gets the chunks of one and of another. */
const mixingStreams = (mix: (own: readonly Json[], other: readonly Json[]) => readonly Json[]): FaultyProxy => {
  return (handler) => {
    const inFlight = new Set<{ lines: readonly Json[] }>()
    return proxied(handler, async (asked, pass) => {
      if (!streams(asked)) return pass()
      const mine: { lines: readonly Json[] } = { lines: [] }
      inFlight.add(mine)
      await others()
      const response = await pass()
      if (response.status >= 300) {
        inFlight.delete(mine)
        return response
      }
      const text = await response.clone().text()
      mine.lines = text
        .trimEnd()
        .split('\n')
        .map((line): Json => JSON.parse(line))
      await others()
      const other = [...inFlight].find((one) => one !== mine && one.lines.length > 0)
      const changed = other === undefined ? mine.lines : mix(mine.lines, other.lines)
      // Kept for as long as a slow stream may still be under way.
      setTimeout(() => inFlight.delete(mine), 2_000).unref()
      await others()
      return changedLines(response, changed)
    })
  }
}

const at = <T>(list: readonly T[], index: number, value: T): readonly T[] =>
  list.map((one, i) => (i === index ? value : one))

/** Faults of overlap, by what is wrong. */
export const overlapFaults: Readonly<Record<string, FaultyProxy>> = {
  'tenants at once read one record of keys': mixingUp(is('listMyApiKeys'), instead),
  'tenants at once read one key list': mixingUp(is('listMyApiKeys'), withFields('api_keys')),
  'tenants at once read one tenant id': mixingUp(is('listMyApiKeys'), withFields('id')),
  'assistants read at once are mixed up': mixingUp(is('getAssistant'), instead),
  'assistants read at once share a name': mixingUp(is('getAssistant'), withFields('name')),
  'lists of threads read at once are mixed up': mixingUp(is('listMessages'), instead),
  'lists of threads read at once share their messages': mixingUp(is('listMessages'), withFields('items')),
  'messages created at once have one id': mixingUp(is('createMessage'), withFields('id')),
  'messages created at once swap their contents': mixingUp(is('createMessage'), withFields('content')),
  'messages created at once swap their threads': mixingUp(is('createMessage'), withFields('thread_id')),
  'completions at once are answered alike': mixingUp(is('createChatCompletion'), instead),
  'completions at once name one thread': mixingUp(is('createChatCompletion'), withFields('thread_id')),
  'completions at once swap their texts': mixingUp(is('createChatCompletion'), withFields('content')),
  'runs at once are answered alike': mixingUp(is('runThread'), instead),
  'runs at once name one thread': mixingUp(is('runThread'), withFields('thread_id')),
  'runs at once share their meta_data': mixingUp(is('runThread'), withFields('meta_data')),
  'of two tool results at once one is lost': lostOnThread(is('createMessage'), ({ body }) => body.role === 'tool'),
  'of two runs at once one answer is lost': lostOnThread(is('runThread'), is('runThread')),
  'a message that comes during a run is lost': lostOnThread(is('runThread', 'createMessage'), is('createMessage')),
  'streams at once exchange a chunk': mixingStreams((own, other) => at(own, 1, other[1] ?? {})),
  'streams at once have one message_id': mixingStreams((own, other) =>
    own.map((chunk) => ({ ...chunk, message_id: other[0]?.message_id })),
  ),
  'streams at once end on the thread of the other': mixingStreams((own, other) =>
    own.map((chunk, index) => (index > 1 ? { ...chunk, thread_id: other[0]?.thread_id } : chunk)),
  ),
  'streams at once exchange a text': mixingStreams((own, other) => at(own, 2, { ...own[2], delta: other[2]?.delta })),
}
