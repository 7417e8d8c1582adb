/**
 * Notices that a target has stopped answering, so that a dead, hanging, resetting or endless one costs seconds instead of
 * a timeout for every request that was planned. It counts silence; it does not know what was asked.
 */
import type { Exchange } from '../trace/exchange.ts'
import { ProbeAborted } from './probe-aborted.ts'

/** Exchanges without a whole answer in a row, on any operation, after which the target counts as gone. */
const silenceOfTarget = 5
/** Such exchanges in a row on one operation after which that operation is left alone. */
const silenceOfOperation = 3

export interface CircuitBreaker {
  /** Throws Halt when the target, or this operation of it, no longer answers. */
  readonly check: (operation: string | null) => void
  /** Counts one exchange. */
  readonly feel: (exchange: Exchange, operation: string | null) => void
}

/** Starts counting; a target that never answered at all is given up after its first silence. */
export function createCircuitBreaker(): CircuitBreaker {
  let answeredOnce = false
  let silent = 0
  const silentOn = new Map<string | null, number>()
  return {
    check: (operation) => {
      if (silent >= (answeredOnce ? silenceOfTarget : 1))
        throw new ProbeAborted('unreachable', 'The target does not answer.')
      if ((silentOn.get(operation) ?? 0) >= silenceOfOperation)
        throw new ProbeAborted('blocked', `${operation} gave no whole answer ${silenceOfOperation} times in a row.`)
    },
    feel: (exchange, operation) => {
      if (exchange.ending === 'aborted') return
      const answered = exchange.ending === 'complete'
      answeredOnce ||= exchange.response !== null
      silent = answered ? 0 : silent + 1
      silentOn.set(operation, answered ? 0 : (silentOn.get(operation) ?? 0) + 1)
    },
  }
}
