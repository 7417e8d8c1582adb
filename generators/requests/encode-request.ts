/**
 * Encodes the parts of a request: path and query percent-encoded, the body as JSON text.
 * The text of the body can be replaced, because one value has many texts.
 */
import { type Json, operations } from '../../spec/index.ts'
import type { GeneratedRequest, RequestParts } from './generated-request.ts'

/** The wire form of a request; `body` replaces the plain JSON text of the body. */
export function encodeRequest(parts: RequestParts, body?: string | Uint8Array): GeneratedRequest {
  const { method, path } = operations[parts.operation]
  const template = path ?? parts.path.url ?? '/'
  const target = path === null ? template : fillTemplate(template, parts.path)
  const text = body ?? bodyText(parts)
  const typed = parts.headers.some(([name]) => name.toLowerCase() === 'content-type')
  const headers =
    text === null || typed ? parts.headers : [['content-type', 'application/json'] as const, ...parts.headers]
  return { operation: parts.operation, method, target: `${target}${queryText(parts.query)}`, headers, body: text }
}

function bodyText({ operation, body }: RequestParts): string | null {
  if (body === undefined) return null
  // An uploaded file is not JSON: its text is the body.
  return operation === 'uploadFile' && typeof body === 'string' ? body : JSON.stringify(body)
}

/** A parameter value as text for a query, a header or a path segment. */
export function parameterText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{([^}]+)\}/gu, (_, name: string) => encodeText(values[name] ?? ''))
}

function queryText(query: RequestParts['query']): string {
  if (query.length === 0) return ''
  return `?${query.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`).join('&')}`
}

/** Lone surrogates have no percent-encoding and become the replacement character. */
function encodeText(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}
