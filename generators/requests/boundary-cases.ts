/**
 * Lists valid requests at the edges of what the contract allows; nothing is drawn.
 * They cover lengths, characters, limits, optional parts, tricky texts and other spellings of the same JSON.
 */
import { isJsonObject, type Json, type JsonObject, type OperationId } from '../../spec/index.ts'
import { isJsonArray } from '../json/json-value.ts'
import { encodeRequest } from './encode-request.ts'
import type { GeneratedRequest, RequestParts } from './generated-request.ts'
import { respellings } from './respell-json.ts'
import { trickyUnicode } from './tricky-unicode.ts'

interface BoundaryCase {
  /** Operator of the catalogue: V-BND, V-ALPH, V-UNI, V-OPT, V-JSON, V-FMT, V-EXTRA, V-HDR, V-URL. */
  readonly operator: string
  readonly name: string
  /** True if a real server may refuse it although the contract does not say so. */
  readonly grey: boolean
  readonly request: GeneratedRequest
}

/** The 67 characters that a `user-id` may hold. */
export const userIdAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-@:'

/** Every edge of an operation around one valid request. */
export function boundaryCases(base: RequestParts): readonly BoundaryCase[] {
  return [
    ...userIds(base),
    ...limits(base),
    ...optionals(base),
    ...contents(base),
    ...spellings(base),
    ...filenames(base),
    ...headers(base),
  ]
}

function userIds(base: RequestParts): readonly BoundaryCase[] {
  if (base.operation !== 'createUploadGrant') return []
  const ofLength = (length: number) => userIdAlphabet.repeat(4).slice(0, length)
  const turned = [...userIdAlphabet].map((_, at) => userIdAlphabet.slice(at) + userIdAlphabet.slice(0, at))
  return [
    ...[1, 2, 254, 255].map((length) => ({ operator: 'V-BND', name: `user-id of ${length}`, text: ofLength(length) })),
    ...turned.map((text) => ({ operator: 'V-ALPH', name: `user-id from ${text[0]} to ${text.at(-1)}`, text })),
  ].map(({ operator, name, text }) => made(operator, name, withHeader(base, 'user-id', text)))
}

function limits(base: RequestParts): readonly BoundaryCase[] {
  if (base.operation !== 'listMessages') return []
  return [1, 2, 99, 100, 101, 1000, 1001].map((limit) =>
    made('V-BND', `limit ${limit}`, withQuery(base, 'limit', String(limit)), limit > 100),
  )
}

/** Each optional part absent, and all of them absent. */
function optionals(base: RequestParts): readonly BoundaryCase[] {
  const optionalQuery = base.query.filter(([name]) => name !== 'filename')
  const cases = optionalQuery.map(([name]) =>
    made('V-OPT', `without ${name}`, { ...base, query: base.query.filter(([other]) => other !== name) }),
  )
  const { body } = base
  if (!isJsonObject(body) || !isCompletion(base.operation)) return cases
  const { assistant_id = null, messages = [] } = body
  const required = { assistant_id, messages }
  const userId = '0b7f9a52-6a3c-4c2e-9a51-3f2d8c1e7b44'
  return [
    ...cases,
    made('V-OPT', 'required fields and those of the assistant', { ...base, body: withoutUser(body) }),
    made('V-OPT', 'with user_id', { ...base, body: { ...body, user_id: userId } }),
    made('V-EXTRA', 'an unknown field', { ...base, body: { ...body, acs_unknown_field: { a: [1] } } }, true),
    made('V-OPT', 'null user_id', { ...base, body: { ...body, user_id: null } }, true),
    made('V-OPT', 'nothing but the required fields', { ...base, body: required }, true),
  ]
}

function contents(base: RequestParts): readonly BoundaryCase[] {
  const lengths = [1, 2, 4096, 65_536].map((length) => ({
    operator: 'V-BND',
    name: `content of ${length}`,
    text: 'lease '
      .repeat(Math.ceil(length / 6))
      .slice(0, length - 1)
      .concat('.'),
    grey: false,
  }))
  const tricky = trickyUnicode.map(({ name, text, grey }) => ({ operator: 'V-UNI', name, text, grey }))
  return [...lengths, ...tricky].flatMap(({ operator, name, text, grey }) => {
    const body = withContent(base.body, text)
    return body === null ? [] : [made(operator, name, { ...base, body }, grey)]
  })
}

function spellings(base: RequestParts): readonly BoundaryCase[] {
  if (base.body === undefined || base.operation === 'uploadFile') return []
  return respellings(base.body).map(({ name, text, grey }) => ({
    operator: 'V-JSON',
    name,
    grey,
    request: encodeRequest(base, text),
  }))
}

function filenames(base: RequestParts): readonly BoundaryCase[] {
  if (base.operation !== 'createUploadGrant') return []
  const names = ['a.csv', 'two.dots.pdf', 'Verträge 2.pdf', '契約.pdf', 'a+b.pdf', '100%.pdf', `${'n'.repeat(251)}.pdf`]
  return names.map((name) => made('V-URL', `filename ${name.slice(0, 20)}`, withQuery(base, 'filename', name)))
}

function headers(base: RequestParts): readonly BoundaryCase[] {
  if (base.body === undefined || base.operation === 'uploadFile') return []
  const { headers: plain } = base
  return [
    made('V-HDR', 'charset', { ...base, headers: [...plain, ['content-type', 'application/json; charset=utf-8']] }),
    made('V-HDR', 'header name in capitals', { ...base, headers: [...plain, ['CONTENT-TYPE', 'application/json']] }),
  ]
}

/** The body with another content in its first user message, or `null` if it has no content. */
function withContent(body: Json | undefined, text: string): JsonObject | null {
  if (!isJsonObject(body)) return null
  if (typeof body.content === 'string') return { ...body, content: text }
  if (!isJsonArray(body.messages)) return null
  const at = body.messages.findIndex((message) => isJsonObject(message) && message.role === 'user')
  const messages = body.messages.map((message, index) =>
    index === at && isJsonObject(message) ? { ...message, content: text } : message,
  )
  return at < 0 ? null : { ...body, messages }
}

/** A request with another value of a query parameter. */
export function withQuery(base: RequestParts, name: string, value: string): RequestParts {
  return { ...base, query: [...base.query.filter(([other]) => other !== name), [name, value]] }
}

/** A request with another value of a header. */
export function withHeader(base: RequestParts, name: string, value: string): RequestParts {
  return { ...base, headers: [...base.headers.filter(([other]) => other !== name), [name, value]] }
}

function withoutUser(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'user_id'))
}

function isCompletion(operation: OperationId): boolean {
  return operation.toLowerCase().includes('chatcompletion')
}

function made(operator: string, name: string, parts: RequestParts, grey = false): BoundaryCase {
  return { operator, name, grey, request: encodeRequest(parts) }
}
