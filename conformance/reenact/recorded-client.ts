/**
 * A client that answers from a recorded trace instead of a network. Each request must be one that the trace holds; answers
 * arrive in the order in which they originally ended, so that requests that were sent together find the same state again.
 */

import { type Carrier, type Client, sendingOver } from '../client/client.ts'
import { rawRequestOf } from '../client/raw-socket/raw-socket.ts'
import type { RawRequest } from '../client/record-exchange.ts'
import type { ClientOptions, SendBase } from '../client/send-request.ts'
import { admissionOf } from '../client/session.ts'
import { mayHaveReachedModel } from '../client/transient-failure.ts'
import { UnsendableRequest } from '../client/unsendable.ts'
import { recordedRequest, wireRequest } from '../client/wire-request.ts'
import type { Exchange, Intent, Trace } from '../trace/exchange.ts'
import { type Aliases, compareRequest } from './compare-request.ts'
import { plainPseudonyms } from './plain-pseudonyms.ts'

/** Requests that were in flight together may be this far from their place. */
const window = 64

type Order = 'as-recorded' | 'in-any-order'

/** A recording that is being read, and the findings so far. */
interface Reading {
  readonly order: Order
  /** The first request that the trace does not hold as it would be sent; `null` while there is none. */
  difference: { readonly exchange: string | null; readonly place: string } | null
  /** Exchanges that were not requested yet, in the order of sending. */
  readonly left: Exchange[]
}

/**
 * Starts reading a trace. Probes that ran side by side overtake each other when nothing takes time, so their requests may stand
 * anywhere; each probe still waits for its own answers.
 */
export function startReading({ exchanges, header }: Trace, order: Order = orderOf(header)): Reading {
  const sequence = ({ id }: Exchange): number => Number(id.slice(1))
  return { order, difference: null, left: [...exchanges].sort((left, right) => sequence(left) - sequence(right)) }
}

const orderOf = ({ plan }: Trace['header']): Order => ((plan?.workers ?? 1) > 1 ? 'in-any-order' : 'as-recorded')

/** Makes clients that answer from the reading; a request that is not in it rejects, which ends the run. */
export function recordedClient(reading: Reading, startedAtMs: number): (options: ClientOptions) => Client {
  return (given) => {
    const options: ClientOptions = { ...given, pseudonyms: plainPseudonyms }
    const stopped = new AbortController()
    const take = taking(reading)
    const { nowMs, until } = recordedClock()
    const exchanged = async (request: SendBase, raw: RawRequest): Promise<Exchange> => {
      const { meter, onExchange } = options
      const admission = await meter.admit(admissionOf(request, raw))
      const exchange = take(request, raw)
      await untilAnswered(request, exchange, until)
      admission.settle(mayHaveReachedModel(exchange))
      onExchange?.(exchange, meter.cost())
      return exchange
    }
    const once: Carrier['once'] = async (destination) => {
      const exchange = await exchanged(destination.request, recordedRequest(wireRequest(destination)))
      return { exchange, outcome: exchange }
    }
    const pause = (waitMs: number): Promise<void> => until(nowMs() + waitMs)
    const admit = async (origin: string): Promise<void> => {
      if (!reading.left.some(({ request }) => request.url.startsWith(origin)))
        throw new UnsendableRequest(`the trace holds no request to ${origin}`)
    }
    const onceRaw: Carrier['onceRaw'] = (request) => exchanged(request, rawRequestOf(request, options).raw)
    const carrier: Carrier = { once, onceRaw, admit, nowMs, pause, signal: stopped.signal }
    const close = async (): Promise<void> => stopped.abort()
    return {
      ...sendingOver(carrier, options, () => startedAtMs + nowMs()),
      cost: options.meter.cost,
      nowMs,
      pause,
      close,
      [Symbol.asyncDispose]: close,
    }
  }
}

/** Takes the recorded exchange of a request out of the reading; throws when there is none. */
function taking(reading: Reading): (request: SendBase, raw: RawRequest) => Exchange {
  const take = takerFrom(reading)
  return (request, raw) => {
    const exchange = take(request, [raw])
    if (exchange !== null) return exchange
    reading.difference ??= absent(reading, request, raw)
    throw new Error('the trace does not hold this request')
  }
}

/** Takes the recorded exchange of a request, in one of its forms, out of the reading; `null` when there is none. */
export function takerFrom(reading: Reading): (request: SendBase, forms: readonly RawRequest[]) => Exchange | null {
  let aliases: Aliases = new Map()
  return (request, forms) => {
    for (const index of placesIn(reading)) {
      const candidate = reading.left[index]
      if (candidate === undefined || !isMeantAs(candidate, request)) continue
      const results = forms.map((raw) => compareRequest(raw, candidate.request, aliases))
      const compared = results.find((result) => 'alreadyCovered' in result) ?? results[0]
      if (compared === undefined || 'difference' in compared) {
        reading.difference ??= { exchange: candidate.id, place: compared?.difference ?? '' }
        continue
      }
      reading.difference = null
      if (compared.alreadyCovered.size > 0) aliases = new Map([...aliases, ...compared.alreadyCovered])
      reading.left.splice(index, 1)
      return candidate
    }
    return null
  }
}

/** The places of the recording where a request may stand: behind others only while all of them were on their way together. */
function* placesIn({ left, order }: Reading): Iterable<number> {
  const passedOver: Exchange[] = []
  for (const [index, candidate] of left.slice(0, order === 'as-recorded' ? window : undefined).entries()) {
    const isTogether = order === 'in-any-order' || passedOver.every((one) => overlaps(one, candidate))
    if (isTogether) yield index
    passedOver.push(candidate)
  }
}

/** Whether both were on their way at the same time, so that their order says nothing. */
function overlaps(left: Exchange, right: Exchange): boolean {
  return left.sentAtMs <= right.endedAtMs && right.sentAtMs <= left.endedAtMs
}

function isMeantAs({ intent, credential }: Exchange, request: SendBase): boolean {
  const name = typeof request.credential === 'string' ? request.credential : null
  return credential === name && sameIntent(intent, request.intent)
}

/** Recordings of earlier versions do not say what a thread was for. */
function sameIntent(recorded: Intent | null, made: Intent | null): boolean {
  if (recorded === null || made === null) return recorded === made
  if (recorded.probe !== made.probe || recorded.operation !== made.operation) return false
  const parts = ({ probe, operation, purpose, expects, for: purposeOf }: Intent): string =>
    JSON.stringify([probe, operation, purpose, expects, purposeOf])
  return parts(recorded) === parts(recorded.for === undefined ? { ...made, for: undefined } : made)
}

function absent({ left }: Reading, { intent }: SendBase, { method, url }: RawRequest): Reading['difference'] {
  const place = `${intent?.probe ?? 'the run'} would send ${method} ${url} (${intent?.purpose ?? 'valid'}) here`
  return { exchange: left[0]?.id ?? null, place }
}

/** Waits for the end of a recorded exchange, and reports the beginning of its answer meanwhile. */
export async function untilAnswered(
  { onFirstPiece }: SendBase,
  { response, endedAtMs }: Exchange,
  until: Clock['until'],
): Promise<void> {
  const [first] = response?.pieces ?? []
  if (onFirstPiece !== undefined && first !== undefined && (response?.status ?? 0) < 300) {
    await until(first.atMs)
    onFirstPiece()
  }
  await until(endedAtMs)
}

interface Clock {
  readonly nowMs: () => number
  /** Resolves when every request possible before this time has been made. */
  readonly until: (atMs: number) => Promise<void>
}

/**
 * Turns of the event loop without a request before the time advances: parallel requests of a probe start in turns of
 * their own.
 */
const quietTurns = 2

/** The recorded time: it advances to the next awaited event once nothing else happens. */
export function recordedClock(): Clock {
  const waiting: { readonly atMs: number; readonly resolve: () => void }[] = []
  let nowMs = 0
  let quiet = 0
  const turn = (): void => {
    quiet += 1
    if (quiet > quietTurns) next()
    if (waiting.length > 0) setImmediate(turn)
  }
  const next = (): void => {
    waiting.sort((left, right) => left.atMs - right.atMs)
    const first = waiting.shift()
    if (first === undefined) return
    quiet = 0
    nowMs = Math.max(nowMs, first.atMs)
    first.resolve()
  }
  const until = (atMs: number): Promise<void> =>
    new Promise((resolve) => {
      quiet = 0
      waiting.push({ atMs, resolve })
      if (waiting.length === 1) setImmediate(turn)
    })
  return { nowMs: () => nowMs, until }
}
