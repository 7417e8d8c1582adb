/**
 * The shortest story of a violation, cut out of the trace without asking the target again: the exchanges that contradict, and
 * those that produced the ids they use.
 */

import type { Reading } from '../classify/reading.ts'
import type { Docket } from '../judging/docket.ts'
import type { Contradiction } from '../judging/testimony.ts'
import type { Witness } from '../verdict.ts'
import { producersIn } from './producers.ts'
import { stepOf } from './steps.ts'

export type WitnessMaker = (contradiction: Contradiction) => Witness

/** Longest story; a violation that needs more is told by its contradiction and its nearest producers. */
const longestStory = 12

/** Makes witnesses for one trace; what produced which id is looked up once, when the first violation asks for it. */
export function witnessMaker(docket: Docket): WitnessMaker {
  let byId: ReadonlyMap<string, Reading> = new Map()
  let producers: ReturnType<typeof producersIn> | null = null
  return (contradiction) => {
    if (producers === null) {
      byId = new Map(docket.readings.map((reading) => [reading.id, reading]))
      producers = producersIn(docket.readings)
    }
    const needed = closure(
      contradiction.exchanges.flatMap((id) => byId.get(id) ?? []),
      producers,
    )
    return {
      steps: needed.map((reading) => stepOf(reading, contradiction)),
      contradiction: contradiction.because,
      confirmed: null,
    }
  }
}

/** The given exchanges with everything that they depend on, in the order of the trace. */
function closure(start: readonly Reading[], producers: ReturnType<typeof producersIn>): readonly Reading[] {
  const needed = new Set<Reading>()
  const open = [...start]
  for (let next = open.shift(); next !== undefined && needed.size < longestStory; next = open.shift()) {
    if (needed.has(next)) continue
    needed.add(next)
    open.push(...producers(next))
  }
  return [...needed].sort((left, right) => left.index - right.index)
}
