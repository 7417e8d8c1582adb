/**
 * Recognises answers caused by circumstances and not by the target's rules. Examples are a rate limit, an upstream
 * timeout, an unavailable service and a broken connection. They are tried again within the budget and are never a
 * violation by themselves.
 */
import { errorRowOf } from '../../spec/index.ts'
import { textOfPieces } from '../trace/bytes.ts'
import { type Exchange, endedWithRun, interruptedRun, type RecordedResponse } from '../trace/exchange.ts'
import { jsonValue } from '../trace/json-depth.ts'

export type TransientFailure = 'rate-limited' | 'timed-out' | 'unavailable' | 'transport'

const transientFailureOfCode: Readonly<Record<string, TransientFailure>> = {
  rate_limit_gateway: 'rate-limited',
  api_timeout_error: 'timed-out',
  internal_service_error: 'unavailable',
}
const transientFailureOfStatus: Readonly<Record<number, TransientFailure>> = {
  429: 'rate-limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'timed-out',
}

/** An error body is short, above all one under a status of success; a longer text is not searched for one. */
const longestErrorBody = 64 * 1024
const longestUnderSuccess = 8 * 1024

const lengthOf = (pieces: RecordedResponse['pieces']): number =>
  pieces.reduce((sum, { bytes }) => sum + ('utf8' in bytes ? bytes.utf8.length : bytes.base64.length), 0)

/** The `error_code` of a body that is an error of the contract, whatever its status. */
export const errorCodeOf = (exchange: Exchange): string | null => {
  if (exchange.response === null) return null
  const { pieces, status } = exchange.response
  if (lengthOf(pieces) > (status >= 400 ? longestErrorBody : longestUnderSuccess)) return null
  const text = textOfPieces(pieces)
  if (!text.includes('"error_code"')) return null
  const body = jsonValue(text)
  const code: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'error_code') : null
  return typeof code === 'string' ? code : null
}

/** Which transient failure an exchange ran into, or `null` when the answer is the target's own. */
export const transientFailureOf = (exchange: Exchange): TransientFailure | null => {
  const { ending, response } = exchange
  if (ending === 'aborted' && endedWithRun(exchange)) return 'transport'
  if (ending === 'cut' || ending === 'timed-out' || ending === 'unreachable') return 'transport'
  if (ending !== 'complete' || response === null) return null
  return transientFailureOfCode[errorCodeOf(exchange) ?? ''] ?? transientFailureOfStatus[response.status] ?? null
}

/** Whether the request may have cost a model call: not when the target refused it before it could reach the model. */
export const mayHaveReachedModel = (exchange: Exchange): boolean => {
  const { ending, response, failure, intent } = exchange
  if (ending === 'unreachable') return false
  // The losses of an interrupted run are unknown; a request that the contract refuses would have cost nothing.
  if (failure === interruptedRun) return intent?.expects === 'accepted'
  if (ending !== 'complete' || response === null) return true
  const code = errorCodeOf(exchange)
  // The contract gives no statuses, so its code of a refusal counts even under a 500.
  if (code !== null && errorRowOf(code) !== undefined && !Object.hasOwn(transientFailureOfCode, code)) return false
  const isTurnedDown = response.status >= 300 || code !== null
  const transientFailure = transientFailureOf(exchange)
  return (
    !isTurnedDown || transientFailure === 'timed-out' || (response.status >= 500 && transientFailure !== 'rate-limited')
  )
}
