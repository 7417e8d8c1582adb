/**
 * Computes which nodes can be satisfied and how deep their smallest value is, as a fixpoint.
 * Endless recursion and required parts that nothing satisfies get infinite heights.
 */
import { type ArrayPlan, type GraphNode, type ObjectPlan, positionAt, positionHeight, type Shape } from './plan.ts'

/** Sets every height, drops shapes without one, and marks the nodes that can hold themselves. */
export function settleHeights(nodes: Iterable<GraphNode>): void {
  const all = [...nodes]
  for (let changed = true; changed; ) {
    changed = false
    for (const node of all) {
      for (const shape of node.shapes) shape.height = heightOf(shape)
      const height = Math.min(...node.shapes.map((shape) => shape.height))
      if (height !== node.height) changed = true
      node.height = height
    }
  }
  for (const node of all) node.shapes = node.shapes.filter(({ height }) => Number.isFinite(height))
  markRecursive(all)
}

/** The most items that an array plan can hold: it ends before the first position that nothing fills. */
export function mostItems(plan: ArrayPlan, maxItems: number): number {
  const dead = plan.prefix.findIndex((position) => !Number.isFinite(positionHeight(position)))
  const fillable = dead >= 0 ? dead : Number.isFinite(positionHeight(plan.rest)) ? maxItems : plan.prefix.length
  return Math.min(maxItems, fillable)
}

/** The fewest items that meet both the count and the witnesses. */
export function fewestItems(shape: Shape, plan: ArrayPlan): number {
  const { contains, minItems } = shape.draft
  const needs = contains.map(({ min }) => min)
  const total = needs.reduce((sum, min) => sum + min, 0)
  const together = [...plan.prefix, plan.rest].some(({ all }) => Number.isFinite(all?.height ?? Number.NaN))
  return Math.max(minItems, together ? Math.max(0, ...needs) : total)
}

function heightOf(shape: Shape): number {
  const { plan } = shape
  if (plan.kind === 'object') return objectHeight(plan, shape)
  return plan.kind === 'array' ? arrayHeight(plan, shape) : 0
}

function objectHeight({ slots }: ObjectPlan, { draft }: Shape): number {
  const needed = slots.filter(({ required }) => required).map(({ node }) => node.height)
  const open = slots
    .filter(({ required }) => !required)
    .map(({ node }) => node.height)
    .sort((left, right) => left - right)
  const missing = Math.max(0, draft.minProperties - needed.length)
  if (missing > open.length || needed.length > draft.maxProperties) return Number.POSITIVE_INFINITY
  return 1 + Math.max(0, ...needed, ...open.slice(0, missing))
}

function arrayHeight(plan: ArrayPlan, shape: Shape): number {
  const { draft } = shape
  const fewest = fewestItems(shape, plan)
  if (fewest > mostItems(plan, draft.maxItems)) return Number.POSITIVE_INFINITY
  const positions = [...plan.prefix, plan.rest]
  const witnesses = draft.contains.map(({ min }, rule) =>
    min === 0 ? 0 : Math.min(...positions.map((position) => witnessHeight(position, rule))),
  )
  const filled = Array.from({ length: Math.min(fewest, plan.prefix.length + 1) }, (_, index) =>
    positionHeight(positionAt(plan, index)),
  )
  return 1 + Math.max(0, ...witnesses, ...filled)
}

function witnessHeight(
  { witnesses, all }: { witnesses: readonly GraphNode[]; all: GraphNode | null },
  rule: number,
): number {
  return Math.min(witnesses[rule]?.height ?? Number.POSITIVE_INFINITY, all?.height ?? Number.POSITIVE_INFINITY)
}

function childrenOf(node: GraphNode): readonly GraphNode[] {
  return node.shapes.flatMap(({ plan }) => {
    if (plan.kind === 'object') return plan.slots.map((slot) => slot.node)
    if (plan.kind !== 'array') return []
    return [...plan.prefix, plan.rest].flatMap(({ plain, witnesses, all }) =>
      [plain, all, ...witnesses].filter((child) => child !== null),
    )
  })
}

function markRecursive(nodes: readonly GraphNode[]): void {
  for (const node of nodes) {
    const reached = new Set<GraphNode>()
    const open = [...childrenOf(node)]
    for (let next = open.pop(); next !== undefined && !reached.has(node); next = open.pop()) {
      if (reached.has(next)) continue
      reached.add(next)
      open.push(...childrenOf(next))
    }
    node.recursive = reached.has(node)
  }
}
