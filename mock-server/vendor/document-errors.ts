/**
 * Statuses and error codes of the API document as a vendor declares them.
 * An answer that a declaration adds is added; what the mock still gives for other reasons stays.
 */
import type { OperationId } from '../../spec/index.ts'
import { editAt, isObject } from '../overrides/json-edit.ts'
import { reasons } from '../reasons/reasons.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import { detailOf, refusalIn, statusesIn } from './vendor-codes.ts'

type Declares = Readonly<Record<string, string>>

/** One error that an operation may answer. */
interface ErrorAnswer {
  readonly status: string
  readonly code: string
  readonly description: string
  readonly headers: Json | undefined
  readonly example: Json
}

const jsonType = 'application/json'

/** The document with the declared statuses and codes. */
export function withDeclaredStatuses(document: JsonObject, declares: Declares): JsonObject {
  const successes = statusesIn(declares['http.success-status'] ?? '') ?? none
  const errors = statusesIn(declares['errors.status-of-code'] ?? '') ?? none
  const moved = eachOperation(document, (operation, id) => {
    const responses = objectOf(operation.responses)
    const before = Object.entries(responses).flatMap(([status, response]) => answersIn(status, response, document))
    const after = [
      ...before.map((one) => ({ ...one, status: String(errors.get(one.code) ?? errors.get('') ?? one.status) })),
      ...refusalsOf(id, operation, declares),
    ]
    const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
    const renamed = good.map(([status, response]) => [successes.get(id) ?? successes.get('') ?? status, response])
    const kept = Object.entries(responses).filter(([status]) => !status.startsWith('2'))
    const isSame =
      after.length === before.length && after.every(({ status }, index) => status === before[index]?.status)
    return { ...operation, responses: Object.fromEntries([...renamed, ...(isSame ? kept : grouped(after))]) }
  })
  return withCodes(moved, declaredCodes(declares))
}

const none: ReadonlyMap<string, number> = new Map()

/** The document with each operation changed. */
function eachOperation(document: JsonObject, change: (operation: JsonObject, id: string) => JsonObject): JsonObject {
  const inPath = (item: Json | undefined) =>
    Object.entries(objectOf(item)).map(([method, operation]): [string, Json] => {
      const isIt = isObject(operation) && typeof operation.operationId === 'string'
      return [method, isIt ? change(operation, String(operation.operationId)) : (operation ?? null)]
    })
  const paths = Object.entries(objectOf(document.paths)).map(([path, item]) => [path, Object.fromEntries(inPath(item))])
  return { ...document, paths: Object.fromEntries(paths) }
}

function answersIn(status: string, response: Json | undefined, document: JsonObject): readonly ErrorAnswer[] {
  if (status.startsWith('2')) return []
  const { description, headers, content } = resolved(response, document)
  const { examples } = objectOf(objectOf(content)[jsonType])
  return Object.entries(objectOf(examples)).map(([code, example]) => {
    return { status, code, description: String(description), headers, example: example ?? null }
  })
}

function resolved(response: Json | undefined, document: JsonObject): JsonObject {
  const { $ref: reference } = objectOf(response)
  if (typeof reference !== 'string') return objectOf(response)
  const name = reference.slice(reference.lastIndexOf('/') + 1)
  return objectOf(objectOf(objectOf(document.components).responses)[name])
}

function refusalsOf(id: string, operation: JsonObject, declares: Declares): readonly ErrorAnswer[] {
  return Object.entries(declares).flatMap(([gap, declared]): readonly ErrorAnswer[] => {
    const refusal = refusalIn(gap, declared)
    const reason = refusal?.meant[0]
    if (refusal === null || reason === undefined || !isOwed(gap, id, operation)) return []
    const { code = reasons[reason].code, status } = refusal
    if (status === undefined) return []
    const value = { error_code: code, detail: detailOf(code, undefined) }
    return [{ status: String(status), code, description: reasons[reason].rule, headers: undefined, example: { value } }]
  })
}

/** Operations that can be refused so; a gap that is not here is about every operation, or about none. */
const refusing: Readonly<Record<string, readonly (OperationId | 'with-body')[]>> = {
  'completions.unknown-thread': ['createChatCompletion', 'streamChatCompletion', 'streamChatCompletionEvents'],
  'threads.run-precondition-code': ['runThread', 'streamThreadRun'],
  'threads.completion-thread-code': ['createMessage'],
  'assistants.unknown-error': ['getAssistant'],
  'http.malformed-json': ['with-body'],
  'http.unknown-route': [],
  'http.wrong-method': [],
}

function isOwed(gap: string, id: string, operation: JsonObject): boolean {
  const named = refusing[gap]
  if (named === undefined) return true
  return named.includes(id as OperationId) || (named.includes('with-body') && operation.requestBody !== undefined)
}

function grouped(answers: readonly ErrorAnswer[]): readonly (readonly [string, Json])[] {
  const statuses = [...new Set(answers.map(({ status }) => status))].sort()
  return statuses.map((status) => {
    const own = answers.filter((one) => one.status === status)
    const headers = own.find((one) => one.headers !== undefined)?.headers
    const schema = { $ref: '#/components/schemas/ErrorBody' }
    const examples = Object.fromEntries(own.map(({ code, example }) => [code, example]))
    const description = [...new Set(own.map((one) => one.description))].join(' Or: ')
    const response = { description, content: { [jsonType]: { schema, examples } } }
    return [status, headers === undefined ? response : { ...response, headers }] as const
  })
}

function declaredCodes(declares: Declares): readonly string[] {
  return Object.entries(declares).flatMap(([gap, declared]) => refusalIn(gap, declared)?.code ?? [])
}

/** Adds codes of the vendor's own to those that an error may have. */
function withCodes(document: JsonObject, codes: readonly string[]): JsonObject {
  const added = (known: Json): Json => (Array.isArray(known) ? [...new Set([...known, ...codes])] : known)
  const plain = (known: Json): Json => [added(known)].flat().filter((code) => code !== 'validation_error')
  const first = editAt('components.schemas.ErrorCode.enum', added)(document)
  return objectOf(editAt('components.schemas.PlainError.properties.error_code.enum', plain)(first))
}

function objectOf(json: Json | undefined): JsonObject {
  return isObject(json) ? json : {}
}
