/**
 * Declares the source of inner values for arrays and objects. It stands apart so that they do not import the class that
 * dispatches to them.
 */
import type fc from 'fast-check'
import type { Json } from '../../spec/index.ts'
import type { GraphNode } from './plan.ts'

export interface ShapeOptions {
  /** How often a recursive schema may enter itself. */
  readonly maxDepth: number
  /** How many items an array without an upper bound may have beyond its minimum. */
  readonly maxGrowth: number
  /** Whether objects that allow unknown properties get some. */
  readonly extraProperties: boolean
}

export interface NodeSource {
  readonly options: ShapeOptions
  /** The arbitrary of a satisfiable node with `budget` recursive steps left. */
  of(node: GraphNode, budget: number): fc.Arbitrary<Json>
}
