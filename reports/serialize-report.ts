/**
 * The report as bytes: keys in one fixed order, so that equal reports are equal files. Lone surrogates are escaped by JSON
 * itself; the file ends with a line feed.
 */
import type { Report } from './report.ts'

/** The top-level order in which a person reads a report; everything below is alphabetical. */
const readingOrder = [
  'schemaVersion',
  'run',
  'cost',
  'verdicts',
  'replays',
  'observations',
  'notices',
  'rules',
  'questions',
  'exchanges',
] as const satisfies readonly (keyof Report)[]

/** report.json: two-space indented JSON with stable key order. */
export function serializeReport(report: Report): string {
  const ordered = Object.fromEntries(
    readingOrder.flatMap((key) => (report[key] === undefined ? [] : [[key, sortKeys(report[key])]])),
  )
  return `${JSON.stringify(ordered, null, 2)}\n`
}

/** JSON of any value with keys sorted at every level and no white space: the form that digests are taken of. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(value))
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  const sorted: Record<string, unknown> = {}
  for (const [key, inner] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) setPlain(sorted, key, sortKeys(inner))
  return sorted
}

/** A target's `__proto__` is a plain key; objects without a prototype would be three times as slow to write. */
function setPlain(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}
