/**
 * Holds the `meta_data` of a message to the schema of an assistant, at once and without a schema compiler.
 * Seeds and edits are made in one step, and compiling takes longer than a start. Keywords that are not read here (patterns,
 * formats, alternatives, references) decide nothing.
 */
import { canonicalJson } from '../../spec/index.ts'
import { fieldFaults, type SchemaFault } from '../http/field-errors.ts'
import type { FieldFault } from '../reasons/reason.ts'
import { isObject } from '../scenario/meta-data.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'

/** Every field of `meta_data` that the schema forbids or misses, with its place from the message on. */
export function metaDataFaults(metaData: Json, schema: JsonObject): readonly FieldFault[] {
  return fieldFaults(['meta_data'], metaData, faultsAt('', metaData, schema))
}

type Found = readonly SchemaFault[]

function faultsAt(instancePath: string, value: Json, schema: Json | undefined): Found {
  if (!isObject(schema)) return []
  const types = [schema.type].flat().filter((name) => typeof name === 'string')
  const fault = (keyword: string, params: SchemaFault['params']): Found => [
    { instancePath, schemaPath: '', keyword, params },
  ]
  if (types.length > 0 && !types.some((name) => isOfType(value, name))) return fault('type', { type: types })
  if (schema.const !== undefined && !isSame(value, schema.const)) {
    return fault('const', { allowedValue: schema.const })
  }
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => isSame(value, one))) {
    return fault('enum', { allowedValues: schema.enum })
  }
  const limits = Object.entries(withinLimit).flatMap(([keyword, fits]) => {
    const limit = schema[keyword]
    return typeof limit === 'number' && !fits(value, limit) ? fault(keyword, { limit }) : []
  })
  return [...limits, ...innerFaults(instancePath, value, schema)]
}

/** The check of a limit for values of its type; other values pass. */
const withinLimit: Readonly<Record<string, (value: Json, limit: number) => boolean>> = {
  minimum: (value, limit) => typeof value !== 'number' || value >= limit,
  maximum: (value, limit) => typeof value !== 'number' || value <= limit,
  minLength: (value, limit) => typeof value !== 'string' || [...value].length >= limit,
  maxLength: (value, limit) => typeof value !== 'string' || [...value].length <= limit,
  minItems: (value, limit) => !Array.isArray(value) || value.length >= limit,
}

function innerFaults(place: string, value: Json, { properties, required, additionalProperties, items }: JsonObject) {
  if (Array.isArray(value)) return value.flatMap((item, index) => faultsAt(`${place}/${index}`, item, items))
  if (!isObject(value)) return []
  const known = isObject(properties) ? properties : {}
  const missing = (Array.isArray(required) ? required : []).filter((name) => !Object.hasOwn(value, String(name)))
  return [
    ...missing.map((missingProperty): SchemaFault => {
      return { instancePath: place, schemaPath: '', keyword: 'required', params: { missingProperty } }
    }),
    ...Object.entries(value).flatMap(([name, inner]): Found => {
      const own = `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      if (Object.hasOwn(known, name)) return faultsAt(own, inner, known[name])
      if (additionalProperties !== false) return faultsAt(own, inner, additionalProperties)
      return [{ instancePath: own, schemaPath: '', keyword: 'additionalProperties', params: {} }]
    }),
  ]
}

function isOfType(value: Json, name: string): boolean {
  switch (name) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === name
  }
}

const isSame = (left: Json, right: Json): boolean => canonicalJson(left) === canonicalJson(right)
