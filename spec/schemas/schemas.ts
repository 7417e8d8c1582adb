/**
 * Returns the schemas of the document as plain JSON Schema 2020-12, by operation and part.
 * The suite judges by them, the mock checks requests with them, the generators draw values from them. Each is self-contained.
 */

import { type BuiltInProfile, documentOf } from '../document/document.ts'
import { isJsonObject, type JsonObject } from '../document/json.ts'
import type { OperationId } from '../operations.ts'
import {
  componentsOf,
  operationParameters,
  type ParameterSchema,
  partSchema,
  type SchemaPart,
} from './document-schemas.ts'
import { standaloneSchema } from './standalone-schema.ts'

/** A built-in profile, or a document that `loadDocument` returned. */
type SchemaSource = BuiltInProfile | JsonObject

/** The schema of a part of an operation, or `null` where the profile has none. */
export const schemaOf = (
  operation: OperationId,
  part: SchemaPart,
  source: SchemaSource = 'contract',
): JsonObject | null => {
  const document = documentFrom(source)
  const schema = partSchema(document, operation, part)
  return schema === null ? null : standaloneSchema(document, schema)
}

/** The parameters of an operation; empty if the profile lacks it. The api-key header is a security scheme, not a parameter. */
export const parametersOf = (operation: OperationId, source: SchemaSource = 'contract'): readonly ParameterSchema[] => {
  const document = documentFrom(source)
  return operationParameters(document, operation).map((parameter) => ({
    ...parameter,
    schema: standaloneSchema(document, parameter.schema),
  }))
}

/** A named schema of the document, for example `AssistantMessage` or `ErrorBody`; `null` if there is none. */
export const componentSchema = (name: string, source: SchemaSource = 'contract'): JsonObject | null => {
  const document = documentFrom(source)
  const schema = componentsOf(document)[name]
  return isJsonObject(schema) ? standaloneSchema(document, schema) : null
}

/** Names of the component schemas of a profile. */
export const componentNames = (source: SchemaSource = 'contract'): readonly string[] =>
  Object.keys(componentsOf(documentFrom(source)))

const documentFrom = (source: SchemaSource): JsonObject => (typeof source === 'string' ? documentOf(source) : source)
