/**
 * Indexes every subschema by base URI, pointer and anchors, and resolves `$ref`.
 * The schema object itself is the key, so that the rest of the compiler can pass bare objects around.
 */
import { isJsonObject, type Json, type JsonObject } from '../../spec/index.ts'
import { childPointer, valueAt } from '../json/json-pointer.ts'
import { isJsonArray } from '../json/json-value.ts'
import { createAjv, rootUri } from './ajv.ts'

export type Schema = boolean | JsonObject

/** Where a schema object was found. */
interface Place {
  /** URI of the schema resource around it. */
  readonly base: string
  /** URI of the document and the pointer inside it. */
  readonly document: string
  readonly pointer: string
}

const singleKeywords = [
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]
const listKeywords = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const mapKeywords = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties']

/** Assertions of older dialects and of OpenAPI 3.0 that ajv checks and construction does not support. */
const foreignKeywords = ['dependencies', '$recursiveRef', 'nullable']

export class SchemaDocuments {
  readonly root: Schema
  /** True if any indexed schema uses dynamic scope; otherwise the scope is not tracked. */
  usesDynamicReferences = false
  /** References without a target. */
  readonly unresolved: string[] = []
  /** Keywords of other dialects. */
  readonly foreign: { readonly keyword: string; readonly pointer: string }[] = []
  readonly #places = new Map<JsonObject, Place>()
  readonly #resources = new Map<string, JsonObject>()
  readonly #anchors = new Map<string, JsonObject>()
  readonly #dynamicAnchors = new Map<string, Set<string>>()
  readonly #further: Readonly<Record<string, Schema>>

  constructor(root: Schema, further: Readonly<Record<string, Schema>> = {}) {
    this.root = root
    this.#further = further
    this.#index(root, { base: rootUri, document: rootUri, pointer: '' })
  }

  /** The place of a schema object; objects of no document count as the root. */
  placeOf(schema: Schema): Place {
    const known = typeof schema === 'boolean' ? undefined : this.#places.get(schema)
    return known ?? { base: rootUri, document: rootUri, pointer: '' }
  }

  /** The schema that a reference names, or `null` if it has no target. */
  resolve(reference: string, base: string): Schema | null {
    const target = this.#find(reference, base)
    if (target === null && !this.unresolved.includes(reference)) this.unresolved.push(reference)
    return target
  }

  /** The dynamic anchors that a resource defines. */
  dynamicAnchorsOf(base: string): ReadonlySet<string> {
    return this.#dynamicAnchors.get(base) ?? new Set()
  }

  #find(reference: string, base: string): Schema | null {
    const uri = joinUri(reference, base)
    const [resource = '', fragment = ''] = uri.split('#', 2)
    const document = this.#resources.get(resource) ?? this.#load(resource)
    if (document === undefined) return null
    if (fragment === '') return document
    if (!fragment.startsWith('/')) return this.#anchors.get(`${resource}#${fragment}`) ?? null
    return this.#walk(document, decodeURIComponent(fragment))
  }

  /** The target of a `$dynamicRef`, given the resources passed through, outermost first. */
  resolveDynamic(reference: string, base: string, scope: readonly string[]): Schema | null {
    const target = this.resolve(reference, base)
    const anchor = joinUri(reference, base).split('#', 2)[1] ?? ''
    if (!isJsonObject(target) || target.$dynamicAnchor !== anchor || anchor === '') return target
    const outermost = [...scope, base].find((resource) => this.dynamicAnchorsOf(resource).has(anchor))
    return outermost === undefined ? target : (this.#anchors.get(`${outermost}#${anchor}`) ?? target)
  }

  #load(uri: string): JsonObject | undefined {
    const document = this.#further[uri] ?? metaSchema(uri)
    if (!isJsonObject(document)) return undefined
    this.#resources.set(uri, document)
    this.#index(document, { base: uri, document: uri, pointer: '' })
    return document
  }

  #walk(document: JsonObject, pointer: string): Schema | null {
    const target = valueAt(document, pointer)
    if (typeof target === 'boolean') return target
    if (!isJsonObject(target)) return null
    if (!this.#places.has(target)) {
      const from = this.placeOf(document)
      this.#index(target, { ...from, pointer: `${from.pointer}${pointer}` })
    }
    return target
  }

  #index(schema: Json | undefined, found: Place): void {
    if (!isJsonObject(schema) || this.#places.has(schema)) return
    const place = typeof schema.$id === 'string' ? { ...found, base: withoutFragment(schema.$id, found.base) } : found
    this.#places.set(schema, place)
    if (place.pointer === '' || place.base !== found.base) this.#resources.set(place.base, schema)
    if (found.pointer === '') this.#resources.set(found.base, schema)
    this.#indexAnchors(schema, place.base)
    for (const keyword of foreignKeywords) {
      if (schema[keyword] !== undefined) this.foreign.push({ keyword, pointer: place.pointer })
    }
    for (const [child, pointer] of subschemasOf(schema)) {
      this.#index(child, { ...place, pointer: `${place.pointer}${pointer}` })
    }
  }

  #indexAnchors(schema: JsonObject, base: string): void {
    if (typeof schema.$dynamicRef === 'string') this.usesDynamicReferences = true
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const anchor = schema[keyword]
      if (typeof anchor !== 'string') continue
      this.#anchors.set(`${base}#${anchor}`, schema)
      if (keyword === '$dynamicAnchor') this.#dynamicAnchors.set(base, new Set(this.dynamicAnchorsOf(base)).add(anchor))
    }
  }
}

/** Every direct subschema with its relative pointer. */
function* subschemasOf(schema: JsonObject): Generator<readonly [Json, string]> {
  for (const keyword of singleKeywords) {
    const child = schema[keyword]
    if (child !== undefined) yield [child, `/${keyword}`]
  }
  for (const keyword of listKeywords) {
    const list = schema[keyword]
    if (!isJsonArray(list)) continue
    for (const [index, child] of list.entries()) yield [child, `/${keyword}/${index}`]
  }
  for (const keyword of mapKeywords) {
    const map = schema[keyword]
    if (!isJsonObject(map)) continue
    for (const [name, child] of Object.entries(map)) yield [child, childPointer(`/${keyword}`, name)]
  }
}

function joinUri(reference: string, base: string): string {
  if (reference.startsWith('#')) return `${base}${reference}`
  try {
    return new URL(reference, base).href
  } catch {
    return reference
  }
}

function withoutFragment(reference: string, base: string): string {
  return joinUri(reference, base).split('#', 1)[0] ?? base
}

function metaSchema(uri: string): Schema | undefined {
  const known = createAjv().getSchema(uri)?.schema
  return known === undefined ? undefined : (known as Schema)
}
