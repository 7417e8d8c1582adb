/**
 * Follows references inside a document and finds broken ones.
 * A document is bundled: its references stay inside it.
 */
import { isJsonObject, type Json, type JsonObject } from './json.ts'

/** The target of a local reference (`#/components/…`), or `undefined`. */
export const resolveReference = (document: JsonObject, reference: string): Json | undefined => {
  if (!reference.startsWith('#/')) return undefined
  let node: Json | undefined = document
  for (const segment of reference.slice(2).split('/')) {
    const key = decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~')
    node = isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined
  }
  return node
}

/** The object itself, or the target of its `$ref`; empty if there is none. */
export const dereferenced = (document: JsonObject, value: Json | undefined): JsonObject => {
  const followed = new Set<string>()
  let node = value
  while (isJsonObject(node) && typeof node.$ref === 'string') {
    if (followed.has(node.$ref)) return {}
    followed.add(node.$ref)
    node = resolveReference(document, node.$ref)
  }
  return isJsonObject(node) ? node : {}
}

/** The first reference without a target inside the document; `null` if there is none. */
export const brokenReference = (document: JsonObject): string | null => {
  const search = (node: Json): string | null => {
    if (Array.isArray(node)) return firstOf(node, search)
    if (!isJsonObject(node)) return null
    const { $ref } = node
    if (typeof $ref === 'string' && resolveReference(document, $ref) === undefined) return $ref
    // Examples are data: a `$ref` inside their value is not a reference.
    return firstOf(Object.entries(node), ([key, child]) =>
      key === 'value' || key === 'example' ? null : search(child),
    )
  }
  return search(document)
}

const firstOf = <T>(items: Iterable<T>, search: (item: T) => string | null): string | null => {
  for (const item of items) {
    const found = search(item)
    if (found !== null) return found
  }
  return null
}
