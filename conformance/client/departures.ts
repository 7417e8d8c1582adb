/**
 * Keeps the event loop free while a caller is about to leave an answer early. A busy loop reads the first piece late, when a
 * quick server has long written the last one, and nothing is left to leave.
 */
import type { SendRequest } from './send-request.ts'

type Leaving = Partial<Pick<SendRequest, 'intent' | 'abortAfterPieces'>>

interface Departures {
  /** Sends: what is left early goes out with little else on its way, and other probes wait until it is left. */
  readonly around: <T>(request: Leaving, exchanged: () => Promise<T>) => Promise<T>
}

/** What is on its way gets so long to end before the request goes out. */
const settlingMs = 20
/** Nobody waits longer: a model that is slower writes its pieces apart. */
const longestMs = 150

/** Starts with nobody leaving. */
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
