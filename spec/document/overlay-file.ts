/**
 * Reads overlay files and reports each fault with file, line, reason and fix.
 * Only this half of the overlay code knows YAML and the file system.
 */
import { readFile } from 'node:fs/promises'
import { isScalar, LineCounter, type Node, type Pair, parseDocument, visit } from 'yaml'
import { isJsonObject, type Json, type JsonObject } from './json.ts'
import { applyOverlay, type OverlayAction } from './overlay.ts'
import { OverlayError, type OverlayPlace } from './overlay-error.ts'
import { brokenReference } from './references.ts'

/** Reads an overlay file and applies it to a document. Throws OverlayError. */
export const overlayDocumentWithFile = async (document: JsonObject, file: string): Promise<JsonObject> =>
  overlayDocumentWithText(document, await readOverlay(file), file)

/** Applies an overlay given as YAML or JSON text; `file` is the name used in errors. Throws OverlayError. */
export const overlayDocumentWithText = (document: JsonObject, text: string, file: string): JsonObject => {
  const source = parseSource(text, file)
  const actions = checkedActions(source)
  const result = applyOverlay(document, actions)
  if (!result.ok) {
    const { action, field, reason, fix } = result.fault
    throw source.error(['actions', action, field], `action ${action + 1}: ${reason}`, fix)
  }
  const reference = brokenReference(result.document)
  if (reference !== null) {
    throw source.errorAtValue(
      reference,
      `reference has no target: ${reference}`,
      'define it in the overlay, or use one that exists',
    )
  }
  return result.document
}

const readOverlay = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    const reason = code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`
    throw new OverlayError({ file, line: null, column: null }, reason, 'name an OpenAPI Overlay file', cause)
  }
}

interface Source {
  readonly value: Json
  error(path: readonly (string | number)[], reason: string, fix: string): OverlayError
  errorAtValue(value: string, reason: string, fix: string): OverlayError
}

const parseSource = (text: string, file: string): Source => {
  const lines = new LineCounter()
  const yaml = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const at = (offset: number): OverlayPlace => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const broken = yaml.errors[0]
  if (broken) throw new OverlayError(at(broken.pos[0]), broken.message, 'repair the YAML')
  return {
    // Via JSON, so that a YAML alias becomes a copy and not a shared object.
    value: JSON.parse(JSON.stringify(yaml.toJS({ maxAliasCount: 1000 }))) as Json,
    error: (path, reason, fix) => new OverlayError(at(offsetOf(yaml.contents, path)), reason, fix),
    errorAtValue: (value, reason, fix) => new OverlayError(at(offsetOfReference(yaml.contents, value)), reason, fix),
  }
}

/** The offset of the deepest existing node on the path: a missing field is reported at its parent. */
const offsetOf = (root: Node | null, path: readonly (string | number)[]): number => {
  let node: unknown = root
  let offset = root?.range?.[0] ?? 0
  for (const segment of path) {
    const next = (node as { get?: (key: unknown, keep: true) => unknown } | null)?.get?.(segment, true)
    if (!next) break
    node = next
    offset = (next as Node).range?.[0] ?? offset
  }
  return offset
}

const offsetOfReference = (root: Node | null, reference: string): number => {
  let offset = root?.range?.[0] ?? 0
  visit(root, {
    Pair: (_key, pair: Pair) => {
      if (!isScalar(pair.key) || pair.key.value !== '$ref' || !isScalar(pair.value)) return undefined
      if (pair.value.value !== reference) return undefined
      offset = pair.value.range?.[0] ?? offset
      return visit.BREAK
    },
  })
  return offset
}

const checkedActions = (source: Source): readonly OverlayAction[] => {
  const { value } = source
  if (!isJsonObject(value)) throw source.error([], 'an overlay is a map', 'begin with overlay, info and actions')
  if (typeof value.overlay !== 'string' || !/^1\.0\.\d+$/.test(value.overlay)) {
    throw source.error(['overlay'], 'not an Overlay 1.0 document', 'begin with overlay: 1.0.0')
  }
  if (!Array.isArray(value.actions) || value.actions.length === 0) {
    throw source.error(['actions'], 'there are no actions', 'list at least one under actions')
  }
  return value.actions.map((action: Json, index) => checkedAction(source, action, index))
}

const knownFields = new Set(['target', 'description', 'update', 'remove'])

const checkedAction = (source: Source, action: Json, index: number): OverlayAction => {
  const path = ['actions', index]
  const fail = (reason: string, fix: string, ...field: string[]) =>
    source.error([...path, ...field], `action ${index + 1}: ${reason}`, fix)
  if (!isJsonObject(action)) throw fail('an action is a map', 'give it target, and update or remove')
  if (typeof action.target !== 'string') throw fail('target is missing', 'add a JSONPath as target', 'target')
  const unknown = Object.keys(action).find((key) => !knownFields.has(key) && !key.startsWith('x-'))
  if (unknown !== undefined) {
    throw fail(
      `unknown field ${unknown}`,
      'use target, description, update, remove or a field that begins with x-',
      unknown,
    )
  }
  if (action.remove !== undefined && typeof action.remove !== 'boolean') {
    throw fail('remove is neither true nor false', 'write remove: true', 'remove')
  }
  return {
    target: action.target,
    ...(action.update === undefined ? {} : { update: action.update }),
    ...(action.remove === undefined ? {} : { remove: action.remove }),
  }
}
