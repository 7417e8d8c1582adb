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
  const { clock, journal } = exchange.world
  let waiting = true
  const cancel = clock.at(dueUs, () => {
    waiting = false
    try {
      act()
    } catch (cause) {
      fail(cause)
    }
  })
  sink.whenGone(() => {
    cancel()
    if (!waiting || exchange.outcome !== 'pending') return
    exchange.outcome = 'left'
    journal.record(exchange)
  })
}
