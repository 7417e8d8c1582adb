/**
 * Builds a profile with only the address of a target and its tenants. Written, asked and observed profiles start from
 * it.
 */
import type { Budget, TargetProfile } from './target-profile.ts'

export const defaultBudget: Budget = { timeoutMs: 30_000, maxBodyBytes: 33_554_432 }

/** Claims the core, has no threads and no tools, declares nothing. */
export const minimalProfile = (baseUrl: string, tenants: TargetProfile['tenants']): TargetProfile => ({
  baseUrl: baseUrl.replace(/\/+$/, ''),
  tenants,
  claims: ['core'],
  threads: null,
  runBody: {},
  assistants: {},
  tools: null,
  throttle: null,
  provoke: {},
  declares: {},
  budget: defaultBudget,
})
