/**
 * What the graph of a schema is made of: nodes (conjunctions), their shapes (ways to satisfy them) and the plan of each.
 * Plans name other nodes; heights tell how deep the smallest value of a node or shape is, infinite when there is none.
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
  /** Whether a value of this node may hold another value of it. */
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

/** What may stand at one position, by the role that it plays for the `contains` rules. */
export interface Position {
  /** An item that is no witness; `null` where every item must be one. */
  readonly plain: GraphNode | null
  /** An item that satisfies the `contains` rule of that index. */
  readonly witnesses: readonly GraphNode[]
  /** An item that satisfies all of them at once. */
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
  /** Whether no schema names it: it is there for `minProperties`, or to show that unknown names are welcome. */
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

/** The lowest node that may stand at a position, as a height. */
export function positionHeight({ plain, witnesses, all }: Position): number {
  return Math.min(...[plain, all, ...witnesses].map((node) => node?.height ?? Number.POSITIVE_INFINITY))
}
