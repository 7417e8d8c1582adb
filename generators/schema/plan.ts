/**
 * Defines the graph of a schema: nodes (conjunctions), their shapes (ways to satisfy them) and plans.
 * A height is the depth of the smallest value of a node or shape, infinite if there is none.
 */

import type fc from 'fast-check'
import type { Json } from '../../spec/index.ts'
import type { Draft } from './draft.ts'
import type { Term } from './term.ts'

export interface GraphNode {
  readonly key: string
  readonly terms: readonly Term[]
  shapes: readonly Shape[]
  height: number
  /** True if a value of this node may contain another value of it. */
  recursive: boolean
}

export interface Shape {
  readonly draft: Draft
  readonly plan: Plan
  height: number
}

export type Plan = ValuesPlan | LeafPlan | ArrayPlan | ObjectPlan

interface ValuesPlan {
  readonly kind: 'values'
  readonly values: readonly Json[]
}

interface LeafPlan {
  readonly kind: 'leaf'
  readonly arbitrary: fc.Arbitrary<Json>
}

/** The nodes for one position of an array, by their role for the `contains` rules. */
export interface Position {
  /** An item that matches no `contains` rule; `null` if every item must match one. */
  readonly plain: GraphNode | null
  /** An item that satisfies the `contains` rule of that index. */
  readonly witnesses: readonly GraphNode[]
  /** An item that satisfies all `contains` rules. */
  readonly all: GraphNode | null
}

export interface ArrayPlan {
  readonly kind: 'array'
  readonly prefix: readonly Position[]
  readonly rest: Position
}

export interface Slot {
  readonly name: string
  readonly node: GraphNode
  readonly required: boolean
  /** True if no schema names it: it is used for `minProperties` or as an unknown property. */
  readonly extra: boolean
}

export interface ObjectPlan {
  readonly kind: 'object'
  readonly slots: readonly Slot[]
}

/** The position rules for an index. */
export function positionAt(plan: ArrayPlan, index: number): Position {
  return plan.prefix[index] ?? plan.rest
}

/** The height of the lowest node for a position. */
export function positionHeight({ plain, witnesses, all }: Position): number {
  return Math.min(...[plain, all, ...witnesses].map((node) => node?.height ?? Number.POSITIVE_INFINITY))
}
