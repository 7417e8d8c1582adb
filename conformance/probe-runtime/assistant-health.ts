/**
 * Tracks failing assistants, so that questions go to working ones. An assistant is retired after two failures in a row,
 * detected from the answers alone; the last working one of a tenant is never retired. Until an assistant has begun to
 * answer once, it gets one question at a time: overlapping probes would all waste theirs on a broken one.
 */
import { type OperationId, operations } from '../../spec/index.ts'
import { transientFailureOf } from '../client/transient-failure.ts'
import type { Answer } from './probe-response.ts'
import type { RequestSpec } from './request-spec.ts'

/** Failures in a row after which an assistant is not asked any more. */
const failuresOfUnsound = 2

export interface AssistantHealth {
  readonly isRetired: (id: string) => boolean
  /**
   * Waits until the assistant may be asked, `null` for at once. The returned function must be called when the question has
   * ended in any way, and may be called when its answer begins.
   */
  readonly turn: (id: string) => Promise<() => void> | null
  /** Counts the answer of an assistant to a question; returns whether this retired it. */
  readonly count: (assistant: string, answer: Answer, circumstances: Circumstances) => boolean
}

interface Circumstances {
  /** Whether another assistant can replace it. */
  readonly hasOther: boolean
  /** Whether the client asked again behind an attempt that failed and may have had an effect. */
  readonly disturbed?: boolean
}

/** Starts with every assistant counted as working. */
export function createAssistantHealth(): AssistantHealth {
  const failures = new Map<string, number>()
  const retired = new Set<string>()
  const proven = new Set<string>()
  const asked = new Map<string, Promise<void>>()
  const isKnown = (id: string): boolean => proven.has(id) || retired.has(id)
  const takeTurn = async (id: string): Promise<() => void> => {
    while (!isKnown(id) && asked.has(id)) await asked.get(id)
    if (isKnown(id)) return () => {}
    let resolve = (): void => {}
    const isOver = new Promise<void>((done) => {
      resolve = done
    })
    asked.set(id, isOver)
    return () => {
      if (asked.get(id) === isOver) asked.delete(id)
      resolve()
    }
  }
  return {
    isRetired: (id) => retired.has(id.toLowerCase()),
    turn: (assistant) => (isKnown(assistant.toLowerCase()) ? null : takeTurn(assistant.toLowerCase())),
    count: (assistant, answer, { hasOther, disturbed = false }) => {
      const id = assistant.toLowerCase()
      // A refusal after a failure shows an effect of the failed attempt, and not that the assistant answers.
      const failed = disturbed && isRefused(answer) ? 1 : failuresIn(answer)
      if (failed === 0) proven.add(id)
      failures.set(id, failed === 0 ? 0 : (failures.get(id) ?? 0) + failed)
      if ((failures.get(id) ?? 0) < failuresOfUnsound || !hasOther) return false
      retired.add(id)
      return true
    },
  }
}

/** Whether the request asks for an answer of the model, rather than for a refusal or an error. */
export function isQuestion(operation: OperationId | null, { expects = 'accepted', retry }: RequestSpec): boolean {
  return operation !== null && operations[operation].callsModel && expects !== 'rejected' && retry !== 'none'
}

function isRefused({ outcome, exchange }: Answer): boolean {
  return outcome === 'rejected' && (exchange.response?.status ?? 0) < 500
}

/** A request that the client retried counts twice: the first attempt failed too. */
function failuresIn({ exchange }: Answer): number {
  const failure = transientFailureOf(exchange)
  if (failure !== null) return failure === 'rate-limited' || exchange.ending === 'unreachable' ? 0 : failuresOfUnsound
  return (exchange.response?.status ?? 0) >= 500 ? 1 : 0
}
