/**
 * Identifies the caller (contract: Authentication): the api-key header names the tenant. A key may carry the name of a
 * world after an @ (`acs-demo-primary@checkout-7`), for clients that can set only their key.
 */

import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import { type EngineRequest, headerOf } from '../exchange/request.ts'
import type { Rejection } from '../reasons/reasons.ts'
import type { Caller, ResolvedScenario } from '../scenario/resolved-scenario.ts'

/** The caller of a request, or why there is none. */
export function authorize(request: EngineRequest, exchange: InFlightRequest): Caller | Rejection {
  const key = headerOf(request.headers, 'api-key')
  if (key === undefined || key === '') return { reason: 'missing-key' }
  return callerOf(request, exchange.world.machine.scenario) ?? { reason: 'unknown-key' }
}

/** The owner of a request's key, `null` for an unknown key. */
export function callerOf({ headers }: EngineRequest, { callers }: ResolvedScenario): Caller | null {
  const key = headerOf(headers, 'api-key') ?? ''
  return callers.get(key) ?? callers.get(key.slice(0, Math.max(0, key.indexOf('@')))) ?? null
}
