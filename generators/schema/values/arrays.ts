/**
 * Draws arrays: a length, the positions of the items that `contains` needs, then all items.
 * Unique arrays draw distinct items, duplicates copy an item.
 */

import fc from 'fast-check'
import { canonicalJson, type Json } from '../../../spec/index.ts'
import { guarded } from '../../arbitraries/guarded.ts'
import { jsonEquals } from '../../json/json-value.ts'
import { fewestItems, mostItems } from '../heights.ts'
import type { NodeSource } from '../node-source.ts'
import { type ArrayPlan, type GraphNode, type Position, positionAt, type Shape } from '../plan.ts'

/** Arrays of a shape. */
export function arrayArbitrary(nodes: NodeSource, shape: Shape, plan: ArrayPlan, budget: number): fc.Arbitrary<Json> {
  const { draft } = shape
  const least = fewestItems(shape, plan)
  const most = growthOf(nodes, shape, plan, budget, least)
  const made = madeOf(nodes, shape, plan, budget, { least, most })
  const duplicated = draft.duplicate ? made.map(withDuplicate) : made
  if (draft.excluded.length === 0) return duplicated
  return guarded(duplicated, (value) => !draft.excluded.some((other) => jsonEquals(other, value)), 'an array')
}

interface Lengths {
  readonly least: number
  readonly most: number
}

function madeOf(
  nodes: NodeSource,
  shape: Shape,
  plan: ArrayPlan,
  budget: number,
  { least, most }: Lengths,
): fc.Arbitrary<readonly Json[]> {
  const { draft } = shape
  const { plain } = plan.rest
  // Building the items of an empty array would never end for a recursive schema.
  if (most === 0) return fc.constant([])
  if (plan.prefix.length === 0 && draft.contains.length === 0) {
    if (plain === null || !Number.isFinite(plain.height)) return fc.constant([])
    return uniformArray(nodes.of(plain, budget), plain, draft.unique, { least, most })
  }
  const filled = layoutsOf(shape, plan, { least, most }).chain((layout) =>
    fc.tuple(...layout.map((node) => nodes.of(node, budget))),
  )
  return draft.unique ? guarded(filled, isUnique, 'an array of different items') : filled
}

/** The greatest length: a little more than the minimum, at most the upper bound. */
function growthOf(nodes: NodeSource, shape: Shape, plan: ArrayPlan, budget: number, least: number): number {
  const highest = mostItems(plan, shape.draft.maxItems)
  if (budget <= 0 && plan.rest.plain?.recursive === true) return Math.min(highest, Math.max(least, plan.prefix.length))
  return Math.min(highest, Math.max(least, plan.prefix.length) + nodes.options.maxGrowth)
}

function uniformArray(
  item: fc.Arbitrary<Json>,
  node: GraphNode,
  unique: boolean,
  { least, most }: Lengths,
): fc.Arbitrary<readonly Json[]> {
  const lengths = { minLength: least, maxLength: most, size: 'max' } as const
  if (!unique) return fc.array(item, lengths)
  const domain = finiteDomain(node)
  if (domain === null) return fc.uniqueArray(item, { ...lengths, selector: canonicalJson })
  const bounded = { minLength: Math.min(least, domain.length), maxLength: Math.min(most, domain.length) }
  return fc.shuffledSubarray([...domain], bounded)
}

/** Every value of a node if they are listed, otherwise `null`. */
function finiteDomain(node: GraphNode): readonly Json[] | null {
  const values: Json[] = []
  for (const { plan, draft } of node.shapes) {
    if (plan.kind !== 'values' || draft.residual.length > 0) return null
    values.push(...plan.values)
  }
  return [...new Map(values.map((value) => [canonicalJson(value), value])).values()]
}

/** The node for each position: items for `contains` are spread over the positions that allow them. */
function layoutsOf(shape: Shape, plan: ArrayPlan, { least, most }: Lengths): fc.Arbitrary<readonly GraphNode[]> {
  const spread = fc.array(fc.nat(9999), { minLength: 24, maxLength: 24 })
  const length = fc.integer({ min: least, max: Math.max(least, most) })
  const layouts = fc.tuple(length, spread).map(([size, dice]) => layoutOf(shape, plan, size, dice))
  return guarded(
    layouts.map((layout) => layout ?? []),
    (layout) => layout.length >= least,
    'a place for every witness',
  )
}

function layoutOf(shape: Shape, plan: ArrayPlan, size: number, dice: readonly number[]): readonly GraphNode[] | null {
  const { contains } = shape.draft
  const places: (GraphNode | null)[] = Array.from({ length: size }, () => null)
  const owed = contains.map(({ min }) => min)
  let die = 0
  const roll = (sides: number): number => (dice[die++ % dice.length] ?? 0) % sides
  for (const rule of contains.keys()) {
    while ((owed[rule] ?? 0) > 0) {
      const free = [...places.keys()].filter(
        (at) => places[at] === null && witnessFor(positionAt(plan, at), rule) !== null,
      )
      const at = free[roll(Math.max(1, free.length))]
      if (at === undefined) return null
      const position = positionAt(plan, at)
      const together = alive(position.all)
      const crowded = owed.reduce((sum, left) => sum + left, 0) > places.filter((place) => place === null).length
      const own = alive(position.witnesses[rule] ?? null)
      const useAll = together !== null && (crowded || own === null)
      places[at] = useAll ? together : own
      for (const other of contains.keys()) {
        if (other === rule || useAll) owed[other] = (owed[other] ?? 0) - 1
      }
    }
  }
  return fillPlain(places, plan)
}

function fillPlain(places: readonly (GraphNode | null)[], plan: ArrayPlan): readonly GraphNode[] | null {
  const filled = places.map((place, at) => place ?? anyNode(positionAt(plan, at)))
  return filled.some((node) => node === null) ? null : filled.filter((node) => node !== null)
}

function anyNode({ plain, witnesses, all }: Position): GraphNode | null {
  return alive(plain) ?? witnesses.map(alive).find((node) => node !== null) ?? alive(all)
}

function witnessFor(position: Position, rule: number): GraphNode | null {
  return alive(position.witnesses[rule] ?? null) ?? alive(position.all)
}

function alive(node: GraphNode | null): GraphNode | null {
  return node !== null && Number.isFinite(node.height) ? node : null
}

function isUnique(items: readonly Json[]): boolean {
  return new Set(items.map(canonicalJson)).size === items.length
}

function withDuplicate(items: readonly Json[]): readonly Json[] {
  const [first, , ...rest] = items
  return first === undefined ? items : [first, first, ...rest]
}
