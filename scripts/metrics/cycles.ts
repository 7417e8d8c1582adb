/** Finds the cycles of a directed graph: its strongly connected components of two nodes and more. */

type Graph = ReadonlyMap<string, ReadonlySet<string>>

interface Visit {
  readonly index: number
  low: number
}

/** Tarjan's algorithm. Members of a cycle are sorted, and so are the cycles: the biggest first. */
export const cyclesOf = (graph: Graph): readonly (readonly string[])[] => {
  const visits = new Map<string, Visit>()
  const open: string[] = []
  const cycles: string[][] = []

  const close = (node: string): void => {
    const members = open.splice(open.indexOf(node)).sort()
    if (members.length > 1) cycles.push(members)
  }

  const visit = (node: string): Visit => {
    const own: Visit = { index: visits.size, low: visits.size }
    visits.set(node, own)
    open.push(node)
    for (const next of graph.get(node) ?? []) {
      const known = visits.get(next)
      if (known === undefined) own.low = Math.min(own.low, visit(next).low)
      else if (open.includes(next)) own.low = Math.min(own.low, known.index)
    }
    if (own.low === own.index) close(node)
    return own
  }

  for (const node of graph.keys()) if (!visits.has(node)) visit(node)
  return cycles.sort((a, b) => b.length - a.length || String(a[0]).localeCompare(String(b[0])))
}

/** Builds a graph from pairs of nodes; pairs of a node with itself are dropped. */
export const graphOf = (edges: Iterable<readonly [string, string]>): Graph => {
  const graph = new Map<string, Set<string>>()
  for (const [from, to] of edges) {
    if (from === to) continue
    graph.set(from, (graph.get(from) ?? new Set()).add(to))
  }
  return graph
}
