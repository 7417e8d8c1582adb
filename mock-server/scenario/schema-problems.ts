/** Validates a scenario file by scenario.schema.json and explains each problem. */
import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { suggestionFor } from '../option-error.ts'
import { type DataPath, type ScenarioProblem, unknownField } from './scenario-problem.ts'
import { scenarioSchema } from './scenario-schema.ts'

const options = { allErrors: true, verbose: true, allowUnionTypes: true } as const
let compiled: ValidateFunction | undefined
let compiledTurn: ValidateFunction | undefined

/** All problems with the shape of the data; empty when it fits. */
export function schemaProblems(data: unknown): readonly ScenarioProblem[] {
  compiled ??= new Ajv2020(options).compile(scenarioSchema())
  return compiled(data) ? [] : (compiled.errors ?? []).map(problemOf)
}

/** The same for a turn alone; places begin with `result`. */
export function turnShapeProblems(data: unknown): readonly ScenarioProblem[] {
  compiledTurn ??= new Ajv2020(options)
    .addSchema(scenarioSchema(), 'scenario')
    .compile({ $ref: 'scenario#/$defs/turn' })
  if (compiledTurn(data)) return []
  return (compiledTurn.errors ?? []).map(problemOf).map((one) => ({ ...one, path: ['result', ...one.path] }))
}

function problemOf(error: ErrorObject): ScenarioProblem {
  const path = pathOfPointer(error.instancePath)
  const { params, keyword, parentSchema, message = 'is not valid' } = error
  if (keyword === 'additionalProperties')
    return unknownFieldProblem(path, String(params.additionalProperty), parentSchema)
  if (keyword === 'required') return missingField(path, String(params.missingProperty), parentSchema)
  const allowed =
    keyword === 'enum' ? `must be one of ${(params.allowedValues as readonly string[]).join(', ')}` : message
  return { path, at: 'value', problem: allowed, fix: descriptionOf(parentSchema) }
}

function unknownFieldProblem(path: DataPath, name: string, schema: unknown): ScenarioProblem {
  const known = Object.keys(propertiesOf(schema))
  return { path: [...path, name], at: 'key', problem: unknownField, fix: suggestionFor(name, known) }
}

function missingField(path: DataPath, name: string, schema: unknown): ScenarioProblem {
  const fix = `add it: ${descriptionOf(propertiesOf(schema)[name])}`
  return { path, at: 'key', problem: `lacks the field "${name}"`, fix }
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  const { properties } = schema as { readonly properties?: Readonly<Record<string, unknown>> }
  return properties ?? {}
}

function descriptionOf(schema: unknown): string {
  const { description } = (schema ?? {}) as { readonly description?: string }
  return description?.replace(/\.$/, '') ?? 'see scenario.schema.json'
}

function pathOfPointer(pointer: string): DataPath {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step))
}
