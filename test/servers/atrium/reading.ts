/**
 * Reads values as leniently as pydantic does: UUIDs in any notation, booleans in many words, extra fields welcome.
 * Field errors are gathered, so that one answer names them all.
 */
import { type Issue, invalid } from './rejection.ts'

type Loc = readonly (string | number)[]

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Gathers field errors of one request. */
export class IssueList {
  readonly #issues: Issue[] = []

  /** Notes a field error. */
  add(loc: Loc, type: string, message: string): void {
    this.#issues.push({ loc, message, type })
  }

  /** Notes that a field is not there. */
  missing(...loc: Loc): void {
    this.add(loc, 'missing', 'Field required')
  }

  /** Raises what was gathered, if anything. */
  raise(): void {
    if (this.#issues.length > 0) throw invalid(this.#issues)
  }
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A UUID in canonical notation, from any notation that Python's uuid module takes. */
export function readUuid(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const digits = value
    .replace(/^urn:uuid:/i, '')
    .replace(/[{}-]/g, '')
    .toLowerCase()
  const groups = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(digits)
  return groups === null ? null : groups.slice(1).join('-')
}

/** A boolean from the words that pydantic takes for one. */
export function readBoolean(text: string): boolean | null {
  const word = text.toLowerCase()
  if (['true', '1', 'yes', 'on', 't', 'y'].includes(word)) return true
  if (['false', '0', 'no', 'off', 'f', 'n'].includes(word)) return false
  return null
}

/** The UUID in a path, or a field error. */
export function pathUuid(name: string, text: string | undefined): string {
  const id = readUuid(text)
  if (id !== null) return id
  throw invalid([{ loc: ['path', name], message: 'Input should be a valid UUID', type: 'uuid_parsing' }])
}

/** A body as an object, or a field error. */
export function bodyObject(body: unknown): JsonObject {
  if (isObject(body)) return body
  if (body === undefined) throw invalid([{ loc: ['body'], message: 'Field required', type: 'missing' }])
  throw invalid([{ loc: ['body'], message: 'Input should be a valid dictionary', type: 'model_attributes_type' }])
}
