/**
 * Writes canonical JSON and its digest.
 * Two texts of the same data are byte-equal, so a report can name the contract that it was judged by.
 */
import { createHash } from 'node:crypto'

/** The JSON text of JSON data with sorted keys and no white space (RFC 8785); fields that are `undefined` are left out. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  // Not via a sorted object: JavaScript always lists integer-like keys first.
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{${fields
    .sort(byKey)
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`)
    .join(',')}}`
}

/** The SHA-256 of the canonical JSON text, in hex. */
export const digestOf = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex')

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)
