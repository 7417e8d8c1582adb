/** Finds the line and column of a value in a YAML text. */
import { type Document, isMap, isNode, isScalar, type LineCounter, type Node, type Pair } from 'yaml'

export type DataPath = readonly (string | number)[]

interface Place {
  /** Counted from 1. */
  readonly line: number
  readonly column: number
}

const nodeAt = (document: Document.Parsed, path: DataPath): Node | null => {
  const found: unknown = path.length === 0 ? document.contents : document.getIn(path, true)
  return isNode(found) ? found : null
}

const keyNode = (document: Document.Parsed, path: DataPath): Node | null => {
  const map = nodeAt(document, path.slice(0, -1))
  if (!isMap(map)) return null
  const key = path.at(-1)
  const pair = map.items.find((item: Pair) => isScalar(item.key) && String(item.key.value) === String(key))
  return pair !== undefined && isNode(pair.key) ? pair.key : null
}

/** The place of the value at a path; with `key`, the place of its name. Otherwise the nearest existing parent. */
export const yamlLocation = (
  document: Document.Parsed,
  lines: LineCounter,
  path: DataPath,
  at: 'key' | 'value' = 'value',
): Place => {
  const own = at === 'key' ? (keyNode(document, path) ?? nodeAt(document, path)) : nodeAt(document, path)
  const offset = own?.range?.[0]
  if (offset !== undefined) {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  return path.length === 0 ? { line: 1, column: 1 } : yamlLocation(document, lines, path.slice(0, -1), 'key')
}

/** A JSON pointer as a path. */
export const pathOfPointer = (pointer: string): DataPath =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment))

/** A path as people write it: `tenants.primary.key`, `threads.threads[0].id`. */
export const nameOfPath = (path: DataPath): string =>
  path.length === 0
    ? 'the profile'
    : path
        .map((segment, index) => (typeof segment === 'number' ? `[${segment}]` : `${index === 0 ? '' : '.'}${segment}`))
        .join('')
