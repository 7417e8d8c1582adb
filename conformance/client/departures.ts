/**
 * Holds the requests of other probes while one is about to abort a response early. A busy event loop reads the first piece when a
 * quick server has already written the last one, so the response would be complete before it is aborted.
 */
import type { SendRequest } from './send-request.ts'

type Leaving = Partial<Pick<SendRequest, 'intent' | 'abortAfterPieces'>>

interface Departures {
  /** Sends a request; one that will be aborted goes out with little else in flight, and other probes wait until it ends. */
  readonly around: <T>(request: Leaving, exchanged: () => Promise<T>) => Promise<T>
}

/** The time that requests in flight get to end before the request is sent. */
const settlingMs = 20
/** No request waits longer: a slower model sends its pieces so far apart that a busy loop does no harm. */
const longestMs = 150

/** Makes the hold of one client; nothing is held at first. */
export const createDepartures = ({ pause }: { readonly pause: (waitMs: number) => Promise<void> }): Departures => {
  let leaving: { readonly probe: string | undefined; readonly over: Promise<unknown> } | null = null
  const leave = async <T>(probe: string | undefined, exchanged: () => Promise<T>): Promise<T> => {
    const exchange = pause(settlingMs).then(exchanged)
    const mine = { probe, over: Promise.race([exchange.catch(() => undefined), pause(longestMs)]) }
    leaving = mine
    try {
      return await exchange
    } finally {
      if (leaving === mine) leaving = null
    }
  }
  return {
    around: async ({ intent, abortAfterPieces }, exchanged) => {
      if (abortAfterPieces !== undefined) return leave(intent?.probe, exchanged)
      if (leaving !== null && leaving.probe !== intent?.probe) await leaving.over
      return exchanged()
    },
  }
}
