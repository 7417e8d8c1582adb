/**
 * The named places at which the mock's behaviour can be bent on purpose: every rule, id, stamp, page, chunk and byte
 * passes through exactly one of them. A bend wraps one seam. Without bends the outer seams are `null` and the inner ones
 * are the plain functions, so they cost nothing.
 */

import type { RequirementId } from '../spec/index.ts'
import type { Parsed, RequestInput } from './http/command-parser.ts'
import type { Exchange } from './http/exchange.ts'
import type { EngineRequest } from './http/request.ts'
import type { ResponseHead } from './http/sink.ts'
import { bendableLaws, faithfulLaws, type Laws } from './machine/laws.ts'
import type { Step } from './machine/machine.ts'
import type { Rejection } from './machine/rejection.ts'
import type { Caller } from './scenario/cast.ts'
import type { ChunkDraft } from './streams/chunk.ts'

/** Where a chunk stands in its stream. */
export interface ChunkPlace {
  readonly index: number
  readonly last: boolean
}

/** The outer seams, in the order in which a request meets them. The exchange tells world, operation, caller, command. */
export interface ShellSeams {
  /** Whose request it is, or why it is nobody's. */
  authorize(request: EngineRequest, exchange: Exchange): Caller | Rejection
  /** Judges the routed request and names it as a command. */
  validate(input: RequestInput, exchange: Exchange): Parsed
  /** The whole machine. */
  step: Step
  /** A JSON body (errors too) before it becomes bytes. */
  body(json: unknown, exchange: Exchange): unknown
  /** The bytes of a body that is no stream. */
  payload(bytes: Uint8Array, exchange: Exchange): Uint8Array
  /** The chunks of a stream, before they are stamped; what is stored does not change. */
  chunks(drafts: readonly ChunkDraft[], exchange: Exchange): readonly ChunkDraft[]
  /** One stamped chunk before it becomes a line. */
  chunk(chunk: unknown, place: ChunkPlace, exchange: Exchange): unknown
  /** The bytes of one line, its line feed included; empty bytes are not sent. */
  line(bytes: Uint8Array, place: ChunkPlace, exchange: Exchange): Uint8Array
  /** Status and headers. */
  head(head: ResponseHead, exchange: Exchange): ResponseHead
}

/** Every seam by name: the inner ones of machine/laws.ts and the outer ones. */
export interface Seams extends Laws, ShellSeams {}
export type SeamName = keyof Seams

/** What a wrapping gets beside the seam: made once for each world, so that it may keep count in its closure. */
export interface WrapContext {
  readonly seed: number
}

/** One seam and how it is wrapped: what a deviation and a benign variant are made of. */
export type Bend = {
  readonly [Name in SeamName]: {
    readonly seam: Name
    /** Called once for each world; returns the bent function. `next` is the faithful one, or that of the bend before. */
    readonly wrap: (next: Seams[Name], context: WrapContext) => Seams[Name]
  }
}[SeamName]

/** A named violation of one requirement, made by wrapping one seam. */
export type Deviation = Bend & {
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
export interface WorldSeams {
  readonly laws: Laws
  readonly shell: { readonly [Name in keyof ShellSeams]: ShellSeams[Name] | null }
}

const unbentShell: WorldSeams['shell'] = {
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
export function bendLaws(bends: readonly Bend[], context: WrapContext): Laws {
  if (bends.length === 0) return faithfulLaws
  const bent = bends.filter(({ seam }) => seam in faithfulLaws)
  return wrapAll(bendableLaws, bent, context)
}

/** The outer seams that something wraps; `faithful` is what the engine would call otherwise. */
export function bendShell(bends: readonly Bend[], faithful: ShellSeams, context: WrapContext): WorldSeams['shell'] {
  const bent = bends.filter(({ seam }) => !(seam in faithfulLaws))
  if (bent.length === 0) return unbentShell
  const all = wrapAll(faithful, bent, context)
  return Object.fromEntries(
    Object.keys(unbentShell).map((name) => {
      const wrapped = bent.some(({ seam }) => seam === name)
      return [name, wrapped ? all[name as keyof ShellSeams] : null]
    }),
  ) as WorldSeams['shell']
}

function wrapAll<Functions extends object>(
  faithful: Functions,
  bends: readonly Bend[],
  context: WrapContext,
): Functions {
  const wrapped = { ...faithful } as Record<string, unknown>
  for (const { seam, wrap } of bends) {
    // The union ties seam and wrap together; inside a loop over it TypeScript cannot follow that.
    wrapped[seam] = (wrap as (next: unknown, context: WrapContext) => unknown)(wrapped[seam], context)
  }
  return wrapped as Functions
}
