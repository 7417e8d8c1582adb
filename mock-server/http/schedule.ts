/** Schedules work on the world's clock, and drops it when the client disconnects before. */
import type { ServedRequest } from '../exchange/served-request.ts'
import type { Sink } from '../exchange/sink.ts'

/** Runs an action once it is due; `fail` gets its error. */
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
