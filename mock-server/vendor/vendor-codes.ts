/** Statuses and error codes as a vendor declares them: `409 thread_conflict`, `201 createThread; 200 runThread`. */
import type { GapId } from '../../spec/index.ts'
import type { HookOverride } from '../exchange/hooks.ts'
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import { overrideErrorBody } from '../overrides/errors.ts'
import { overrideStatus } from '../overrides/heads.ts'
import { errorCodes } from '../reasons/reason.ts'
import { type ReasonId, reasons } from '../reasons/reasons.ts'
import type { Json } from '../scenario/scenario.ts'

/** Gaps that ask for the error of a refusal, with the mock's reasons for it. */
const refusals: Readonly<Partial<Record<GapId, readonly ReasonId[]>>> = {
  'auth.missing-key': ['missing-key'],
  'auth.unknown-key': ['unknown-key'],
  'http.unknown-route': ['unknown-route'],
  'http.wrong-method': ['wrong-method'],
  'http.malformed-json': ['body-not-json'],
  'completions.unknown-thread': ['unknown-completion-thread'],
  'threads.run-precondition-code': ['no-user-message', 'open-tool-calls', 'no-message-to-answer'],
  'threads.completion-thread-code': ['closed-completion-thread'],
  'assistants.unknown-error': ['unknown-assistant'],
  'errors.schema-fault-code': ['invalid-fields'],
}

const answer = /^(?:(\d{3})\s*)?([a-z][a-z0-9_]*)?$/i

/** The vendor's form of some refusals; omitted parts are as in the mock. */
interface DeclaredRefusal {
  readonly meant: readonly ReasonId[]
  readonly status: number | undefined
  readonly code: string | undefined
}

/** The declaration of a refusal; `null` when the gap asks for none, or when this is no status and code. */
export function refusalIn(gap: string, declared: string): DeclaredRefusal | null {
  const meant = Object.hasOwn(refusals, gap) ? refusals[gap as GapId] : undefined
  const [whole, status, code] = answer.exec(declared.trim()) ?? []
  if (meant === undefined || whole === undefined || whole === '') return null
  const own = code === undefined ? undefined : statusOfCode(code)
  return { meant, code, status: status === undefined ? own : Number(status) }
}

/** Overrides for a declared refusal; `null` when the gap asks for none, or when this is no status and code. */
export function refusalOverrides(gap: string, declared: string): readonly HookOverride[] | null {
  const refusal = refusalIn(gap, declared)
  if (refusal === null) return null
  const { meant, status: shown, code } = refusal
  const applies = ({ reason }: InFlightRequest) => reason !== null && meant.includes(reason)
  return [
    ...(code === undefined
      ? []
      : [
          overrideErrorBody((body, exchange) =>
            applies(exchange) ? { error_code: code, detail: detailOf(code, body.detail) } : body,
          ),
        ]),
    ...(shown === undefined ? [] : [overrideStatus((own, exchange) => (applies(exchange) ? shown : own))]),
  ]
}

function statusOfCode(code: string): number | undefined {
  return Object.hasOwn(errorCodes, code) ? errorCodes[code as keyof typeof errorCodes].status : undefined
}

/** The detail beside a code: only `validation_error` has a list of faults. */
export function detailOf(code: string, detail: Json | undefined): Json {
  if (code === 'validation_error') {
    return Array.isArray(detail) ? detail : [{ loc: ['body'], message: String(detail), type: 'value_error' }]
  }
  if (Object.hasOwn(errorCodes, code)) return errorCodes[code as keyof typeof errorCodes].detail
  return typeof detail === 'string' ? detail : 'Refused'
}

/** Why a declared status cannot be that of an answer; `null` for one that can, and for what names no status. */
export function statusProblem(gap: string, declared: string): string | null {
  const ofSuccess = gap === 'http.success-status'
  const refused = refusalIn(gap, declared)?.status
  const isListed = ofSuccess || gap === 'errors.status-of-code'
  const statuses = isListed ? (statusesIn(declared) ?? []) : refused === undefined ? [] : ([['', refused]] as const)
  for (const [name, status] of statuses) {
    if (ofSuccess && !(status >= 200 && status <= 299)) return `${status} is not the status of a success`
    if (status < 200 || status > 599) return `${status} is not the status of an answer`
    // Only an upload is answered without a body.
    if (withoutBody.includes(status) && !(ofSuccess && name === 'uploadFile'))
      return `a response with status ${status} has no body`
  }
  return null
}

/** Statuses whose responses have no body (RFC 9110). */
const withoutBody = [204, 205, 304]

/** Overrides for the statuses of errors, by code, or one for all; `null` when the text says something else. */
export function errorStatusOverrides(declared: string): readonly HookOverride[] | null {
  return statusOverrides(declared, ({ reason }) => (reason === null ? null : reasons[reason].code))
}

/** Overrides for the statuses of successes, by operation, or one for all; `null` when the text says something else. */
export function successStatusOverrides(declared: string): readonly HookOverride[] | null {
  return statusOverrides(declared, ({ reason, operation }) => (reason === null ? (operation ?? '') : null))
}

/** `nameOf` gives the name under which the status of an answer is declared; `null` keeps the mock's own. */
function statusOverrides(
  declared: string,
  nameOf: (exchange: InFlightRequest) => string | null,
): readonly HookOverride[] | null {
  const statuses = statusesIn(declared)
  if (statuses === null) return null
  return [
    overrideStatus((own, exchange) => {
      const name = nameOf(exchange)
      return name === null ? own : (statuses.get(name) ?? statuses.get('') ?? own)
    }),
  ]
}

/** `201 createThread; 200 runThread, createMessage` by name; a status alone is for all, under the empty name. */
export function statusesIn(declared: string): ReadonlyMap<string, number> | null {
  const statuses = new Map<string, number>()
  for (const part of declared.split(';')) {
    const [whole, status = '', names = ''] = /^\s*([1-5]\d\d)((?:[\s,]+\w+)*)\s*$/.exec(part) ?? []
    if (whole === undefined) return null
    for (const name of names.trim().split(/[\s,]+/)) statuses.set(name, Number(status))
  }
  return statuses
}
