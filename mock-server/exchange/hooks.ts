/**
 * The hooks: the named places at which the behaviour of the mock can be overridden on purpose.
 * Every rule, id, timestamp, page, chunk and byte passes through exactly one of them. They are composed once for each
 * world, so that the engine calls plain functions.
 */
import type { RequirementId } from '../../spec/index.ts'
import type { ChunkDraft } from '../machine/chunk.ts'
import { type DomainHooks, defaultDomainHooks, overridableHooks } from '../machine/domain-hooks.ts'
import type { Step } from '../machine/step.ts'
import type { Rejection } from '../reasons/reasons.ts'
import type { Caller } from '../scenario/resolved-scenario.ts'
import type { InFlightRequest } from './in-flight-request.ts'
import type { EngineRequest } from './request.ts'
import type { Parsed, RequestInput } from './request-input.ts'
import type { ResponseHead } from './sink.ts'

/** The place of a chunk in its stream. */
export interface ChunkPlace {
  readonly index: number
  readonly last: boolean
}

/** The hooks around the machine, in the order in which a request meets them. */
export interface HttpHooks {
  /** The caller of the request, or why there is none. */
  authorize(request: EngineRequest, exchange: InFlightRequest): Caller | Rejection
  /** Validates the routed request and turns it into a command. */
  validate(input: RequestInput, exchange: InFlightRequest): Parsed
  /** The whole machine. */
  step: Step
  /** A JSON body (errors too) before it becomes bytes. */
  body(json: unknown, exchange: InFlightRequest): unknown
  /** The bytes of a body that is no stream. */
  payload(bytes: Uint8Array, exchange: InFlightRequest): Uint8Array
  /** The chunks of a stream, before they get timestamps; what is stored does not change. */
  chunks(drafts: readonly ChunkDraft[], exchange: InFlightRequest): readonly ChunkDraft[]
  /** One chunk with its timestamp before it becomes a line. */
  chunk(chunk: unknown, place: ChunkPlace, exchange: InFlightRequest): unknown
  /** The bytes of one line, its line feed included; empty bytes are not sent. */
  line(bytes: Uint8Array, place: ChunkPlace, exchange: InFlightRequest): Uint8Array
  /** Status and headers. */
  head(head: ResponseHead, exchange: InFlightRequest): ResponseHead
}

/** Every hook by name: those of machine/domain-hooks.ts and those around the machine. */
export interface Hooks extends DomainHooks, HttpHooks {}
export type HookName = keyof Hooks

/** The context of an override beside the hook that it wraps. */
interface WrapContext {
  readonly seed: number
}

/** One hook and its wrapper: the unit of deviations and variants. */
export type HookOverride = {
  readonly [Name in HookName]: {
    readonly hook: Name
    /** Called once for each world, so that it may keep state in its closure. `next` is the function that it wraps. */
    readonly wrap: (next: Hooks[Name], context: WrapContext) => Hooks[Name]
  }
}[HookName]

/** A named violation of one requirement, made by wrapping one hook. */
export type Deviation = HookOverride & {
  /** Stable, kebab-case, `<chapter>.<fault>`. */
  readonly id: string
  /** The requirement that it violates. */
  readonly requirement: RequirementId
  readonly description: string
  /** The conditions under which it shows, if a common request does not show it. */
  readonly trigger?: string
  /** Requirements that it cannot help violating as well. */
  readonly alsoViolates?: readonly RequirementId[]
}

/** The hooks around the machine of one world. */
export interface WorldHooks extends HttpHooks {
  /** Which hooks are overridden; the bytes of the others need not be parsed for them. */
  readonly isOverridden: Readonly<Record<HookName, boolean>>
  /** Whether any hook is overridden. */
  readonly anyOverridden: boolean
}

/** The hooks of the machine with every override of them wrapped around, the first one innermost. */
export function composeDomainHooks(overrides: readonly HookOverride[], context: WrapContext): DomainHooks {
  if (overrides.length === 0) return defaultDomainHooks
  return wrapAll(overridableHooks, overrides, context)
}

/** The hooks around the machine with every override of them wrapped around, the first one innermost. */
export function composeHttpHooks(
  overrides: readonly HookOverride[],
  faithful: HttpHooks,
  context: WrapContext,
): WorldHooks {
  const names = Object.keys({ ...defaultDomainHooks, ...faithful }) as readonly HookName[]
  const overridden = new Set(overrides.map(({ hook }) => hook))
  const isOverridden = Object.fromEntries(names.map((name) => [name, overridden.has(name)]))
  return {
    ...wrapAll(faithful, overrides, context),
    isOverridden: isOverridden as WorldHooks['isOverridden'],
    anyOverridden: overridden.size > 0,
  }
}

function wrapAll<Functions extends object>(
  faithful: Functions,
  overrides: readonly HookOverride[],
  context: WrapContext,
): Functions {
  const wrapped = { ...faithful } as Record<string, unknown>
  for (const { hook, wrap } of overrides) {
    if (!(hook in faithful)) continue
    // The union ties hook and wrap together; inside a loop over it TypeScript cannot follow that.
    wrapped[hook] = (wrap as (next: unknown, context: WrapContext) => unknown)(wrapped[hook], context)
  }
  return wrapped as Functions
}
