/**
 * Finds the places of a valid value that the schema constrains.
 * There is one site for each instance pointer. Branches of anyOf, oneOf and if count if the value lies in them.
 */
import { isJsonObject, type Json, type JsonObject } from '../../spec/index.ts'
import { childPointer } from '../json/json-pointer.ts'
import { isJsonArray } from '../json/json-value.ts'
import type { Schema, SchemaDocuments } from '../schema/schema-documents.ts'

export interface Site {
  readonly pointer: string
  readonly value: Json
  /** The schema objects that apply to the value, references followed. */
  readonly schemas: readonly JsonObject[]
}

/** Decides whether a value lies in a branch; asked only for anyOf, oneOf and if. */
export type BranchTest = (schema: Schema, value: Json) => boolean

/** Every site of a value, the root first. */
export function sitesOf(documents: SchemaDocuments, value: Json, inBranch: BranchTest): readonly Site[] {
  const sites: Site[] = []
  const visit = (schemas: readonly Schema[], at: Json, pointer: string): void => {
    const bound = schemas.flatMap((schema) => inPlace(documents, schema, at, inBranch, new Set()))
    if (bound.length === 0) return
    sites.push({ pointer, value: at, schemas: bound })
    for (const [key, child] of membersOf(at)) {
      visit(
        bound.flatMap((schema) => childSchemas(schema, at, key)),
        child,
        childPointer(pointer, key),
      )
    }
  }
  visit([documents.root], value, '')
  return sites
}

/** The values of a keyword in all schemas of a site. */
export function keywordValues(site: Site, keyword: string): readonly Json[] {
  return site.schemas.flatMap((schema) => {
    const value = schema[keyword]
    return value === undefined ? [] : [value]
  })
}

function inPlace(
  documents: SchemaDocuments,
  schema: Schema,
  value: Json,
  inBranch: BranchTest,
  seen: Set<Schema>,
): readonly JsonObject[] {
  if (typeof schema === 'boolean' || seen.has(schema)) return []
  seen.add(schema)
  const deeper: Schema[] = [...schemaList(schema.allOf)]
  if (typeof schema.$ref === 'string') {
    const target = documents.resolve(schema.$ref, documents.placeOf(schema).base)
    if (target !== null) deeper.push(target)
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    deeper.push(...schemaList(schema[keyword]).filter((branch) => inBranch(branch, value)))
  }
  const condition = schema.if
  if (condition !== undefined) {
    const then = inBranch(condition as Schema, value) ? 'then' : 'else'
    if (schema[then] !== undefined) deeper.push(schema[then] as Schema)
  }
  return [schema, ...deeper.flatMap((next) => inPlace(documents, next, value, inBranch, seen))]
}

function membersOf(value: Json): readonly (readonly [string | number, Json])[] {
  if (isJsonArray(value)) return [...value.entries()]
  return isJsonObject(value) ? Object.entries(value) : []
}

function childSchemas(schema: JsonObject, value: Json, key: string | number): readonly Schema[] {
  return isJsonArray(value) ? itemSchemas(schema, Number(key)) : propertySchemas(schema, String(key))
}

function itemSchemas(schema: JsonObject, index: number): readonly Schema[] {
  const prefix = schemaList(schema.prefixItems)
  const own = prefix[index] ?? schema.items
  return own === undefined ? [] : [own as Schema]
}

function propertySchemas(schema: JsonObject, name: string): readonly Schema[] {
  const properties = schema.properties
  const found: Schema[] = []
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) found.push(properties[name] as Schema)
  const patterns = schema.patternProperties
  for (const [pattern, child] of Object.entries(isJsonObject(patterns) ? patterns : {})) {
    if (new RegExp(pattern, 'u').test(name)) found.push(child as Schema)
  }
  if (found.length === 0 && schema.additionalProperties !== undefined) {
    found.push(schema.additionalProperties as Schema)
  }
  return found
}

function schemaList(value: Json | undefined): readonly Schema[] {
  return isJsonArray(value) ? (value as readonly Schema[]) : []
}
