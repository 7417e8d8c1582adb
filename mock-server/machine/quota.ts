/**
 * Counts requests of a key in a window that opens with the first of them (contract: Limits).
 * The count is part of the state, so that a fork or a snapshot keeps it.
 */
import type { ApiKey } from '../scenario/resolved-scenario.ts'
import type { State } from './state.ts'

/** Counts one request of a key; returns the wait in real seconds, of which `factor` seconds of the world pass in each. */
export function spendQuota(
  state: State,
  apiKey: ApiKey,
  tickUs: number,
  factor: number,
): { readonly state: State; readonly retryAfterSeconds: number | null } {
  const { quota, id } = apiKey
  if (quota === null) return { state, retryAfterSeconds: null }
  const lengthUs = quota.window_seconds * 1_000_000
  const last = state.windows.get(id)
  const current = last !== undefined && tickUs < last.opensAtUs + lengthUs ? last : { opensAtUs: tickUs, used: 0 }
  if (current.used >= quota.requests) {
    const waitUs = current.opensAtUs + lengthUs - tickUs
    return { state, retryAfterSeconds: Math.max(1, Math.ceil(waitUs / 1_000_000 / factor)) }
  }
  const windows = state.windows.set(id, { ...current, used: current.used + 1 })
  return { state: { ...state, windows }, retryAfterSeconds: null }
}
