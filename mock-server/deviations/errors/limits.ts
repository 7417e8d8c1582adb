/** Deviations of chapter errors in the requests that a rate limit refuses. */
import { type OperationId, textStreams } from '../../../spec/index.ts'
import type { HookOverride } from '../../exchange/hooks.ts'
import { replaceCaller } from '../../overrides/rules.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

export const errorLimits = {
  'errors.rate-limit-own-tenant': [
    deviation(
      'errors.limit-blocks-next-tenant',
      'Refuses the next caller of another tenant when one tenant is over its limit.',
      blockingNext(),
      { trigger: 'a key over its quota, and another tenant right after' },
    ),
  ],
  'errors.rate-limit-in-streams': [
    deviation('errors.streams-unlimited', 'Lets streams pass a gateway that counts them.', unlimited(textStreams), {
      trigger: 'a stream with a key over its quota',
    }),
    deviation(
      'errors.completion-streams-unlimited',
      'Lets the streams of completions pass a gateway that limits all else.',
      unlimited(['streamChatCompletion']),
      { trigger: 'a stream of a completion with a key over its quota' },
    ),
    deviation(
      'errors.run-streams-unlimited',
      'Lets the streams of runs pass a gateway that limits all else.',
      unlimited(['streamThreadRun']),
      { trigger: 'a streamed run with a key over its quota' },
    ),
  ],
} as const satisfies Pick<DeviationTable<'errors'>, 'errors.rate-limit-own-tenant' | 'errors.rate-limit-in-streams'>

function unlimited(operations: readonly OperationId[]): HookOverride {
  return replaceCaller((faithful, _request, { operation }) => {
    if ('reason' in faithful || operation === null || !operations.includes(operation)) return faithful
    return { ...faithful, apiKey: { ...faithful.apiKey, quota: null } }
  })
}

/** Microseconds after which a request counts. */
const countedAfterUs = 200

/** Reads the count first and writes it later, so that simultaneous requests all read the old one. */
export function countingLate(): HookOverride {
  return {
    hook: 'authorize',
    wrap: (next) => {
      let served: readonly number[] = []
      return (request, exchange) => {
        const caller = next(request, exchange)
        if ('reason' in caller || caller.apiKey.quota === null || exchange.operation !== 'listMyApiKeys') return caller
        const { quota } = caller.apiKey
        const agoUs = (tick: number): number => exchange.startedAtUs - tick
        served = served.filter((tick) => agoUs(tick) < quota.window_seconds * 1_000_000)
        const isOver = served.filter((tick) => agoUs(tick) >= countedAfterUs).length >= quota.requests
        if (!isOver) served = [...served, exchange.startedAtUs]
        return { ...caller, apiKey: { ...caller.apiKey, quota: isOver ? { ...quota, requests: 0 } : null } }
      }
    },
  }
}

function blockingNext(): HookOverride {
  return {
    hook: 'authorize',
    wrap: (next) => {
      let used = 0
      let blocks = false
      return (request, exchange) => {
        const caller = next(request, exchange)
        if ('reason' in caller || exchange.operation !== 'listMyApiKeys') return caller
        const { quota } = caller.apiKey
        if (quota !== null) {
          used += 1
          blocks = used > quota.requests
        } else if (blocks) {
          blocks = false
          return { reason: 'quota-spent', retryAfterSeconds: 1 }
        }
        return caller
      }
    },
  }
}
