/** Judges lists of a completion's thread that are refused: a thread that cannot be listed shows no messages. */
import { onlyAmbiguity, type RequestClass } from '../../classify/request-fault.ts'
import type { ThreadHistory } from '../../history/thread-histories.ts'
import type { Contradiction } from '../../observation-log.ts'
import { isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { groupedBy, memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from '../support/answer-name.ts'
import { acceptsNothing } from '../support/confounders.ts'

/** Where no list of the thread was served. */
export function neverListed(
  analysis: TraceAnalysis,
  parsed: ParsedExchange,
  thread: ThreadHistory,
): Contradiction | null {
  const refused = refusedLists(analysis)(thread.id).find((list) => list.sentAtMs > parsed.endedAtMs)
  if (refused === undefined || thread.pages.length > 0 || acceptsNothing(analysis, 'listMessages')) return null
  return {
    exchanges: [parsed.id, refused.id],
    expected: `a list of thread ${thread.id}`,
    actual: answerName(refused),
    because: `${parsed.id} was answered in thread ${thread.id}, and that thread cannot be listed.`,
    headline: 'the thread of the answer cannot be listed',
  }
}

/** A list that is refused behind the answer, where a later one is served and nothing was done to the thread in between. */
export function refusedMeanwhile(
  analysis: TraceAnalysis,
  parsed: ParsedExchange,
  thread: ThreadHistory,
): Contradiction | null {
  for (const refused of refusedLists(analysis)(thread.id)) {
    const listed = thread.pages.find((page) => page.isPlain && page.parsed.sentAtMs > refused.endedAtMs)?.parsed
    if (listed === undefined || refused.sentAtMs <= parsed.endedAtMs || isChanged(thread, refused, listed)) continue
    return {
      exchanges: [parsed.id, listed.id, refused.id],
      expected: `a list of thread ${thread.id}`,
      actual: answerName(refused),
      because: `${parsed.id} was answered in a thread that ${listed.id} lists; before it, and with nothing done in between, ${refused.id} is refused.`,
      headline: 'the thread of the answer cannot be listed at first',
    }
  }
  return null
}

/** Whether something may have been added while or between two lists. */
function isChanged({ writes }: ThreadHistory, first: ParsedExchange, second: ParsedExchange): boolean {
  return writes.some(
    ({ parsed: by, status }) => status !== 'refused' && by.endedAtMs > first.sentAtMs && by.sentAtMs < second.endedAtMs,
  )
}

/** Lists that should have been served and were refused, by thread; looked up once, since many completions are never listed. */
const refusedLists = memoPerTrace((analysis) =>
  groupedBy(analysis.of('listMessages'), (list) =>
    isRefusal(list) && isPlainList(analysis.requestOf(list)) ? (list.params.thread_id?.toLowerCase() ?? null) : null,
  ),
)

/** A list with nothing open about it but whose thread it is: another may be refused for its limit or its cursor. */
const isPlainList = (request: RequestClass): boolean =>
  request.validity === 'valid' || onlyAmbiguity(request) === 'a list of a thread that a completion made'
