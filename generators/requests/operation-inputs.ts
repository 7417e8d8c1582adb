/**
 * Compiles the inputs of an operation once, on first use: the arbitraries of its body and parameters.
 * Operations of the reference profile alone are read from that profile.
 */

import type fc from 'fast-check'
import {
  type Json,
  type JsonObject,
  type OperationId,
  operations,
  type ParameterSchema,
  parametersOf,
  schemaOf,
} from '../../spec/index.ts'
import { type CompiledSchema, compileSchema, UnsupportedSchema } from '../schema/compile-schema.ts'
import { semanticConstraints } from './semantic-constraints.ts'

interface OperationInputs {
  readonly operation: OperationId
  readonly parameters: readonly ParameterInput[]
  /** `null` for an operation without a JSON body. */
  readonly body: BodyInput | null
}

export interface ParameterInput extends ParameterSchema {
  readonly values: fc.Arbitrary<Json>
}

interface BodyInput {
  readonly schema: JsonObject
  readonly compiled: CompiledSchema
}

export type RequestProfile = 'contract' | 'reference'

const known = new Map<string, OperationInputs>()

/** The inputs of an operation; reading `values` or `compiled` throws `UnsupportedSchema` where the schema cannot be compiled. */
export function inputsOf(operation: OperationId, profile?: RequestProfile): OperationInputs {
  const source = profile ?? operations[operation].profile
  const key = `${operation} ${source}`
  const inputs = known.get(key) ?? compiledInputs(operation, source)
  known.set(key, inputs)
  return inputs
}

function compiledInputs(operation: OperationId, source: RequestProfile): OperationInputs {
  const schema = schemaOf(operation, 'request', source) as JsonObject | null
  return {
    operation,
    parameters: parametersOf(operation, source).map((parameter) => {
      const compiled = once(() => supported(compileSchema(parameter.schema as JsonObject)))
      return {
        ...parameter,
        get values() {
          return compiled().arbitrary
        },
      }
    }),
    body: schema === null ? null : bodyInput(operation, schema),
  }
}

function bodyInput(operation: OperationId, schema: JsonObject): BodyInput {
  const compiled = once(() => supported(compileSchema(sensible(operation, schema))))
  return {
    schema,
    get compiled() {
      return compiled()
    },
  }
}

/** Mutants need the schema alone; compiling the arbitraries takes hundreds of milliseconds. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function sensible(operation: OperationId, schema: JsonObject): JsonObject {
  const sense = semanticConstraints[operation]
  if (sense === undefined) return schema
  const { $defs = {}, ...rest } = schema
  return { $defs, allOf: [rest, sense] }
}

function supported(compiled: CompiledSchema): CompiledSchema {
  if (!compiled.support.supported) throw new UnsupportedSchema(compiled.support.unsupported)
  return compiled
}
