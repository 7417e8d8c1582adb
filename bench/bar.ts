/**
 * What a benchmark says: bars, which have a goal, and facts, which have none. Ratios are made per round, against the
 * bare competitor of the same round, because absolute rates of a shared machine swing from minute to minute.
 */

/** A figure with a goal; `value` is the median of the rounds. */
export interface Bar {
  readonly name: string
  /** `null`: it could not be measured, see `reason`. */
  readonly value: number | null
  readonly unit: string
  /** `≥ 0.75` or `≤ 2.5`, in the unit. */
  readonly goal: string
  /** `null`: the machine was too busy to tell, see `reason`. */
  readonly met: boolean | null
  readonly min: number | null
  readonly max: number | null
  readonly reason?: string
}

/** A figure that explains the bars. */
export interface Fact {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly min: number
  readonly max: number
}

/** What a chapter of a benchmark found. */
export interface Findings {
  readonly bars: readonly Bar[]
  readonly facts: readonly Fact[]
}

/** `atLeast` or `atMost`, in the bar's unit. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number }

/** What is measured, in which unit. */
export interface Label {
  readonly name: string
  readonly unit: string
}

/** A bar over the values of all rounds; `noise` says why they decide nothing. */
export const bar = ({ name, unit }: Label, goal: Goal, values: readonly number[], noise: string | null = null): Bar => {
  const { value, min, max } = spread(values)
  const figures = { name, value, unit, goal: goalText(goal), min, max }
  if (noise !== null) return { ...figures, met: null, reason: noise }
  return { ...figures, met: 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost }
}

/** A bar that could not be measured; it counts as missed. */
export const missingBar = ({ name, unit }: Label, goal: Goal, reason: string): Bar => ({
  name,
  value: null,
  unit,
  goal: goalText(goal),
  met: false,
  min: null,
  max: null,
  reason,
})

/** A fact over the values of all rounds. */
export const fact = ({ name, unit }: Label, values: readonly number[]): Fact => ({ name, unit, ...spread(values) })

/** Median, least and greatest of some values; throws on none, since a figure of nothing is no figure. */
const spread = (values: readonly number[]): { value: number; min: number; max: number } => {
  if (values.length === 0) throw new RangeError('nothing was measured')
  const sorted = [...values].sort((left, right) => left - right)
  const middle = sorted.length / 2
  const low = sorted[Math.ceil(middle) - 1] ?? 0
  const high = sorted[Math.floor(middle)] ?? 0
  return { value: round((low + high) / 2), min: round(sorted[0] ?? 0), max: round(sorted.at(-1) ?? 0) }
}

const goalText = (goal: Goal): string => ('atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`)

const round = (value: number): number => Number(value.toPrecision(4))
