/**
 * Which cells of operation × pointer × keyword × operator a set of mutants hits, and which of the reachable ones it misses.
 * Positions in lists count as one, so that the number of cells does not grow with the length of a list.
 */
import fc from 'fast-check'
import type { OperationId } from '../../spec/index.ts'
import { type SampleOptions, sample, splitSeed } from '../random/sampler.ts'
import type { Mutant } from './mutant.ts'

export interface Cell {
  readonly operation: OperationId
  readonly location: Mutant['location']
  readonly pointer: string
  readonly keyword: string
  readonly operator: string
}

export interface CoverageReport {
  readonly reachable: number
  readonly hit: number
  readonly missed: readonly Cell[]
}

/** The cell that a mutant belongs to. */
export function cellOf({ operation, location, pointer, keyword, operator }: Mutant): Cell {
  return { operation, location, pointer: pointer.replaceAll(/\/\d+(?=\/|$)/gu, '/*'), keyword, operator }
}

/** One text for each cell. */
export function cellKey({ operation, location, pointer, keyword, operator }: Cell): string {
  return [operation, location, pointer || '/', keyword, operator].join(' ')
}

/** How many of the cells that `reachable` shows are hit by `sent`. */
export function coverageReport(reachable: Iterable<Mutant>, sent: Iterable<Mutant>): CoverageReport {
  const cells = new Map<string, Cell>()
  for (const mutant of reachable) cells.set(cellKey(cellOf(mutant)), cellOf(mutant))
  const hit = new Set<string>()
  for (const mutant of sent) hit.add(cellKey(cellOf(mutant)))
  const missed = [...cells].filter(([key]) => !hit.has(key)).map(([, cell]) => cell)
  return { reachable: cells.size, hit: cells.size - missed.length, missed }
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

/** A sample in which every place of a request is as likely as any other, however many operators work on it. */
export function sampleOverPlaces(mutants: Iterable<Mutant>, { seed, count }: SampleOptions): readonly Mutant[] {
  const places = new Map<string, Mutant[]>()
  for (const mutant of mutants) {
    const { operation, location, pointer } = cellOf(mutant)
    const place = `${operation} ${location} ${pointer}`
    places.set(place, [...(places.get(place) ?? []), mutant])
  }
  if (places.size === 0) return []
  const chosen = sample(fc.tuple(fc.constantFrom(...places.values()), fc.nat(999_983)), {
    seed: splitSeed(seed, 'places'),
    count,
  })
  return chosen.flatMap(([at, die]) => at[die % at.length] ?? [])
}
