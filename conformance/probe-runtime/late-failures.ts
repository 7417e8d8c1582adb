/**
 * Counts requests that fail after a long wait. Behind a gateway that gives up after a minute, each of them costs minutes with
 * its repetitions; an operation that keeps failing this way is no longer requested.
 */
import type { OperationId } from '../../spec/index.ts'
import { transientFailureOf } from '../client/transient-failure.ts'
import type { Exchange } from '../trace/exchange.ts'

/** Late failures of one path in a row, each with its repetitions, after which the path is no longer requested. */
const mostOnPath = 2
/** The same of an operation, on any paths and in a row or not. */
const mostOnOperation = 4
/** This many other answers of the operation cancel one of its failures: a long run has some failures without an outage. */
const answersPerFailure = 50
/** The least duration of a late failure, milliseconds. */
const lateMs = 5000

export interface LateFailures {
  /** Why the operation is no longer requested on this path, or `null`. */
  readonly reasonAgainst: (operation: OperationId | null, path: string) => string | null
  readonly record: (exchange: Exchange, operation: OperationId | null, path: string) => void
}

interface Count {
  readonly failures: number
  readonly lastEndedAtMs: number
  /** Other answers since the last failure, or since one was forgiven. */
  readonly answers: number
}

/** Starts counting. */
export function createLateFailures(): LateFailures {
  const onPath = new Map<string, Count>()
  const onOperation = new Map<OperationId | null, Count>()
  return {
    reasonAgainst: (operation, path) => {
      if ((onOperation.get(operation)?.failures ?? 0) >= mostOnOperation)
        return `${operation} failed ${mostOnOperation} times, each time after ${lateMs / 1000} s or more.`
      const key = keyOf(operation, path)
      return (onPath.get(key)?.failures ?? 0) < mostOnPath
        ? null
        : `${key} failed ${mostOnPath} times in a row, each time after ${lateMs / 1000} s or more.`
    },
    record: (exchange, operation, path) => {
      const key = keyOf(operation, path)
      if (!isLateFailure(exchange)) {
        onPath.delete(key)
        const count = onOperation.get(operation)
        if (count !== undefined && transientFailureOf(exchange) === null) onOperation.set(operation, withAnswer(count))
      } else {
        onPath.set(key, withFailure(onPath.get(key), exchange))
        onOperation.set(operation, withFailure(onOperation.get(operation), exchange))
      }
    },
  }
}

/**
 * Adds a failure. A request in flight during the last failure adds nothing: one outage fails all parallel requests at
 * once.
 */
function withFailure(count: Count | undefined, { sentAtMs, endedAtMs }: Exchange): Count {
  if (count === undefined) return { failures: 1, lastEndedAtMs: endedAtMs, answers: 0 }
  const isNew = sentAtMs >= count.lastEndedAtMs
  return isNew ? { failures: count.failures + 1, lastEndedAtMs: endedAtMs, answers: 0 } : count
}

/** Counts an answer that is no late failure, and forgives a failure for enough of them. */
function withAnswer(count: Count): Count {
  if (count.failures === 0 || count.answers + 1 < answersPerFailure) return { ...count, answers: count.answers + 1 }
  return { ...count, failures: count.failures - 1, answers: 0 }
}

/** The operation and the path without its query. */
const keyOf = (operation: OperationId | null, path: string): string => `${operation} ${path.split('?')[0]}`

/** Whether the target, or a gateway before it, gave up, or gave no whole answer. */
function isLateFailure(exchange: Exchange): boolean {
  const isLate = exchange.endedAtMs - exchange.sentAtMs >= lateMs
  const failure = isLate ? transientFailureOf(exchange) : null
  return failure !== null && failure !== 'rate-limited'
}
