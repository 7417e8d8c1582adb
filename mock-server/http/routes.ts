/**
 * Maps method and path to an operation: a tree over the path templates of the contract's operations. It is not a router
 * library because sockets and `mock.fetch` share it and percent signs must not be interpreted.
 */
import { type OperationId, operationIds, operations } from '../../spec/index.ts'

type Route =
  | { readonly kind: 'operation'; readonly operation: OperationId; readonly parameter: string | null }
  | { readonly kind: 'wrong-method'; readonly allow: string }
  | { readonly kind: 'unknown' }

interface Node {
  readonly literal: Map<string, Node>
  parameter: Node | null
  readonly methods: Map<string, OperationId>
}

const emptyNode = (): Node => ({ literal: new Map(), parameter: null, methods: new Map() })

/** Path of the upload below the world's base; its last segment is the file's id. */
const uploadPath = '/v1/uploads/{file_id}'

const root = emptyNode()
for (const id of operationIds) grow(operations[id].path ?? uploadPath, operations[id].method, id)

function grow(template: string, method: string, operation: OperationId): void {
  let node = root
  for (const segment of template.split('/').slice(1)) {
    let next = segment.startsWith('{') ? node.parameter : node.literal.get(segment)
    if (next === null || next === undefined) {
      next = emptyNode()
      if (segment.startsWith('{')) node.parameter = next
      else node.literal.set(segment, next)
    }
    node = next
  }
  node.methods.set(method, operation)
}

/** Finds the operation of a path (without query); HEAD is answered as GET without a body. */
export function routeOf(method: string, path: string): Route {
  let node: Node | null = root
  let parameter: string | null = null
  // Not split('/'): a path is scanned once, and its segments need no array.
  for (let start = path.indexOf('/') + 1; start > 0 && node !== null; ) {
    const slash = path.indexOf('/', start)
    const segment = decoded(slash < 0 ? path.slice(start) : path.slice(start, slash))
    const literal: Node | undefined = node.literal.get(segment)
    if (literal === undefined && node.parameter !== null) parameter = segment
    // A slash at the end names nothing.
    node = literal ?? (segment === '' && slash < 0 ? null : node.parameter)
    start = slash + 1
  }
  if (node === null || node.methods.size === 0) return { kind: 'unknown' }
  const operation = node.methods.get(method === 'HEAD' ? 'GET' : method)
  if (operation === undefined) return { kind: 'wrong-method', allow: allowed(node) }
  return { kind: 'operation', operation, parameter }
}

function allowed(node: Node): string {
  const methods = [...node.methods.keys()]
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
