/**
 * Cuts the shortest counterexample of a violation out of the trace, without new requests. It holds the exchanges that
 * contradict, those that produced the ids they use, and the messages without which the target would refuse them.
 */

import type { Contradiction } from '../observation-log.ts'
import type { ParsedExchange } from '../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../trace-analysis.ts'
import type { Counterexample } from '../verdict.ts'
import { producersIn } from './data-flow.ts'
import { prerequisitesOf } from './prerequisites.ts'
import { stepOf } from './step-names.ts'

export type CounterexampleBuilder = (contradiction: Contradiction) => Counterexample

/** The longest counterexample; a violation that needs more is shown by its contradiction and its nearest producers. */
const longestCounterexample = 15

/** The earlier exchanges that one depends on in some way. */
type Dependence = (parsed: ParsedExchange) => readonly ParsedExchange[]

/** The indexes for all witnesses: the exchanges by id, and the producer of each id. */
const lookUp = memoPerTrace(({ parsedExchanges }) => ({
  byId: new Map(parsedExchanges.map((parsed) => [parsed.id, parsed])),
  producers: producersIn(parsedExchanges),
}))

/** Makes witnesses for one trace. */
export function counterexampleBuilder(analysis: TraceAnalysis): CounterexampleBuilder {
  return (contradiction) => {
    const { byId, producers } = lookUp(analysis)
    const told = new Set(contradiction.exchanges.flatMap((id) => byId.get(id) ?? []))
    const needed = closure(told, [producers, (parsed) => prerequisitesOf(analysis, parsed, told)])
    return {
      steps: needed.map((parsed) => stepOf(parsed, contradiction)),
      contradiction: contradiction.because,
      confirmed: null,
      ...(contradiction.timed === true ? { timed: true } : {}),
    }
  }
}

/** The given exchanges with everything that they depend on, in the order of the trace. */
function closure(start: Iterable<ParsedExchange>, dependences: readonly Dependence[]): readonly ParsedExchange[] {
  const needed = new Set<ParsedExchange>()
  const open = [...start]
  for (let next = open.shift(); next !== undefined && needed.size < longestCounterexample; next = open.shift()) {
    if (needed.has(next)) continue
    needed.add(next)
    for (const before of dependences) open.push(...before(next))
  }
  return [...needed].sort((left, right) => left.index - right.index)
}
