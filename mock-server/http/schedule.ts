/** Work that waits for its moment on the world's clock, and is dropped when the client leaves before. */
import type { ServedRequest } from '../exchange/served-request.ts'
import type { Sink } from '../exchange/sink.ts'

/** Does something once it is due; `fail` hears what it throws. */
export function schedule(
  exchange: ServedRequest,
  sink: Sink,
  dueUs: number,
  act: () => void,
  fail: (cause: unknown) => void,
): void {
  const { waits, journal } = exchange.world
  let waiting = true
  const proceed = () => {
    waiting = false
    try {
      act()
    } catch (cause) {
      fail(cause)
    }
  }
  const end = (outcome: ServedRequest['outcome']) => {
    if (!waiting || exchange.outcome !== 'pending') return
    waiting = false
    exchange.outcome = outcome
    journal.record(exchange)
  }
  const breakOff = () => {
    end('broken-off')
    sink.reset()
  }
  const cancel = waits.until(exchange, dueUs, proceed, { proceed, drop: null, say: null, breakOff })
  sink.whenGone(() => {
    cancel()
    end('left')
  })
}
