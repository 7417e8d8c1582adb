/** Cuts a trace into parts that fit into memory: whole components, in the order in which they begin. */
import type { TraceIndex } from './trace-index.ts'

/** Exchanges by their number in the trace. */
export interface TracePart {
  /** The exchanges that are judged in this part. */
  readonly own: readonly number[]
  /** Context exchanges, which are judged in another part. */
  readonly context: readonly number[]
}

/** Lists of other keys show the tenant of an assistant; more than this many are left out. */
const mostForeignLists = 64

/** The parts of a trace; a component that is larger than `mostBytes` is a part of its own. */
export function partsOf(index: TraceIndex, mostBytes: number): readonly TracePart[] {
  const bytesOf = new Map<number, number>()
  for (const [exchange, root] of index.components.entries())
    bytesOf.set(root, (bytesOf.get(root) ?? 0) + (index.lengths[exchange] ?? 0))
  const partOf = new Map<number, number[]>()
  const parts: number[][] = []
  let room = 0
  for (const [exchange, root] of index.components.entries()) {
    const known = partOf.get(root)
    const bytes = bytesOf.get(root) ?? 0
    if (known === undefined && (parts.length === 0 || bytes > room)) {
      parts.push([])
      room = mostBytes
    }
    const part = known ?? parts.at(-1) ?? []
    if (known === undefined) {
      room -= bytes
      partOf.set(root, part)
    }
    part.push(exchange)
  }
  return parts.map((own) => ({ own, context: contextFor(index, own) }))
}

/** The lists and successes that show facts missing from a part: the known assistants, and the valid keys. */
export function contextFor({ keys, context }: TraceIndex, own: readonly number[]): readonly number[] {
  const used = new Set(own.map((exchange) => keys[exchange]))
  const inside = new Set(own)
  let foreign = 0
  return context
    .filter(({ line, key, isList }) => {
      if (inside.has(line)) return false
      if (used.has(key)) return true
      if (isList) foreign += 1
      return isList && foreign <= mostForeignLists
    })
    .map(({ line }) => line)
}
