/**
 * Bends of what is refused: rules of the machine forgotten or invented, faulty requests repaired instead of refused,
 * sound ones refused, callers taken for somebody else.
 */
import type { OperationId } from '../../spec/index.ts'
import type { Parsed, RequestInput } from '../http/command-parser.ts'
import type { Exchange } from '../http/exchange.ts'
import type { EngineRequest } from '../http/request.ts'
import type { Occasion } from '../machine/laws.ts'
import type { ReasonId, Rejection } from '../machine/rejection.ts'
import type { Caller } from '../scenario/cast.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import type { Bend } from '../seams.ts'
import { concerns, type Where } from './bend-reply.ts'
import { isObject } from './json-edit.ts'

/** Forgets a rule of the machine, always or on some occasions. */
export function forgets(reason: ReasonId, when: (occasion: Occasion) => boolean = always): Bend {
  return {
    seam: 'enforce',
    wrap: (next) => (asked, broken, occasion) => {
      const faithful = next(asked, broken, occasion)
      return faithful && !(asked === reason && when(occasion))
    },
  }
}

/** Finds a rule of the machine broken where it is not. */
export function invents(reason: ReasonId, when: (occasion: Occasion) => boolean): Bend {
  return {
    seam: 'enforce',
    wrap: (next) => (asked, broken, occasion) => next(asked, broken, occasion) || (asked === reason && when(occasion)),
  }
}

const always = () => true

/** Whether an occasion belongs to a request of one of the operations. */
export const during =
  (...operations: readonly OperationId[]) =>
  ({ command }: Occasion): boolean =>
    command.operation !== 'finishRun' && operations.includes(command.operation)

/** Accepts requests that are refused for their form, in the shape that `repair` gives them. */
export function accepts(where: Where, repair: (input: RequestInput) => RequestInput): Bend {
  return {
    seam: 'validate',
    wrap: (next) => (input, exchange) => {
      const faithful = next(input, exchange)
      if (faithful.kind !== 'rejected' || !concerns(where, input.operation)) return faithful
      const lenient = next(repair(input), exchange)
      return lenient.kind === 'command' ? lenient : faithful
    },
  }
}

/** Accepts requests whose body is refused for its form, after an edit of the body. */
export function acceptsBody(where: Where, repair: (body: JsonObject, input: RequestInput) => Json): Bend {
  return accepts(where, (input) => {
    const body = input.body as Json | undefined
    return isObject(body) ? { ...input, body: repair(body, input) } : input
  })
}

/** Reads a request otherwise than it was meant, whether or not it is sound. */
export function misreads(where: Where, edit: (input: RequestInput, exchange: Exchange) => RequestInput): Bend {
  return {
    seam: 'validate',
    wrap: (next) => (input, exchange) =>
      next(concerns(where, input.operation) ? edit(input, exchange) : input, exchange),
  }
}

/** Refuses sound requests. */
export function refuses(
  where: Where,
  when: (input: RequestInput, exchange: Exchange) => boolean,
  rejection: Rejection,
): Bend {
  return {
    seam: 'validate',
    wrap: (next) => (input, exchange) => {
      const faithful: Parsed = next(input, exchange)
      const meant = faithful.kind === 'command' && concerns(where, input.operation) && when(input, exchange)
      return meant ? { kind: 'rejected', rejection } : faithful
    },
  }
}

/** Answers a refusal of form with another one. */
export function refusesAs(where: Where, edit: (rejection: Rejection, input: RequestInput) => Rejection): Bend {
  return {
    seam: 'validate',
    wrap: (next) => (input, exchange) => {
      const faithful = next(input, exchange)
      if (faithful.kind !== 'rejected' || !concerns(where, input.operation)) return faithful
      return { kind: 'rejected', rejection: edit(faithful.rejection, input) }
    },
  }
}

/** Takes a request for one of another caller, or of nobody. */
export function takesCaller(
  edit: (faithful: Caller | Rejection, request: EngineRequest, exchange: Exchange) => Caller | Rejection,
): Bend {
  return {
    seam: 'authorize',
    wrap: (next) => (request, exchange) => edit(next(request, exchange), request, exchange),
  }
}

/** A rejection for one field of the body. */
export function fieldRejection(field: string, message: string, type: string): Rejection {
  return { reason: 'request.invalid-fields', faults: [{ loc: ['body', field], message, type }] }
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
