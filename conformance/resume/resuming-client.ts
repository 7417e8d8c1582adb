/**
 * Creates a client that answers from the trace of an interrupted run, and after its end from the network. A request that
 * was in flight when the run died is reported as an exchange without an answer, since it may have had an effect.
 */
import { type Carrier, type Client, clientOver, createNetwork } from '../client/client.ts'
import type { Meter } from '../client/meter.ts'
import { rawRequestOf } from '../client/raw-socket/raw-socket.ts'
import type { RawRequest } from '../client/record-exchange.ts'
import type { ClientOptions, SendBase } from '../client/send-request.ts'
import { admissionOf, perform } from '../client/session.ts'
import { mayHaveReachedModel } from '../client/transient-failure.ts'
import { recordedRequest, wireRequest } from '../client/wire-request.ts'
import { ProbeAborted } from '../probe-runtime/probe-aborted.ts'
import type { Pseudonyms } from '../pseudonyms/pseudonyms.ts'
import { recordedClock, startReading, takerFrom, untilAnswered } from '../reenact/recorded-client.ts'
import { textOfPieces } from '../trace/bytes.ts'
import { type Exchange, interruptedRun, stoppedRun, type Trace } from '../trace/exchange.ts'
import { highest } from '../trace/highest.ts'

/** The recording counts as used up when it got no request for this long. */
const quietMs = 100

/** Creates clients that continue where the trace ends. */
export function resumingClient(trace: Trace): (options: ClientOptions) => Client {
  return (options) => {
    const endedMs = highest(trace.exchanges.map(({ endedAtMs }) => endedAtMs))
    const sinceStartMs = Math.max(endedMs + 1, Date.now() - Date.parse(trace.header.startedAt))
    const network = createNetwork({ ...options, originMs: performance.now() - sinceStartMs })
    const recording = createRecordingEnd(trace)
    const { carrier, session } = network
    const take = takerFrom(recording.reading)
    /** The recorded exchange of a request, or `null` once it has to be sent. */
    const recorded = async (request: SendBase, raw: RawRequest): Promise<Exchange | null> => {
      if (recording.isOver()) return null
      const exchange = take(request, [disguised(raw, options.pseudonyms), raw])
      if (exchange === null) return null
      const admission = await options.meter.admit({ ...admissionOf(request, raw), isRecorded: true })
      await untilAnswered(request, exchange, recording.until)
      admission.settle(mayHaveReachedModel(exchange))
      return exchange
    }
    /** Waits for the end of the recording; reports a write that may have been in flight then. */
    const atTheEnd = async (
      request: SendBase,
      raw: RawRequest,
    ): Promise<Awaited<ReturnType<typeof perform>> | null> => {
      if (recording.isOver()) return null
      await recording.end()
      // A stopped run has recorded all requests in flight; one that died has not.
      if (trace.footer !== null || raw.method === 'GET') return null
      const outcome = { sentAtMs: endedMs, endedAtMs: carrier.nowMs(), response: null, ending: 'aborted' } as const
      const lost = { ...session, options: { ...options, meter: meterOfLost(options.meter) } }
      return perform(lost, request, raw, async () => ({ ...outcome, failure: interruptedRun }))
    }
    const resuming: Carrier = {
      ...carrier,
      once: async (destination) => {
        const { request } = destination
        const raw = recordedRequest(wireRequest(destination))
        const exchange = await recorded(request, raw)
        const isBroken = exchange?.failure === stoppedRun && request.retry === 'none'
        if (exchange !== null && !isBroken) return { exchange, outcome: exchange }
        const told = await atTheEnd(request, raw)
        if (told !== null && request.retry !== 'none') return told
        if (told !== null || (isBroken && raw.method !== 'GET') || isUnknown(request, trace, options.pseudonyms))
          throw interruptedHere()
        return carrier.once(destination)
      },
      onceRaw: async (request) => {
        const { raw } = rawRequestOf(request, options)
        const exchange = await recorded(request, raw)
        if (exchange !== null && exchange.failure !== stoppedRun) return exchange
        await atTheEnd(request, raw)
        if (isUnknown(request, trace, options.pseudonyms)) throw interruptedHere()
        return carrier.onceRaw(request)
      },
      nowMs: () => (recording.isOver() ? carrier.nowMs() : recording.nowMs()),
      pause: (waitMs) => (recording.isOver() ? carrier.pause(waitMs) : recording.until(recording.nowMs() + waitMs)),
    }
    return clientOver(resuming, network.close, options)
  }
}

/** The reserve pays for requests lost by the interruption, since the planned budget pays for their repetition. */
function meterOfLost(meter: Meter): Meter {
  return { ...meter, admit: (request) => meter.admit({ ...request, kind: 'repetition', isRecorded: true }) }
}

interface RecordingEnd {
  readonly reading: ReturnType<typeof startReading>
  readonly isOver: () => boolean
  readonly nowMs: () => number
  /** Resolves when all exchanges recorded before this time have been requested. */
  readonly until: (atMs: number) => Promise<void>
  /** Resolves when the recording gets no further request. */
  readonly end: () => Promise<void>
}

/** Follows a recording to its end, which is reached when all requests wait for exchanges that it does not hold. */
function createRecordingEnd(trace: Trace): RecordingEnd {
  const clock = recordedClock()
  const waiting: (() => void)[] = []
  let underWay = 0
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const look = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (underWay > 0 || waiting.length === 0) return
      isOver = true
      for (const resolve of waiting.splice(0)) resolve()
    }, quietMs)
  }
  return {
    reading: startReading(trace, 'in-any-order'),
    isOver: () => isOver,
    nowMs: clock.nowMs,
    until: async (atMs) => {
      underWay += 1
      await clock.until(atMs)
      underWay -= 1
      look()
    },
    end: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        look()
      }),
  }
}

/** The probe runs again, with the new answers. */
const interruptedHere = (): ProbeAborted => new ProbeAborted('disturbed', 'The run was interrupted here.')

/** The request with pseudonyms in the place of its secrets, as a trace holds it. */
function disguised(raw: RawRequest, pseudonyms: Pseudonyms): RawRequest {
  const [body = null] = raw.body === null ? [] : pseudonyms.pieces([raw.body])
  return { ...raw, url: pseudonyms.text(raw.url), headers: pseudonyms.headers(raw.headers), body }
}

/** Shorter texts are no keys. */
const shortestPseudonym = 8

/** Whether a request is made of a secret that only the interrupted run knew: its answers hold a pseudonym of it. */
function isUnknown({ credential, path }: SendBase, trace: Trace, pseudonyms: Pseudonyms): boolean {
  const isAbsolute = /^https?:/i.test(path)
  const value = typeof credential === 'object' && credential !== null ? credential.raw : isAbsolute ? path : null
  if (value === null || value.length < shortestPseudonym || pseudonyms.reveal(value) !== value) return false
  return trace.exchanges.some(({ response }) => response !== null && textsIn(response.pieces).includes(value))
}

function textsIn(pieces: Parameters<typeof textOfPieces>[0]): string {
  return textOfPieces(pieces).replaceAll('\\/', '/')
}
