/**
 * `${NAME}` references in a profile: resolved from the environment on loading; their values count as secrets.
 */
import type { DataProblem } from './schema-problems.ts'
import { type DataPath, nameOfPath } from './yaml-location.ts'

export type Environment = Readonly<Record<string, string | undefined>>

interface Resolved {
  readonly data: unknown
  /** Every value that came out of the environment, except in the base URL. */
  readonly secrets: readonly string[]
  readonly problems: readonly DataProblem[]
}

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** Whether a text holds a reference. */
export const hasReference = (text: string): boolean => text.search(reference) >= 0

const missing = (path: DataPath, name: string): DataProblem => ({
  path,
  at: 'value',
  reason: `${nameOfPath(path)} needs the environment variable ${name}, which is not set`,
  fix: `export ${name}=… and run again`,
})

/** Shorter values are not looked for in the evidence, since they could be words of it. */
const shortestSecret = 6

const tooShort = (path: DataPath, name: string): DataProblem => ({
  path,
  at: 'value',
  reason: `${nameOfPath(path)} contains ${name}, whose value is too short to be redacted in the report`,
  fix: `use at least ${shortestSecret} characters, or write the value literally if it is not a secret`,
})

/** The data with every reference resolved. */
export const resolveReferences = (data: unknown, environment: Environment): Resolved => {
  const secrets = new Set<string>()
  const problems: DataProblem[] = []
  const text = (value: string, path: DataPath): string =>
    value.replace(reference, (whole, name: string) => {
      const found = environment[name]
      if (found === undefined || found === '') {
        problems.push(missing(path, name))
        return whole
      }
      if (path[0] === 'transport' && found.length < shortestSecret) problems.push(tooShort(path, name))
      if (path[0] !== 'baseUrl') secrets.add(found)
      return found
    })
  const walk = (value: unknown, path: DataPath): unknown => {
    if (typeof value === 'string') return text(value, path)
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, index]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner, [...path, key])]))
  }
  return { data: walk(data, []), secrets: [...secrets], problems }
}
