/**
 * A variant: a legal difference from the reference, made by wrapping hooks of the mock.
 * The suite must find nothing violated on any of them, but for the advice that it says it departs from.
 */
import type { ConformanceLevel, GapId, RequirementId } from '../../spec/index.ts'
import type { HookOverride } from '../exchange/hooks.ts'

/** How a target profile has to follow a variant; merged over the profile of the mock. */
export interface ProfilePatch {
  readonly tools?: { readonly callIds: string; readonly resultField: string }
  readonly files?: {
    readonly status?: { readonly path: string; readonly pointer: string; readonly complete: readonly string[] }
    readonly attachment?: Readonly<Record<string, unknown>>
  }
  readonly claims?: readonly ConformanceLevel[]
  readonly provoke?: Readonly<Record<string, { readonly headers: Readonly<Record<string, string>> }>>
}

export interface Variant {
  /** Stable, kebab-case, `<chapter>.<difference>`. */
  readonly id: string
  /** Why it is legal: a gap of the contract, or a rule of HTTP or JSON in words. */
  readonly because: GapId | { readonly freedom: string }
  readonly description: string
  readonly overrides: readonly HookOverride[]
  /** Rules of level should that it legally does not follow: the suite reports it, and fails no run. */
  readonly departsFrom?: readonly RequirementId[]
  readonly profile?: ProfilePatch
}
