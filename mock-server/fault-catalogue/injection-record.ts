/**
 * Records the outcome of one chosen fault: applied, or missed with the reason. A mark is settled once; the journal entry
 * of the exchange and the counters of the registry show it.
 */
import type { Fault } from './fault-expression.ts'

/** A fault in a journal entry. */
export interface InjectedFault {
  /** As it was written. */
  readonly fault: string
  /** `header`, or the id of the rule that chose it. */
  readonly by: string
  readonly state: 'pending' | 'applied' | 'missed'
  /** Why it was missed. */
  readonly why: string | null
}

/** The number of times a fault was chosen, and the outcomes. */
export interface FaultCounts {
  readonly chosen: number
  readonly applied: number
  readonly missed: number
}

export type Tally = { -readonly [Name in keyof FaultCounts]: number }

export interface InjectionRecord {
  readonly fault: Fault
  readonly view: InjectedFault
  apply(): void
  miss(why: string): void
}

/** A mark that counts in each of the tallies. */
export function createInjectionRecord(fault: Fault, by: string, tallies: readonly Tally[]): InjectionRecord {
  const view: { -readonly [Name in keyof InjectedFault]: InjectedFault[Name] } = {
    fault: fault.text,
    by,
    state: 'pending',
    why: null,
  }
  for (const tally of tallies) tally.chosen += 1
  const settle = (state: 'applied' | 'missed', why: string | null) => {
    if (view.state !== 'pending') return
    view.state = state
    view.why = why
    for (const tally of tallies) tally[state] += 1
  }
  return { fault, view, apply: () => settle('applied', null), miss: (why) => settle('missed', why) }
}
