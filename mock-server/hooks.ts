/**
 * The named places at which the mock's behaviour can be bent on purpose: every rule, id, stamp, page, chunk and byte
 * passes through exactly one of them. A bend wraps one seam. Without bends the outer seams are `null` and the inner ones
 * are the plain functions, so they cost nothing.
 */

import type { RequirementId } from '../spec/index.ts'
import type { InFlightRequest } from './http/in-flight-request.ts'
import type { EngineRequest } from './http/request.ts'
import type { ResponseHead } from './http/sink.ts'
import type { Parsed, RequestInput } from './http/validate-request.ts'
import { type DomainHooks, defaultDomainHooks, overridableHooks } from './machine/domain-hooks.ts'
import type { Step } from './machine/machine.ts'
import type { Rejection } from './machine/rejection-reasons.ts'
import type { Caller } from './scenario/resolved-scenario.ts'
import type { ChunkDraft } from './streams/chunk.ts'

/** Where a chunk stands in its stream. */
export interface ChunkPlace {
  readonly index: number
  readonly last: boolean
}

/** The outer seams, in the order in which a request meets them. The exchange tells world, operation, caller, command. */
export interface HttpHooks {
  /** Whose request it is, or why it is nobody's. */
  authorize(request: EngineRequest, exchange: InFlightRequest): Caller | Rejection
  /** Judges the routed request and names it as a command. */
  validate(input: RequestInput, exchange: InFlightRequest): Parsed
  /** The whole machine. */
  step: Step
  /** A JSON body (errors too) before it becomes bytes. */
  body(json: unknown, exchange: InFlightRequest): unknown
  /** The bytes of a body that is no stream. */
  payload(bytes: Uint8Array, exchange: InFlightRequest): Uint8Array
  /** The chunks of a stream, before they are stamped; what is stored does not change. */
  chunks(drafts: readonly ChunkDraft[], exchange: InFlightRequest): readonly ChunkDraft[]
  /** One stamped chunk before it becomes a line. */
  chunk(chunk: unknown, place: ChunkPlace, exchange: InFlightRequest): unknown
  /** The bytes of one line, its line feed included; empty bytes are not sent. */
  line(bytes: Uint8Array, place: ChunkPlace, exchange: InFlightRequest): Uint8Array
  /** Status and headers. */
  head(head: ResponseHead, exchange: InFlightRequest): ResponseHead
}

/** Every seam by name: the inner ones of machine/laws.ts and the outer ones. */
export interface Hooks extends DomainHooks, HttpHooks {}
export type HookName = keyof Hooks

/** What a wrapping gets beside the seam: made once for each world, so that it may keep count in its closure. */
export interface WrapContext {
  readonly seed: number
}

/** One seam and how it is wrapped: what a deviation and a benign variant are made of. */
export type HookOverride = {
  readonly [Name in HookName]: {
    readonly hook: Name
    /** Called once for each world; returns the bent function. `next` is the faithful one, or that of the bend before. */
    readonly wrap: (next: Hooks[Name], context: WrapContext) => Hooks[Name]
  }
}[HookName]

/** A named violation of one requirement, made by wrapping one seam. */
export type Deviation = HookOverride & {
  /** Stable, kebab-case, `<chapter>.<what goes wrong>`. */
  readonly id: string
  /** The requirement that it violates. */
  readonly requirement: RequirementId
  readonly description: string
  /** What must come together before it shows, where an everyday request does not show it. */
  readonly trigger?: string
  /** Requirements that it cannot help violating as well. */
  readonly alsoViolates?: readonly RequirementId[]
}

/** The seams of one world: laws always there, shell seams `null` where nothing wraps them. */
export interface WorldHooks {
  readonly domainHooks: DomainHooks
  readonly http: { readonly [Name in keyof HttpHooks]: HttpHooks[Name] | null }
}

const noHttpOverrides: WorldHooks['http'] = {
  authorize: null,
  validate: null,
  step: null,
  body: null,
  payload: null,
  chunks: null,
  chunk: null,
  line: null,
  head: null,
}

/** The inner seams with every bend of them wrapped around, the first one innermost. */
export function overrideDomainHooks(overrides: readonly HookOverride[], context: WrapContext): DomainHooks {
  if (overrides.length === 0) return defaultDomainHooks
  const overridden = overrides.filter(({ hook }) => hook in defaultDomainHooks)
  return wrapAll(overridableHooks, overridden, context)
}

/** The outer seams that something wraps; `faithful` is what the engine would call otherwise. */
export function overrideHttpHooks(
  overrides: readonly HookOverride[],
  faithful: HttpHooks,
  context: WrapContext,
): WorldHooks['http'] {
  const overridden = overrides.filter(({ hook }) => !(hook in defaultDomainHooks))
  if (overridden.length === 0) return noHttpOverrides
  const all = wrapAll(faithful, overridden, context)
  return Object.fromEntries(
    Object.keys(noHttpOverrides).map((name) => {
      const wrapped = overridden.some(({ hook }) => hook === name)
      return [name, wrapped ? all[name as keyof HttpHooks] : null]
    }),
  ) as WorldHooks['http']
}

function wrapAll<Functions extends object>(
  faithful: Functions,
  overrides: readonly HookOverride[],
  context: WrapContext,
): Functions {
  const wrapped = { ...faithful } as Record<string, unknown>
  for (const { hook, wrap } of overrides) {
    // The union ties seam and wrap together; inside a loop over it TypeScript cannot follow that.
    wrapped[hook] = (wrap as (next: unknown, context: WrapContext) => unknown)(wrapped[hook], context)
  }
  return wrapped as Functions
}
