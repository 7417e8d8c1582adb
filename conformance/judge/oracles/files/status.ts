/**
 * Judges the status of uploaded files, where the profile maps it. The values are the vendor's: a file that takes long, or
 * has a value that the profile does not list, fails nothing. Errors in answer to every request do.
 */
import { statusIn } from '../../history/uploaded-files.ts'
import { nameOf } from '../../read/json.ts'
import { isAccepted, isNoPath, isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from '../support/answer-name.ts'
import type { Oracle } from '../support/oracle.ts'

/** So many requests at least: a service may know of an upload a moment later. */
const leastPolls = 3

/** Oracle of files.status-polled. */
export const statusPolled: Oracle = (analysis, observe) => {
  for (const file of analysis.files.values()) {
    const { grant, upload, completed } = file
    const polls = file.polls.filter(({ tenant }) => tenant === file.tenant)
    const last = polls.at(-1)
    if (last === undefined) continue
    if (completed !== null) observe.held('getFileStatus', null, upload.id, completed.id)
    else if (polls.length >= leastPolls && isDenied(analysis, polls)) {
      observe.contradicted('getFileStatus', null, {
        exchanges: [grant.id, upload.id, ...polls.slice(-leastPolls).map(({ id }) => id)],
        expected: 'the status of the file',
        actual: answerName(last),
        because: `${upload.id} uploads the file of ${grant.id}, and each of ${polls.length} requests for its status, where files.status.path of the profile has it, is answered with an error, the last one with ${answerName(last)}.`,
      })
    } else observe.ambiguous('getFileStatus', null, last.id, openText(analysis, last))
  }
}

/** Refused each time, or failing each time while the service is up. */
function isDenied({ parsedExchanges }: TraceAnalysis, polls: readonly ParsedExchange[]): boolean {
  // Then files.status.path may be wrong, which the contract does not show.
  if (polls.every(isNoPath)) return false
  if (polls.every(isRefusal)) return true
  const deniedAtMs = polls[leastPolls - 1]?.endedAtMs ?? Number.POSITIVE_INFINITY
  return polls.every(isError) && parsedExchanges.some((other) => isAccepted(other) && other.sentAtMs > deniedAtMs)
}

const isError = (poll: ParsedExchange): boolean =>
  isRefusal(poll) || (poll.answer.kind === 'environmental' && (poll.answer.status ?? 0) >= 500)

function openText({ profile }: TraceAnalysis, poll: ParsedExchange): string {
  if (poll.answer.kind !== 'accepted') return `${poll.id} got ${answerName(poll)}.`
  const value = statusIn(poll, profile.files)
  const pointer = profile.files.status?.pointer
  return value === undefined
    ? `${poll.id} shows nothing at ${pointer}, where the profile has the status.`
    : `The last status is ${nameOf(value)} (${poll.id}), which files.status.complete does not list.`
}
