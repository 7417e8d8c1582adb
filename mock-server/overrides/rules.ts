/**
 * Overrides of what is refused and of who is calling.
 * Rules are skipped or added, requests repaired, misread or refused, callers replaced.
 */
import type { OperationId } from '../../spec/index.ts'
import type { HookOverride } from '../exchange/hooks.ts'
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import type { EngineRequest } from '../exchange/request.ts'
import type { Parsed, RequestInput } from '../exchange/request-input.ts'
import type { HookContext } from '../machine/domain-hooks.ts'
import type { ReasonId, Rejection } from '../reasons/reasons.ts'
import type { Caller } from '../scenario/resolved-scenario.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import { isObject } from './json-edit.ts'
import { appliesTo, type Where } from './replies.ts'

/** Forgets a rule of the machine, always or on some occasions. */
export function skipRule(
  reason: ReasonId | readonly ReasonId[],
  when: (context: HookContext) => boolean = always,
): HookOverride {
  return {
    hook: 'checkRule',
    wrap: (next) => (asked, broken, context) => {
      const faithful = next(asked, broken, context)
      return faithful && !([reason].flat().includes(asked) && when(context))
    },
  }
}

/** Finds a rule of the machine broken where it is not. */
export function addRule(reason: ReasonId, when: (context: HookContext) => boolean): HookOverride {
  return {
    hook: 'checkRule',
    wrap: (next) => (asked, broken, context) => next(asked, broken, context) || (asked === reason && when(context)),
  }
}

const always = () => true

/** Whether an occasion belongs to a request of one of the operations. */
export const duringOperations =
  (...operations: readonly OperationId[]) =>
  ({ command }: HookContext): boolean =>
    command.operation !== 'finishRun' && operations.includes(command.operation)

/** Accepts requests that are refused for their form, in the shape that `repair` gives them. */
export function acceptRequests(where: Where, repair: (input: RequestInput) => RequestInput): HookOverride {
  return {
    hook: 'validate',
    wrap: (next) => (input, exchange) => {
      const faithful = next(input, exchange)
      if (faithful.kind !== 'rejected' || !appliesTo(where, input.operation)) return faithful
      const lenient = next(repair(input), exchange)
      return lenient.kind === 'command' ? lenient : faithful
    },
  }
}

/** Accepts requests whose body is refused for its form, after an edit of the body. */
export function acceptBodies(where: Where, repair: (body: JsonObject, input: RequestInput) => Json): HookOverride {
  return acceptRequests(where, (input) => {
    const body = input.body as Json | undefined
    return isObject(body) ? { ...input, body: repair(body, input) } : input
  })
}

/** Reads a request otherwise than it was meant, whether or not it is sound. */
export function misparseRequests(
  where: Where,
  edit: (input: RequestInput, exchange: InFlightRequest) => RequestInput,
): HookOverride {
  return {
    hook: 'validate',
    wrap: (next) => (input, exchange) =>
      next(appliesTo(where, input.operation) ? edit(input, exchange) : input, exchange),
  }
}

/** Refuses sound requests. */
export function rejectRequests(
  where: Where,
  when: (input: RequestInput, exchange: InFlightRequest) => boolean,
  rejection: Rejection,
): HookOverride {
  return {
    hook: 'validate',
    wrap: (next) => (input, exchange) => {
      const faithful: Parsed = next(input, exchange)
      const meant = faithful.kind === 'command' && appliesTo(where, input.operation) && when(input, exchange)
      return meant ? { kind: 'rejected', rejection } : faithful
    },
  }
}

/** Answers a refusal of form with another one. */
export function rejectRequestsAs(
  where: Where,
  edit: (rejection: Rejection, input: RequestInput) => Rejection,
): HookOverride {
  return {
    hook: 'validate',
    wrap: (next) => (input, exchange) => {
      const faithful = next(input, exchange)
      if (faithful.kind !== 'rejected' || !appliesTo(where, input.operation)) return faithful
      return { kind: 'rejected', rejection: edit(faithful.rejection, input) }
    },
  }
}

/** Treats a request as that of another caller, or of none. */
export function replaceCaller(
  edit: (faithful: Caller | Rejection, request: EngineRequest, exchange: InFlightRequest) => Caller | Rejection,
): HookOverride {
  return {
    hook: 'authorize',
    wrap: (next) => (request, exchange) => edit(next(request, exchange), request, exchange),
  }
}

/** A rejection for one field of the body. */
export function fieldRejection(field: string, message: string, type: string): Rejection {
  return { reason: 'invalid-fields', faults: [{ loc: ['body', field], message, type }] }
}

/** The messages in the body of a completion, as far as they are objects. */
export function messagesIn(input: RequestInput): readonly JsonObject[] {
  const messages = isObject(input.body as Json) ? (input.body as JsonObject).messages : undefined
  return Array.isArray(messages) ? messages.filter((entry): entry is JsonObject => isObject(entry as Json)) : []
}

/** The content of a createMessage body, or the empty string. */
export function contentIn(input: RequestInput): string {
  const content = isObject(input.body as Json) ? (input.body as JsonObject).content : undefined
  return typeof content === 'string' ? content : ''
}
