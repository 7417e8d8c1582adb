/**
 * Selects the exchanges of a trace that show a violation again. The exchanges of the contradiction and those whose answers
 * they use are often enough; some faults need earlier exchanges.
 */
import type { OperationId } from '../../spec/index.ts'
import type { Verdict } from '../judge/verdict.ts'
import type { Exchange, Trace } from '../trace/exchange.ts'
import { highest } from '../trace/highest.ts'
import { capturedValuesOf, mentions, operationOf, requestText } from './captured-values.ts'

/** Operations whose answers are always the same: a file may hold their ids as they are. */
const lasting: ReadonlySet<OperationId | null> = new Set(['listAssistants', 'getAssistant', 'listMyApiKeys'])

/** Whether the ids in an answer are always the same. */
export function isLasting(exchange: Exchange): boolean {
  return lasting.has(operationOf(exchange))
}

/**
 * The exchanges of a verdict's witness and the ones whose answers their requests are made of, in the order of the trace;
 * with `history` also all earlier ones about the same ids, and the list of assistants. `null` when one is not in the trace.
 */
export function sliceOf(verdict: Verdict, trace: Trace, history: boolean): readonly Exchange[] | null {
  const wanted = verdict.witness?.steps.map(({ exchange }) => exchange) ?? verdict.exchanges
  const byId = new Map(trace.exchanges.map((exchange) => [exchange.id, exchange]))
  const told = wanted.flatMap((id) => byId.get(id) ?? [])
  if (told.length < wanted.length) return null
  const needed = withProducers(told, trace)
  return history ? withProducers([...needed, ...historyOf(needed, trace)], trace) : needed
}

function withProducers(told: readonly Exchange[], { exchanges }: Trace): readonly Exchange[] {
  const needed = new Set<Exchange>()
  const open = [...told]
  for (let exchange = open.pop(); exchange !== undefined; exchange = open.pop()) {
    if (needed.has(exchange)) continue
    needed.add(exchange)
    open.push(...producersOf(exchange, exchanges))
  }
  return exchanges.filter((exchange) => needed.has(exchange))
}

/** The first exchange, for each value in a request, whose answer held it. */
function producersOf(exchange: Exchange, all: readonly Exchange[]): readonly Exchange[] {
  const text = requestText(exchange)
  const found = new Set<Exchange>()
  const seen = new Set<string>()
  for (const earlier of all) {
    if (earlier === exchange || earlier.sentAtMs >= exchange.sentAtMs) break
    for (const { value } of capturedValuesOf(earlier)) {
      if (seen.has(value) || !mentions(text, value)) continue
      seen.add(value)
      if (!isLasting(earlier)) found.add(earlier)
    }
  }
  return [...found]
}

/** Earlier requests about the ids that these exchanges name, and the first list of assistants. */
function historyOf(needed: readonly Exchange[], { exchanges }: Trace): readonly Exchange[] {
  const texts = needed.map(requestText)
  const producers = needed.filter((exchange) => !isLasting(exchange))
  const ids = producers
    .flatMap((exchange) => capturedValuesOf(exchange).map(({ value }) => value))
    .filter((id) => texts.some((text) => mentions(text, id)))
  const lastMs = highest(needed.map(({ sentAtMs }) => sentAtMs))
  const earlier = exchanges.filter(({ sentAtMs }) => sentAtMs < lastMs)
  const about = earlier.filter((exchange) => ids.some((id) => mentions(requestText(exchange), id)))
  return [...earlier.filter((exchange) => operationOf(exchange) === 'listAssistants').slice(0, 1), ...about]
}
