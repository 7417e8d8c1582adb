/**
 * Types and builds the rows of the tables of deviations.
 * A table is keyed by requirement, so that a testable requirement without a row does not compile.
 */
import type { Chapter, TestableId } from '../../spec/index.ts'
import type { Deviation, HookOverride } from '../exchange/hooks.ts'

/** A deviation without its requirement, which is the key of its table entry. */
export type DeviationRow = HookOverride & Pick<Deviation, 'id' | 'description' | 'trigger'>

/** Every testable requirement of a chapter with its deviations, or the reason why the mock cannot violate it. */
export type DeviationTable<C extends Chapter> = Readonly<
  Record<TestableId<C>, readonly [DeviationRow, ...DeviationRow[]] | { readonly cannot: string }>
>

/** One row of a table. */
export function deviation(
  id: `${Chapter}.${string}`,
  description: string,
  override: HookOverride,
  more: Pick<Deviation, 'trigger'> = {},
): DeviationRow {
  return { id, description, ...more, ...override }
}
