/** Canonical JSON and its digest: two texts of the same data are byte-equal, so that evidence can name the law it was judged by. */
import { createHash } from 'node:crypto'

/** The JSON text of a value with sorted keys and no white space (RFC 8785). */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sortedObjects)

/** The SHA-256 of the canonical JSON text, in hex. */
export const digestOf = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex')

const sortedObjects = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
