/**
 * Plays a recording in one world: each recorded answer once, to the request that it was recorded for.
 * A request that was not recorded is answered by the machine, on the thread as it was recorded; from then on the machine
 * has that thread.
 */
import { tickOf } from '../clock/timestamp.ts'
import type { RequestInput } from '../exchange/request-input.ts'
import type { Playback, ServedRequest } from '../exchange/served-request.ts'
import type { Sink } from '../exchange/sink.ts'
import { isObject } from '../overrides/json-edit.ts'
import type { Json } from '../scenario/scenario.ts'
import type { Effect } from '../store/state-change.ts'
import { nearestExchange } from './nearest-exchange.ts'
import { playAnswer } from './play-answer.ts'
import { type RecordedExchange, type RecordedThread, sortedQuery, sortedText } from './recorded-exchange.ts'
import type { Recording } from './recording.ts'

/** The header that names the played exchange, or the nearest recorded one. */
const recordingHeader = 'x-acs-recording'

/** A playback from the beginning; `adopt` puts a recorded thread into the world. */
export function createPlayback(recording: Recording, adopt: (effect: Effect) => void): Playback {
  const byRequest = groupedByRequest(recording.exchanges)
  const played = new Set<RecordedExchange>()
  /** Threads that the machine has continued. */
  const taken = new Set<string>()
  const put = (thread: RecordedThread | undefined, exchange: ServedRequest) => {
    if (thread !== undefined && !taken.has(thread.id)) adopt(effectOf(thread, exchange))
  }
  return {
    play(exchange, sink, input) {
      const asked = askedBy(exchange, input)
      const { tenant } = input.caller
      const named = asked.threadId
      const isTaken = named !== null && taken.has(named)
      const same = byRequest.get(keyOf({ ...asked, tenant: tenant.name, method: exchange.request.method }))
      const next = isTaken ? undefined : (same?.find((one) => !played.has(one)) ?? lasting(same))
      if (next !== undefined) {
        played.add(next)
        put(recording.threads.after.get(next.id), exchange)
        playAnswer(next, exchange, sink, { [recordingHeader]: next.id })
        return null
      }
      if (named !== null && !isTaken) {
        put(recording.threads.last.get(named), exchange)
        taken.add(named)
      }
      const told = nearestExchange({ ...asked, operation: input.operation }, recording.exchanges)
      return withHeader(sink, recordingHeader, told)
    },
    restart() {
      played.clear()
      taken.clear()
    },
  }
}

function keyOf({
  tenant,
  method,
  path,
  query,
  body,
}: Pick<RecordedExchange, 'tenant' | 'method' | 'path' | 'query' | 'body'>): string {
  return `${tenant} ${method} ${path}?${query} ${body}`
}

function groupedByRequest(exchanges: readonly RecordedExchange[]): ReadonlyMap<string, readonly RecordedExchange[]> {
  const groups = new Map<string, RecordedExchange[]>()
  for (const exchange of exchanges) {
    const group = groups.get(keyOf(exchange))
    if (group === undefined) groups.set(keyOf(exchange), [exchange])
    else group.push(exchange)
  }
  return groups
}

const lastingOperations: ReadonlySet<string> = new Set(['listAssistants', 'getAssistant', 'listMyApiKeys'])

/** A request that does not depend on earlier ones is answered again as it was answered last. */
function lasting(same: readonly RecordedExchange[] | undefined): RecordedExchange | undefined {
  const last = same?.at(-1)
  return last !== undefined && lastingOperations.has(last.operation) ? last : undefined
}

function askedBy({ request, operation }: ServedRequest, { pathId, query, body, bodyBytes }: RequestInput) {
  const [whole = ''] = request.target.split('?', 1)
  const inThread = operation !== null && /Thread(?!$)|Messages?$|^runThread$|^streamThreadRun$/.test(operation)
  const json = body as Json | undefined
  const text = bodyBytes === null ? '' : Buffer.from(bodyBytes).toString()
  return {
    path: whole.replace(/^\/w\/[^/]*(?=\/)/, ''),
    query: sortedQuery(query),
    json,
    body: json === undefined ? text : sortedText(json),
    threadId: (inThread && pathId !== '' ? pathId : query?.get('thread_id')) || null,
  }
}

function withHeader(sink: Sink, name: string, value: string): Sink {
  // A header holds no other characters, and a recorded path may.
  const shown = value.replace(/[^\x20-\x7e]/g, '?')
  return {
    ...sink,
    head: (head) => sink.head({ ...head, headers: { ...head.headers, [name]: shown } }),
  }
}

/** A recorded thread as an effect on a state. */
function effectOf(
  { id, tenant, assistantId, origin, messages }: RecordedThread,
  { world, startedAtUs }: ServedRequest,
): Effect {
  const { tenants } = world.machine.scenario
  const owner = tenants.find(({ name }) => name === tenant)
  const stamps = messages.map((message) => tickOf(String(message.created_at)) ?? startedAtUs)
  return {
    thread: {
      id,
      ordinal: messages.length,
      lastTickUs: Math.max(...stamps, 0) || startedAtUs,
      creation: {
        tenantId: owner?.id ?? '',
        assistantId: assistantId === '' ? (owner?.assistants[0]?.id ?? '') : assistantId.toLowerCase(),
        origin,
      },
      added: messages.filter(isObject).map((message) => JSON.stringify(message)),
    },
  }
}
