/**
 * Validates values with ajv, compiled once for a schema.
 * It is independent of how values are made, so that a wrong generator cannot confirm itself.
 */

import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import type { Json, JsonObject } from '../../spec/index.ts'
import { childPointer } from '../json/json-pointer.ts'
import { createAjv } from './ajv.ts'
import type { ValidatorOptions } from './validator-options.ts'

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
