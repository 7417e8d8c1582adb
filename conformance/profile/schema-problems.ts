/**
 * Validates a profile against target.schema.json and describes each problem and its fix. The fix comes
 * from the schema's own descriptions, so that editor and command line say the same.
 */
import { readFileSync } from 'node:fs'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { distance } from 'fastest-levenshtein'
import { type DataPath, nameOfPath, pathOfPointer } from './yaml-location.ts'

export interface DataProblem {
  readonly path: DataPath
  /** Whether the name at the path is wrong rather than its value. */
  readonly at: 'key' | 'value'
  readonly reason: string
  readonly fix: string
  /** The field that is missing. */
  readonly missing?: DataPath
  /** The field that a wrong name stands for. */
  readonly meant?: DataPath
}

type SchemaNode = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is SchemaNode => typeof value === 'object' && value !== null

let compiled: Promise<ValidateFunction> | null = null

/** The schema as it is shipped; compiled on first use, since most commands read no profile. */
const validator = (): Promise<ValidateFunction> => {
  compiled ??= import('ajv/dist/2020.js').then(({ default: { Ajv2020 } }) => {
    const schema: unknown = JSON.parse(readFileSync(new URL('./target.schema.json', import.meta.url), 'utf8'))
    return new Ajv2020({ allErrors: true, verbose: true, discriminator: true, strictTypes: false }).compile(
      schema as object,
    )
  })
  return compiled
}

const descriptionOf = (schema: unknown): string => {
  const text = isNode(schema) && typeof schema.description === 'string' ? schema.description : ''
  return text.replace(/\.$/, '')
}

const propertiesOf = (schema: unknown): SchemaNode =>
  isNode(schema) && isNode(schema.properties) ? schema.properties : {}

const bare = (name: string): string => name.toLowerCase().replace(/[_-]/g, '')

/** The known name that was probably meant. */
export const nearest = (name: string, known: readonly string[]): string | undefined =>
  known
    .map((candidate) => ({ candidate, far: distance(bare(name), bare(candidate)) }))
    .filter(({ far }) => far <= 2)
    .sort((left, right) => left.far - right.far)[0]?.candidate

const unknownField = (path: DataPath, name: string, schema: unknown): DataProblem => {
  const known = Object.keys(propertiesOf(schema))
  const meant = nearest(name, known)
  const fix = meant === undefined ? `remove it; known there: ${known.join(', ')}` : `did you mean "${meant}"?`
  const reason = `${nameOfPath(path)} has no field "${name}"`
  return { path: [...path, name], at: 'key', reason, fix, ...(meant === undefined ? {} : { meant: [...path, meant] }) }
}

const missingField = (path: DataPath, name: string, schema: unknown): DataProblem => {
  const description = descriptionOf(propertiesOf(schema)[name])
  const fix = description === '' ? `add "${name}"` : `add "${name}": ${description}`
  return { path, at: 'key', reason: `${nameOfPath(path)} lacks the field "${name}"`, fix, missing: [...path, name] }
}

const withArticle = (type: string): string => (type === 'null' ? type : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`)

const kindOf = (data: unknown): string => {
  if (data === null) return 'null'
  return withArticle(Array.isArray(data) ? 'array' : typeof data)
}

const wordsOf: Readonly<Record<string, (error: ErrorObject) => string>> = {
  type: ({ params, data }) => `must be ${withArticle(String(params.type))}, not ${kindOf(data)}`,
  enum: ({ params }) => `must be one of ${(params.allowedValues as readonly string[]).join(', ')}`,
  const: ({ params }) => `must be ${JSON.stringify(params.allowedValue)}`,
  discriminator: () => 'must be one of static, http, command',
  pattern: () => 'does not have the right form',
}

const problemOf = (error: ErrorObject): DataProblem => {
  const path = pathOfPointer(error.instancePath)
  const { params, keyword, parentSchema } = error
  if (keyword === 'additionalProperties') return unknownField(path, String(params.additionalProperty), parentSchema)
  if (keyword === 'required') return missingField(path, String(params.missingProperty), parentSchema)
  const words = wordsOf[keyword]?.(error) ?? error.message ?? 'is not valid'
  const description = descriptionOf(parentSchema)
  const place = keyword === 'discriminator' ? [...path, 'kind'] : path
  const isUnquoted = keyword === 'type' && params.type === 'string' && ['number', 'boolean'].includes(typeof error.data)
  const help = isUnquoted ? `put it in quotes: "${String(error.data)}"` : 'see docs/profile.md'
  const fix = description === '' ? help : description
  return { path: place, at: 'value', reason: `${nameOfPath(place)} ${words}`, fix }
}

/** `null | object` fails in each branch; only the problems of the intended branch are useful. */
const isBranchNoise = (error: ErrorObject): boolean =>
  error.keyword === 'oneOf' || (error.keyword === 'type' && error.params.type === 'null')

/** A field that is missing because its name is misspelt is one problem. */
const withoutMisspelt = (problems: readonly DataProblem[]): readonly DataProblem[] => {
  const misspelt = problems.flatMap(({ meant }) => (meant === undefined ? [] : [nameOfPath(meant)]))
  return problems.filter(({ missing }) => missing === undefined || !misspelt.includes(nameOfPath(missing)))
}

/** All problems of the data; empty when it fits. */
export const schemaProblems = async (data: unknown): Promise<readonly DataProblem[]> => {
  const validate = await validator()
  if (validate(data)) return []
  const errors = validate.errors ?? []
  const telling = errors.filter((error) => !isBranchNoise(error))
  return withoutMisspelt((telling.length > 0 ? telling : errors).map(problemOf))
}
