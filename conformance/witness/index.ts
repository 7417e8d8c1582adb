/**
 * The shortest story of a violation, cut out of the trace without asking the target again: the exchanges that contradict,
 * those that produced the ids they use, and the messages without which the target would refuse them.
 */

import type { Reading } from '../classify/reading.ts'
import { type Docket, oncePerDocket } from '../judging/docket.ts'
import type { Contradiction } from '../judging/testimony.ts'
import type { Witness } from '../verdict.ts'
import { groundsOf } from './grounds.ts'
import { producersIn } from './producers.ts'
import { stepOf } from './steps.ts'

export type WitnessMaker = (contradiction: Contradiction) => Witness

/** Longest story; a violation that needs more is told by its contradiction and its nearest producers. */
const longestStory = 12

/** The earlier exchanges that one depends on in some way. */
type Dependence = (reading: Reading) => readonly Reading[]

/** What is looked up for every witness: the exchanges by id, and what produced which id. */
const lookUp = oncePerDocket(({ readings }) => ({
  byId: new Map(readings.map((reading) => [reading.id, reading])),
  producers: producersIn(readings),
}))

/** Makes witnesses for one trace. */
export function witnessMaker(docket: Docket): WitnessMaker {
  return (contradiction) => {
    const { byId, producers } = lookUp(docket)
    const told = new Set(contradiction.exchanges.flatMap((id) => byId.get(id) ?? []))
    const needed = closure(told, [producers, (reading) => groundsOf(docket, reading, told)])
    return {
      steps: needed.map((reading) => stepOf(reading, contradiction)),
      contradiction: contradiction.because,
      confirmed: null,
    }
  }
}

/** The given exchanges with everything that they depend on, in the order of the trace. */
function closure(start: Iterable<Reading>, dependences: readonly Dependence[]): readonly Reading[] {
  const needed = new Set<Reading>()
  const open = [...start]
  for (let next = open.shift(); next !== undefined && needed.size < longestStory; next = open.shift()) {
    if (needed.has(next)) continue
    needed.add(next)
    for (const before of dependences) open.push(...before(next))
  }
  return [...needed].sort((left, right) => left.index - right.index)
}
