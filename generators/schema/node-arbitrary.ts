/**
 * Turns the nodes of the graph into arbitraries.
 * Recursive nodes are unrolled up to a budget, then only the lowest shapes and required parts remain, so that every value is finite.
 */

import fc from 'fast-check'
import type { Json } from '../../spec/index.ts'
import { fittingShare, GenerationStuck, guarded } from '../arbitraries/guarded.ts'
import type { NodeSource, ShapeOptions } from './node-source.ts'
import type { GraphNode, Shape } from './plan.ts'
import type { TermValidator } from './term-validator.ts'
import { arrayArbitrary } from './values/arrays.ts'
import { objectArbitrary } from './values/objects.ts'

export class NodeArbitraries implements NodeSource {
  readonly options: ShapeOptions
  readonly #judge: TermValidator
  readonly #made = new Map<string, fc.Arbitrary<Json>>()

  constructor(judge: TermValidator, options: ShapeOptions) {
    this.#judge = judge
    this.options = options
  }

  /** The arbitrary of a satisfiable node with `budget` recursive steps left. */
  of(node: GraphNode, budget: number): fc.Arbitrary<Json> {
    const left = Math.max(0, node.recursive ? budget - 1 : budget)
    const key = `${left} ${node.key}`
    const known = this.#made.get(key)
    if (known !== undefined) return known
    const usable =
      node.recursive && left === 0 ? node.shapes.filter(({ height }) => height === node.height) : node.shapes
    const options = usable.map((shape) => this.#shape(shape, left)).filter((made) => made !== null)
    if (options.length === 0) throw new GenerationStuck('a negated term', 0)
    const [only] = options
    const made = only !== undefined && options.length === 1 ? only : fc.oneof(...options)
    this.#made.set(key, made)
    return made
  }

  /** `null` for a shape whose residual negated terms reject every value of a sample. */
  #shape(shape: Shape, budget: number): fc.Arbitrary<Json> | null {
    const made = this.#plan(shape, budget)
    const { residual } = shape.draft
    if (residual.length === 0) return made
    const fits = this.#judge.predicate(residual)
    return fittingShare(made, fits) === 0 ? null : guarded(made, fits, 'a negated term')
  }

  #plan(shape: Shape, budget: number): fc.Arbitrary<Json> {
    const { plan } = shape
    switch (plan.kind) {
      case 'values':
        return fc.constantFrom(...plan.values)
      case 'leaf':
        return plan.arbitrary
      case 'array':
        return arrayArbitrary(this, shape, plan, budget)
      case 'object':
        return objectArbitrary(this, shape, plan, budget)
    }
  }
}
