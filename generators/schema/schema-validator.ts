/**
 * Validates values with ajv, compiled once for a schema.
 * It is independent of how values are made, so that a wrong generator cannot confirm itself.
 */

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import type { Json, JsonObject } from '../../spec/index.ts'
import { childPointer } from '../json/json-pointer.ts'

export interface ValidatorOptions {
  /** Further schema documents by absolute URI, for references that leave the schema. */
  readonly documents?: Readonly<Record<string, JsonObject | boolean>>
  /** `annotate` ignores formats, the default of the 2020-12 dialect; `assert` is the default here. */
  readonly formats?: 'assert' | 'annotate'
}

/** One error of ajv at the place of the fault: a missing key has its own pointer. */
export interface Fault {
  readonly pointer: string
  readonly keyword: string
}

export interface SchemaValidator {
  accepts(value: Json): boolean
  /** Every fault of a value; empty if it is valid. */
  faults(value: Json): readonly Fault[]
}

/** The URI of the root of a schema without `$id`. */
export const rootUri = 'https://root.invalid/schema'

// ajv-formats is CommonJS: NodeNext types its callable as `default.default`.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => Ajv2020

/** A new ajv with our settings; new each time, because ajv keeps every `$id`. */
export function createAjv(options: ValidatorOptions = {}, allErrors = false): Ajv2020 {
  const assert = options.formats !== 'annotate'
  const ajv = new Ajv2020({
    strict: false,
    allErrors,
    validateFormats: assert,
    validateSchema: false,
    logger: false,
    addUsedSchema: false,
  })
  if (assert) addFormats(ajv)
  for (const [uri, document] of Object.entries(options.documents ?? {})) ajv.addSchema(document as object, uri)
  return ajv
}

/** A validator for one schema; throws the error of ajv if the schema itself is invalid. */
export function validatorOf(schema: JsonObject | boolean, options: ValidatorOptions = {}): SchemaValidator {
  let quick: ValidateFunction | undefined
  let thorough: ValidateFunction | undefined
  return {
    accepts: (value) => {
      quick ??= createAjv(options).compile(schema as object)
      return quick(value)
    },
    faults: (value) => {
      thorough ??= createAjv(options, true).compile(schema as object)
      return thorough(value) ? [] : (thorough.errors ?? []).filter(isOwnFault).map(faultOf)
    },
  }
}

/** Errors inside `contains` describe single items; the error of `contains` itself is the fault. */
function isOwnFault({ schemaPath }: ErrorObject): boolean {
  return !/(?<!\/(?:properties|patternProperties|\$defs|definitions|dependentSchemas))\/contains\//u.test(schemaPath)
}

function faultOf({ instancePath, keyword, params }: ErrorObject): Fault {
  const name: unknown = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty
  return { pointer: typeof name === 'string' ? childPointer(instancePath, name) : instancePath, keyword }
}
