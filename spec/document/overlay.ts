/**
 * Applies an OpenAPI Overlay 1.0 to a document, without side effects.
 * A failed action is returned as data; overlay-file.ts finds its place in the file. See docs/decisions/0003-overlay.md.
 */
import { jsonpath } from 'json-p3'
import { isJsonObject, type Json, type JsonObject } from './json.ts'

/** One step of an overlay: a target, and either a merge or a removal. Fields that begin with `x-` are comments. */
export interface OverlayAction {
  readonly target: string
  readonly update?: Json
  readonly remove?: boolean
}

/** Why an action cannot be applied; `field` is the part of the action to correct. */
interface OverlayFault {
  readonly action: number
  readonly field: 'target' | 'update' | 'remove'
  readonly reason: string
  readonly fix: string
}

type OverlayResult =
  | { readonly ok: true; readonly document: JsonObject }
  | { readonly ok: false; readonly fault: OverlayFault }

type Mutable = Json[] | Record<string, Json>
type Problem = Omit<OverlayFault, 'action'>

/** Applies the actions in order to a copy of the document; the first fault stops it. */
export const applyOverlay = (document: JsonObject, actions: readonly OverlayAction[]): OverlayResult => {
  const copy = structuredClone(document) as Record<string, Json>
  for (const [index, action] of actions.entries()) {
    const problem = applyAction(copy, action)
    if (problem) return { ok: false, fault: { action: index, ...problem } }
  }
  return { ok: true, document: copy }
}

const applyAction = (root: Record<string, Json>, action: OverlayAction): Problem | null => {
  const selected = select(root, action.target)
  if (!Array.isArray(selected)) return selected
  if (action.remove === true) return removeAll(root, selected)
  if (action.update === undefined) {
    return { field: 'target', reason: 'the action has neither update nor remove', fix: 'add one of the two' }
  }
  for (const location of selected) {
    const problem = updateNode(nodeAt(root, location), action.update)
    if (problem) return { field: 'update', ...problem }
  }
  return null
}

type Location = readonly (string | number)[]

const select = (root: JsonObject, target: string): Location[] | Problem => {
  try {
    const locations = jsonpath.query(target, root as Parameters<typeof jsonpath.query>[1]).locations()
    if (locations.length > 0) return locations
    return {
      field: 'target',
      reason: `target selects nothing: ${target}`,
      fix: 'correct the path, or drop the action (acs spec prints the document it applies to)',
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { field: 'target', reason: `target is not a JSONPath: ${reason}`, fix: 'use the syntax of RFC 9535' }
  }
}

const nodeAt = (root: Json, location: Location): Json =>
  location.reduce<Json>((node, segment) => (node as Record<string | number, Json>)[segment] as Json, root)

const removeAll = (root: Record<string, Json>, locations: readonly Location[]): Problem | null => {
  // Last first, because removing an element shifts the ones after it.
  for (const location of locations.toReversed()) {
    const key = location.at(-1)
    if (key === undefined)
      return { field: 'remove', reason: 'the whole document cannot be removed', fix: 'narrow the target' }
    const parent = nodeAt(root, location.slice(0, -1)) as Mutable
    if (Array.isArray(parent)) parent.splice(Number(key), 1)
    else delete parent[key]
  }
  return null
}

const updateNode = (node: Json, update: Json): Omit<Problem, 'field'> | null => {
  if (Array.isArray(node)) {
    node.push(...structuredClone(Array.isArray(update) ? update : [update]))
    return null
  }
  if (isJsonObject(node) && isJsonObject(update)) return mergeInto(node as Record<string, Json>, update, '')
  return isJsonObject(node)
    ? { reason: 'an object can only be updated with an object', fix: 'write update as a map of fields' }
    : { reason: 'target selects a plain value', fix: 'select the object that holds it, and name the field in update' }
}

const mergeInto = (node: Record<string, Json>, update: JsonObject, path: string): Omit<Problem, 'field'> | null => {
  for (const [key, value] of Object.entries(update)) {
    const old = Object.hasOwn(node, key) ? node[key] : undefined
    if (old === undefined || (kindOf(old) === 'value' && kindOf(value) === 'value')) {
      Object.defineProperty(node, key, {
        value: structuredClone(value),
        enumerable: true,
        writable: true,
        configurable: true,
      })
    } else if (kindOf(old) !== kindOf(value)) {
      return {
        reason: `${path}/${key} is of kind ${kindOf(old)}, not ${kindOf(value)}`,
        fix: 'remove the field in an earlier action',
      }
    } else {
      const problem = isJsonObject(value)
        ? mergeInto(old as Record<string, Json>, value, `${path}/${key}`)
        : updateNode(old, value)
      if (problem) return problem
    }
  }
  return null
}

const kindOf = (value: Json): 'object' | 'array' | 'value' => {
  if (Array.isArray(value)) return 'array'
  return isJsonObject(value) ? 'object' : 'value'
}
