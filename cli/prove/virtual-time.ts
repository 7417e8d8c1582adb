/**
 * Provides the clock of trials, which never wait in real time. The same trial sees the same times, regardless of the speed
 * of the machine. The mock's clock advances a step with every request and jumps to the next timer; the suite reads the
 * same clock.
 */
import type { Client, Exchange } from '../../conformance/index.ts'
import type { Mock } from '../../mock-server/index.ts'

interface VirtualTime {
  /** Milliseconds; every reading is later than the one before. */
  readonly nowMs: () => number
  /** The client; time advances with its exchanges. */
  readonly ticking: (client: Client) => Client
}

/** Between two requests: several of them share a millisecond, as on a quick server. */
const stepMs = 0.25
/** Between two readings of the clock in the same moment of the world. */
const readingMs = 0.0001

/** The settings of a mock with a virtual clock. */
export const virtualClock = { mode: 'stepped' } as const

/** Takes over the clock of a mock with {@link virtualClock}. */
export const withVirtualTime = ({ clock }: Pick<Mock, 'clock'>): VirtualTime => {
  const startUs = clock.nowUs()
  let readings = 0
  let inFlight = 0
  let isTurning = false
  const nowMs = (): number => {
    readings += 1
    return (clock.nowUs() - startUs) / 1000 + readings * readingMs
  }
  // One jump in each turn of the loop: the data sent is read before the next timer is due.
  const turn = (): void => {
    isTurning = inFlight > 0
    if (!isTurning) return
    clock.advanceToNext()
    setImmediate(turn)
  }
  const during = async (exchange: () => Promise<Exchange>): Promise<Exchange> => {
    clock.advance(stepMs)
    inFlight += 1
    if (!isTurning) setImmediate(turn)
    isTurning = true
    try {
      return await exchange()
    } finally {
      inFlight -= 1
    }
  }
  return {
    nowMs,
    ticking: (client) => ({
      ...client,
      send: (request) => during(() => client.send(request)),
      sendRaw: (request) => during(() => client.sendRaw(request)),
      pause: async (waitMs) => void clock.advance(waitMs),
    }),
  }
}
