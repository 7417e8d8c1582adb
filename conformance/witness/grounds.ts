/**
 * What a request rests on though no id in it says so: a list shows what was added, a run needs a question, a result needs its
 * call, and whose an assistant is only lists tell.
 */
import { textField } from '../classify/json.ts'
import { isAccepted, type Reading } from '../classify/reading.ts'
import type { Docket } from '../judging/docket.ts'
import type { Write } from '../ledger/thread-ledger.ts'

/** The messages at the end of a thread that a run may rest on: a question, calls, and their results. */
const mostForRun = 6
/** Enough for some small pages. */
const mostForList = 8

/** The earlier requests without which one would not get the answer that it got; `told` are already in the story. */
export function groundsOf(docket: Docket, reading: Reading, told: ReadonlySet<Reading>): readonly Reading[] {
  switch (reading.operation) {
    case 'runThread':
    case 'streamThreadRun':
      return endOfThread(docket, reading)
    case 'createMessage':
      return isOfTool(reading) ? [...askedIn(docket, reading), ...endOfThread(docket, reading)] : []
    case 'listMessages': {
      const added = addedBefore(docket, reading)
      return added.some(({ reading: by }) => told.has(by)) ? [] : requestsOf(added).slice(-mostForList)
    }
    case 'createChatCompletion':
    case 'streamChatCompletion':
    case 'streamChatCompletionEvents':
    case 'getAssistant':
      return ownAssistants(docket, reading)
    default:
      return []
  }
}

function endOfThread(docket: Docket, reading: Reading): readonly Reading[] {
  const added = addedBefore(docket, reading)
  const question = added.findLast(({ role }) => role === 'user')
  const last = requestsOf(added).slice(-mostForRun)
  return question === undefined ? last : [...new Set([question.reading, ...last])]
}

/** The messages that ask for the call of a result, wherever they stand. */
function askedIn({ ledger }: Docket, reading: Reading): readonly Reading[] {
  const ids = ledger.writesOf(reading).flatMap(({ answersCall }) => answersCall ?? [])
  return ids.flatMap((id) =>
    ledger.threadsAsking(id).flatMap(({ calls }) => {
      const by = calls.get(id)?.askedBy?.reading
      return by !== undefined && by.endedAtMs <= reading.sentAtMs ? [by] : []
    }),
  )
}

const isOfTool = ({ body }: Reading): boolean => body.kind === 'json' && textField(body.value, 'role') === 'tool'

function addedBefore({ ledger }: Docket, { params, sentAtMs }: Reading): readonly Write[] {
  const { acknowledged = [] } = ledger.thread(params.thread_id ?? '') ?? {}
  return acknowledged.filter(({ reading: by }) => by.endedAtMs <= sentAtMs)
}

/** A completion adds several messages at once. */
const requestsOf = (writes: readonly Write[]): readonly Reading[] => [...new Set(writes.map(({ reading }) => reading))]

/** The last list of the tenant's own assistants. */
function ownAssistants(docket: Docket, { tenant, sentAtMs }: Reading): readonly Reading[] {
  const own = docket
    .of('listAssistants')
    .findLast((list) => list.tenant === tenant && isAccepted(list) && list.endedAtMs <= sentAtMs)
  return own === undefined ? [] : [own]
}
