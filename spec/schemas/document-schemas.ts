/**
 * Finds the schemas inside an OpenAPI document, by operation and part.
 * It loads no document, so the generator of the built-in ones can use it too; results still refer to the components.
 */
import { isJsonObject, type Json, type JsonObject, objectAt } from '../document/json.ts'
import { dereferenced } from '../document/references.ts'
import type { OperationId } from '../operations.ts'

export const schemaParts = ['request', 'response', 'chunk', 'error'] as const
/** `chunk` is one line of a stream; `error` the body of a rejection. */
export type SchemaPart = (typeof schemaParts)[number]

export interface ParameterSchema {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  /** Schema of the value after parsing: a number for `limit`, a boolean for `persist`. */
  readonly schema: JsonObject
}

/** The component schemas of a document by name. */
export const componentsOf = (document: JsonObject): JsonObject => objectAt(objectAt(document, 'components'), 'schemas')

/** The schema of a part of an operation as the document has it, or `null`. */
export const partSchema = (document: JsonObject, id: OperationId, part: SchemaPart): JsonObject | null => {
  const operation = findOperation(document, id)?.operation
  if (operation === undefined) return null
  if (part === 'request') return jsonSchema(dereferenced(document, operation.requestBody))
  const responses = Object.entries(objectAt(operation, 'responses')).map(
    ([status, response]) => [status, dereferenced(document, response)] as const,
  )
  const success = responses.find(([status]) => status.startsWith('2'))?.[1] ?? {}
  if (part === 'response') return jsonSchema(success)
  if (part === 'chunk') return schemaAt(objectAt(objectAt(success, 'content'), 'application/x-ndjson'), 'x-itemSchema')
  const rejections = responses.filter(([status]) => !status.startsWith('2')).map(([, response]) => jsonSchema(response))
  return rejections.find((schema) => schema !== null) ?? null
}

/** The parameters of an operation, path-level ones first; empty if the document has no such operation. */
export const operationParameters = (document: JsonObject, id: OperationId): readonly ParameterSchema[] => {
  const found = findOperation(document, id)
  if (found === null) return []
  return [found.path.parameters, found.operation.parameters].flatMap((list) =>
    Array.isArray(list) ? list.map((entry: Json) => parameter(dereferenced(document, entry))) : [],
  )
}

const parameter = (entry: JsonObject): ParameterSchema => ({
  name: String(entry.name),
  in: entry.in as ParameterSchema['in'],
  required: entry.required === true,
  schema: objectAt(entry, 'schema'),
})

const findOperation = (
  document: JsonObject,
  id: OperationId,
): { readonly path: JsonObject; readonly operation: JsonObject } | null => {
  for (const path of Object.values(objectAt(document, 'paths'))) {
    if (!isJsonObject(path)) continue
    const operation = Object.values(path).find((entry) => isJsonObject(entry) && entry.operationId === id)
    if (isJsonObject(operation)) return { path, operation }
  }
  return null
}

const jsonSchema = (carrier: JsonObject): JsonObject | null =>
  schemaAt(objectAt(objectAt(carrier, 'content'), 'application/json'), 'schema')

const schemaAt = (parent: JsonObject, key: string): JsonObject | null => {
  const schema = parent[key]
  return isJsonObject(schema) ? schema : null
}
