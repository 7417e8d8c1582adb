/**
 * ajv as the one judge of validity: compiled once for a schema, asked for each value.
 * It is independent of how values are made, so that a wrong generator cannot agree with itself.
 */

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import type { Json, JsonObject } from '../../spec/index.ts'
import { childPointer } from '../json/json-pointer.ts'

export interface JudgeOptions {
  /** Further schema documents by absolute URI, for references that leave the schema. */
  readonly documents?: Readonly<Record<string, JsonObject | boolean>>
  /** `annotate` takes formats as comments, the default of the 2020-12 dialect; `assert` is the default here. */
  readonly formats?: 'assert' | 'annotate'
}

/** One error as ajv sees it, moved to the place where the fault is: a missing key is named by its own pointer. */
export interface Fault {
  readonly pointer: string
  readonly keyword: string
}

export interface SchemaValidator {
  accepts(value: Json): boolean
  /** Every fault of a value; empty when it is valid. */
  faults(value: Json): readonly Fault[]
}

/** The address under which the root of a schema without `$id` is known. */
export const rootUri = 'https://root.invalid/schema'

// ajv-formats is CommonJS: its callable sits behind `default` twice for a module that is type-checked as NodeNext.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => Ajv2020

/** An ajv 2020 with our settings; a fresh one each time, since ajv keeps every `$id` it has met. */
export function createAjv(options: JudgeOptions = {}, allErrors = false): Ajv2020 {
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

/** A judge of values for one schema; throws what ajv throws when the schema itself is broken. */
export function validatorOf(schema: JsonObject | boolean, options: JudgeOptions = {}): SchemaValidator {
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

/** Errors inside `contains` only tell why a candidate was no witness; the `contains` error itself is the fault. */
function isOwnFault({ schemaPath }: ErrorObject): boolean {
  return !/(?<!\/(?:properties|patternProperties|\$defs|definitions|dependentSchemas))\/contains\//u.test(schemaPath)
}

function faultOf({ instancePath, keyword, params }: ErrorObject): Fault {
  const name: unknown = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty
  return { pointer: typeof name === 'string' ? childPointer(instancePath, name) : instancePath, keyword }
}
