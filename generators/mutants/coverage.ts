/**
 * Groups mutants into cells of operation, place, keyword and operator.
 * Positions in lists count as one, so that the number of cells does not grow with the length of a list.
 */
import type { OperationId } from '../../spec/index.ts'
import type { Mutant } from './mutant.ts'

interface Cell {
  readonly operation: OperationId
  readonly location: Mutant['location']
  readonly pointer: string
  readonly keyword: string
  readonly operator: string
}

/** The cell that a mutant belongs to. */
export function cellOf({ operation, location, pointer, keyword, operator }: Mutant): Cell {
  return { operation, location, pointer: pointer.replaceAll(/\/\d+(?=\/|$)/gu, '/*'), keyword, operator }
}

/** One text for each cell. */
export function cellKey({ operation, location, pointer, keyword, operator }: Cell): string {
  return [operation, location, pointer || '/', keyword, operator].join(' ')
}

/** One mutant for each cell, the first that hits it: the shortest list with full coverage. */
export function oneForEachCell(mutants: Iterable<Mutant>): readonly Mutant[] {
  const chosen = new Map<string, Mutant>()
  for (const mutant of mutants) {
    const key = cellKey(cellOf(mutant))
    if (!chosen.has(key)) chosen.set(key, mutant)
  }
  return [...chosen.values()]
}
