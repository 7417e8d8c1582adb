/**
 * How the tables of deviations are written: rows under the requirement that they violate, so that a requirement
 * without a row does not compile. Apart from the tables because every chapter uses it.
 */
import type { Chapter, TestableId } from '../../../spec/index.ts'
import type { Deviation, HookOverride } from '../../hooks.ts'

/** A deviation without its requirement, which is the key of its table entry. */
export type DeviationRow = HookOverride & Pick<Deviation, 'id' | 'description' | 'trigger' | 'alsoViolates'>

/** Every testable requirement of a chapter with its deviations, or the reason why the mock cannot violate it. */
export type DeviationTable<C extends Chapter> = Readonly<
  Record<TestableId<C>, readonly [DeviationRow, ...DeviationRow[]] | { readonly cannot: string }>
>

/** One row of a table. */
export function deviation(
  id: `${Chapter}.${string}`,
  description: string,
  override: HookOverride,
  more: Pick<Deviation, 'trigger' | 'alsoViolates'> = {},
): DeviationRow {
  return { id, description, ...more, ...override }
}
