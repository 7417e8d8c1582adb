/**
 * Notices that a target has stopped answering, so that it does not cost a timeout for each planned request. Questions to the
 * model are counted separately: while a model hangs, everything else can be judged.
 */
import { type OperationId, operations } from '../../spec/index.ts'

import type { Exchange, Intent } from '../trace/exchange.ts'
import { createLateFailures } from './late-failures.ts'
import { ProbeAborted } from './probe-aborted.ts'

/** Exchanges without a whole answer in a row, on any operation, after which the target counts as gone. */
const silenceOfTarget = 5
/** Questions to the model without a whole answer in a row, after which no further question is sent. */
const silenceOfModel = 3
/** Such exchanges in a row on one operation after which that operation is no longer requested. */
const silenceOfOperation = 3
/** So many server errors over so long, with no success in between, after which the target counts as gone. */
const outageOfTarget = { failures: 20, lastsMs: 30_000 } as const

type Expects = Intent['expects']

export interface CircuitBreaker {
  /** Throws a ProbeAborted when the target, or this operation or path of it, no longer answers. */
  readonly check: (operation: OperationId | null, expects?: Expects, path?: string) => void
  /** Counts one exchange. */
  readonly record: (exchange: Exchange, operation: OperationId | null, expects?: Expects, path?: string) => void
}

/** Starts counting; a target that never answered at all is given up after its first silence. */
export function createCircuitBreaker(): CircuitBreaker {
  let answeredOnce = false
  let silent = 0
  let silentQuestions: readonly Exchange[] = []
  const silentOn = new Map<string | null, number>()
  const late = createLateFailures()
  const outage = createOutage()
  return {
    check: (operation, expects = 'accepted', path = '') => {
      if (silent >= (answeredOnce ? silenceOfTarget : 1))
        throw new ProbeAborted('unreachable', 'The target does not answer.')
      if (outage.isLong()) throw new ProbeAborted('unreachable', 'The target answers with server errors alone.')
      if (isQuestion(operation, expects) && silentQuestions.length >= silenceOfModel)
        throw new ProbeAborted('blocked', silenceText(silentQuestions))
      if ((silentOn.get(operation) ?? 0) >= silenceOfOperation)
        throw new ProbeAborted('blocked', `${operation} gave no whole answer ${silenceOfOperation} times in a row.`)
      const reason = expects === 'accepted' ? late.reasonAgainst(operation, path) : null
      if (reason !== null) throw new ProbeAborted('blocked', reason)
    },
    record: (exchange, operation, expects = 'accepted', path = '') => {
      if (exchange.ending === 'aborted') return
      outage.record(exchange)
      const answered = exchange.ending === 'complete'
      answeredOnce ||= exchange.response !== null
      if (isQuestion(operation, expects) && exchange.ending !== 'unreachable') {
        silentQuestions = answered ? [] : [...silentQuestions, exchange]
        return
      }
      // Files may be stored on another host, whose silence is not that of the target.
      if (answered || operation !== 'uploadFile') silent = answered ? 0 : silent + 1
      // The answer to a request that the contract leaves open may be cut off, and says nothing about the next plain request.
      if (exchange.ending === 'cut' && expects === 'either') return
      silentOn.set(operation, answered ? 0 : (silentOn.get(operation) ?? 0) + 1)
      if (expects === 'accepted') late.record(exchange, operation, path)
    },
  }
}

/** Counts server errors since the last success: what is refused may not have come so far. */
function createOutage() {
  let failures = 0
  let sinceMs = 0
  let untilMs = 0
  return {
    isLong: () => failures >= outageOfTarget.failures && untilMs - sinceMs >= outageOfTarget.lastsMs,
    record: ({ response, ending, sentAtMs, endedAtMs }: Exchange) => {
      if (ending !== 'complete' || response === null) return
      if (response.status < 400) failures = 0
      if (response.status < 500) return
      failures += 1
      if (failures === 1) sinceMs = sentAtMs
      untilMs = endedAtMs
    },
  }
}

/** Whether the request asks the model for an answer; a request that must be refused needs none. */
function isQuestion(operation: OperationId | null, expects: Expects): boolean {
  return operation !== null && operations[operation].callsModel && expects !== 'rejected'
}

function silenceText(silent: readonly Exchange[]): string {
  const told = silent.map((exchange) => {
    const { id, failure, ending } = exchange
    const assistant = assistantIn(exchange)
    return `${assistant === null ? 'The model' : `The model of assistant ${assistant}`} does not answer: ${failure ?? ending} (${id}).`
  })
  return [...new Set(told)].join(' ')
}

function assistantIn({ request: { body } }: Exchange): string | null {
  const named = body !== null && 'utf8' in body ? /"assistant_id"\s*:\s*"([^"]{1,64})"/.exec(body.utf8) : null
  return named?.[1] ?? null
}
