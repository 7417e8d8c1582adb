/**
 * Finds the exchanges that a request depends on without naming their ids. A list shows what was added, a run needs a
 * question, a result needs its call, an attached file its upload, only lists show the tenant of an assistant, and the
 * cause of a refusal may outlast its request.
 */

import { askersOf } from '../history/thread-histories.ts'
import type { Write } from '../history/thread-record.ts'
import { attachedBy } from '../history/uploaded-files.ts'
import { lowerCase } from '../read/formats.ts'
import { textField } from '../read/json.ts'
import { isAccepted, isRefusal, type ParsedExchange } from '../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../trace-analysis.ts'

/** The messages at the end of a thread that a run may rest on: a question, calls, and their results. */
const mostForRun = 6
/** Enough for some small pages. */
const mostForList = 8
/** Earlier refusals of a thread, one for each operation and error. */
const mostRefusals = 4

/** The earlier requests without which one would not get the answer that it got; `told` are already in the story. */
export function prerequisitesOf(
  analysis: TraceAnalysis,
  parsed: ParsedExchange,
  told: ReadonlySet<ParsedExchange>,
): readonly ParsedExchange[] {
  const refusals = told.has(parsed) && isRefusal(parsed) ? refusedBefore(analysis, parsed) : []
  return [...refusals, ...acceptedBefore(analysis, parsed, told)]
}

/** The lasting effects of a request on a service: a lock, a counted message, a thread marked as broken. */
function refusedBefore({ histories }: TraceAnalysis, { params, sentAtMs }: ParsedExchange): readonly ParsedExchange[] {
  const { refusals = [] } = histories.thread(params.thread_id ?? '') ?? {}
  const kinds = new Map<string, ParsedExchange>()
  for (const { parsed: by } of refusals)
    if (by.endedAtMs <= sentAtMs && by.key === 'sent') kinds.set(`${by.operation} ${by.answer.code}`, by)
  return [...kinds.values()].sort((left, right) => right.index - left.index).slice(0, mostRefusals)
}

function acceptedBefore(
  analysis: TraceAnalysis,
  parsed: ParsedExchange,
  told: ReadonlySet<ParsedExchange>,
): readonly ParsedExchange[] {
  switch (parsed.operation) {
    case 'runThread':
    case 'streamThreadRun':
      return endOfThread(analysis, parsed)
    case 'createMessage':
      if (!isOfTool(parsed)) return uploadOfFile(analysis, parsed)
      return [...askersOf(analysis.histories, parsed), ...endOfThread(analysis, parsed)]
    case 'listMessages': {
      const added = addedBefore(analysis, parsed)
      return added.some(({ parsed: by }) => told.has(by)) ? [] : requestsOf(added).slice(-mostForList)
    }
    case 'createChatCompletion':
    case 'streamChatCompletion':
    case 'streamChatCompletionEvents':
    case 'getAssistant':
      return ownAssistants(analysis, parsed)
    default:
      return []
  }
}

function endOfThread(analysis: TraceAnalysis, parsed: ParsedExchange): readonly ParsedExchange[] {
  const added = addedBefore(analysis, parsed)
  const question = added.findLast(({ role }) => role === 'user')
  const last = requestsOf(added).slice(-mostForRun)
  return question === undefined ? last : [...new Set([question.parsed, ...last])]
}

/** The upload of the file that a message attaches, and the answer that says it is complete. */
function uploadOfFile({ files, profile }: TraceAnalysis, parsed: ParsedExchange): readonly ParsedExchange[] {
  const file = files.get(lowerCase(attachedBy(parsed, profile.files) ?? ''))
  if (file === undefined) return []
  const { upload, completed } = file
  return [upload, ...(completed === null ? [] : [completed])].filter((by) => by.endedAtMs <= parsed.sentAtMs)
}

const isOfTool = ({ body }: ParsedExchange): boolean => body.kind === 'json' && textField(body.value, 'role') === 'tool'

function addedBefore({ histories }: TraceAnalysis, { params, sentAtMs }: ParsedExchange): readonly Write[] {
  const { acknowledged = [] } = histories.thread(params.thread_id ?? '') ?? {}
  return acknowledged.filter(({ parsed: by }) => by.endedAtMs <= sentAtMs)
}

/** A completion adds several messages at once. */
const requestsOf = (writes: readonly Write[]): readonly ParsedExchange[] => [
  ...new Set(writes.map(({ parsed }) => parsed)),
]

/** The last list of the tenant's own assistants. */
function ownAssistants(analysis: TraceAnalysis, { tenant, sentAtMs }: ParsedExchange): readonly ParsedExchange[] {
  const own = analysis
    .of('listAssistants')
    .findLast((list) => list.tenant === tenant && isAccepted(list) && list.endedAtMs <= sentAtMs)
  return own === undefined ? [] : [own]
}
