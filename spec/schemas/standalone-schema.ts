/**
 * Extracts a self-contained schema from an OpenAPI document.
 * References point into its own `$defs` and `x-` fields are removed, so that any JSON Schema 2020-12 tool can read it.
 */
import { isJsonObject, type Json, type JsonObject } from '../document/json.ts'
import { resolveReference } from '../document/references.ts'

/** Returns the new reference to a component. */
type Relink = (componentName: string) => string

const components = '#/components/schemas/'

/** The schema, with everything that it refers to (directly or not) under `$defs`. */
export const standaloneSchema = (document: JsonObject, schema: JsonObject): JsonObject => {
  const definitions: Record<string, Json> = {}
  const link = (name: string): string => {
    if (!Object.hasOwn(definitions, name)) {
      // Reserved before the recursion, so that it ends for a schema that refers to itself.
      definitions[name] = {}
      definitions[name] = relinked(resolveReference(document, components + name) ?? {}, link)
    }
    return `#/$defs/${name}`
  }
  const root = relinked(schema, link) as JsonObject
  return Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions }
}

/** The schema with every reference to a component rewritten and without `x-` fields. */
export const relinked = (schema: Json, link: Relink): Json => {
  if (!isJsonObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !keyword.startsWith('x-'))
      .map(([keyword, value]) => [keyword, relinkedKeyword(keyword, value, link)]),
  )
}

const schemaMaps = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs'])
const plainData = new Set(['const', 'enum', 'default', 'examples', 'required', 'type'])

const relinkedKeyword = (keyword: string, value: Json, link: Relink): Json => {
  if (keyword === '$ref' && typeof value === 'string' && value.startsWith(components)) {
    return link(value.slice(components.length))
  }
  if (plainData.has(keyword)) return value
  if (Array.isArray(value)) return value.map((entry) => relinked(entry, link))
  if (schemaMaps.has(keyword) && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, relinked(entry, link)]))
  }
  return relinked(value, link)
}
