/**
 * Finds requests that fail in every attempt, with a 5xx or a cut connection, while the service is up.
 * A single failure is not enough; the contract's codes for a slow model or a full quota show that the service itself works.
 */
import { bothRuns, type OperationId } from '../../../../spec/index.ts'
import type { AmbiguityText } from '../../classify/ambiguity.ts'
import { mayMeetRun } from '../../classify/busy-thread.ts'
import { onlyAmbiguity } from '../../classify/request-fault.ts'
import { headerValue, isAccepted, isRun, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { groupedBy, memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'
import { assistantOf, usableAssistants } from './refusal-evidence.ts'

/** The least number of attempts; the client's own retries count. */
const leastAttempts = 3

/** The attempts at a legal request, or at a whole operation, that all failed, or `null`. */
export function permanentFailure(analysis: TraceAnalysis, operation: OperationId): readonly ParsedExchange[] | null {
  const failures = failuresOf(analysis, operation)
  const valid = analysis.of(operation).filter((parsed) => analysis.requestOf(parsed).validity === 'valid')
  const isServed = valid.some((parsed) => !failures.includes(parsed))
  if (!isServed && failures.length >= leastAttempts) return wasUpAfter(analysis, failures) ? failures : null
  // A thread may fail for good in one form of a run, or in both.
  const isOfRun = bothRuns.some((form) => form === operation)
  const groups = (isOfRun ? [[operation], bothRuns] : [[operation]]).flatMap((forms) =>
    failedGroups(analysis, failures, forms),
  )
  // If both forms fail, the first one is reported.
  const isForGood = (group: readonly ParsedExchange[]): boolean =>
    group.length >= leastAttempts &&
    group[0]?.operation === operation &&
    wasUpAfter(analysis, group) &&
    !isOfAssistantAlone(analysis, group)
  return groups.find(isForGood) ?? null
}

/** Legal requests, and results that are sent again after a failure: only what that one may have stored makes them doubtful. */
function attemptsOf(analysis: TraceAnalysis, forms: readonly OperationId[]): readonly ParsedExchange[] {
  return forms
    .flatMap((form) => analysis.of(form))
    .filter(
      (parsed) =>
        mayNotFail(analysis, parsed) ||
        onlyAmbiguity(analysis.requestOf(parsed)) === 'a second tool message for one call',
    )
    .toSorted((one, other) => one.sentAtMs - other.sentAtMs)
}

/** What a thread ends on may be a reason to refuse a streamed run, but none for a server error. */
const doubtsAboutEnd: ReadonlySet<AmbiguityText | null> = new Set([
  'a thread of which the end is not sure',
  'a streamed run after an answer that no list shows',
])

/**
 * Whether a server error is no legal answer: the request meets every rule, or may at most be refused, for what its thread ends on
 * or for the size of its message. A connection may be closed because of a size, and a model may fail at it.
 */
const mayNotFail = (analysis: TraceAnalysis, parsed: ParsedExchange): boolean => {
  const request = analysis.requestOf(parsed)
  const doubt = onlyAmbiguity(request)
  const isOfSize = doubt === 'a large body' && parsed.operation === 'createMessage' && parsed.answer.status !== null
  if (request.validity === 'valid' || isOfSize) return true
  if (!isRun(parsed) || !doubtsAboutEnd.has(doubt)) return false
  const thread = analysis.histories.thread(parsed.params.thread_id ?? '')
  // An error ends a run; one whose caller did not wait for the end may go on.
  const mayGoOn = ({ endedAtMs, exchange: { ending } }: ParsedExchange): boolean =>
    endedAtMs > parsed.sentAtMs || ending === 'aborted' || ending === 'timed-out'
  return thread === null || !mayMeetRun(parsed, thread, analysis.histories, mayGoOn)
}

/** The failures together with the other attempts at the same in these forms. */
function failedGroups(
  analysis: TraceAnalysis,
  failures: readonly ParsedExchange[],
  forms: readonly OperationId[],
): readonly (readonly ParsedExchange[])[] {
  const textOf = (parsed: ParsedExchange): string => attemptText(analysis, parsed)
  const attemptsAt = groupedBy(attemptsOf(analysis, forms), textOf)
  return [...new Set(failures.map(textOf))].map((text) => failedSince(attemptsAt(text)))
}

/**
 * Attempts since the last one that was served. A thread may fail permanently after one; other requests are not affected
 * that way.
 */
function failedSince(attempts: readonly ParsedExchange[]): readonly ParsedExchange[] {
  const since = attempts.slice(1 + attempts.findLastIndex((attempt) => !hasFailed(attempt)))
  return since.every(isRun) || since.length === attempts.length ? since : []
}

/**
 * The key that groups attempts at the same request. Runs of a thread belong together, in both forms and with any
 * assistant that answers elsewhere.
 */
function attemptText(analysis: TraceAnalysis, parsed: ParsedExchange): string {
  const isOfThread = isRun(parsed) && !isOfAssistantAlone(analysis, [parsed])
  return isOfThread ? JSON.stringify([parsed.params.thread_id, parsed.exchange.credential]) : requestText(parsed)
}

/** Whether they ask an assistant that never answered: its upstream service may be down, and nothing else. */
function isOfAssistantAlone(analysis: TraceAnalysis, [attempt]: readonly ParsedExchange[]): boolean {
  const asked = attempt === undefined ? null : assistantOf(analysis, attempt)
  return asked !== null && !usableAssistants(analysis).has(asked)
}

/** All attempts at a request, where each of them failed while other requests of the operation are served, or `null`. */
export function failedForGood(analysis: TraceAnalysis, parsed: ParsedExchange): readonly ParsedExchange[] | null {
  // The answer to a request without a valid key is not shown.
  if (parsed.key !== 'sent' || parsed.tenant === 'throttled') return null
  return failedInEachAttempt(analysis, parsed)
}

/** The same of a request that needs no key, such as an upload. */
export function failedInEachAttempt(analysis: TraceAnalysis, parsed: ParsedExchange): readonly ParsedExchange[] | null {
  if (parsed.operation === null) return null
  // Nearly all refusals are decided at once, without looking at other requests.
  if (!hasFailed(parsed)) return null
  const others = analysis.of(parsed.operation)
  const text = requestText(parsed)
  const attempts = others.filter((other) => requestText(other) === text)
  if (attempts.length < leastAttempts || !attempts.every(hasFailed) || !others.some(isAccepted)) return null
  return wasUpAfter(analysis, attempts) ? attempts : null
}

function failuresOf(analysis: TraceAnalysis, operation: OperationId): readonly ParsedExchange[] {
  const failed = analysis.of(operation).filter(hasFailed)
  return failed.filter((parsed) => mayNotFail(analysis, parsed) && parsed.tenant !== 'throttled')
}

const isTransient: ReadonlySet<string | null> = new Set(['rate_limit_gateway', 'api_timeout_error'])

/** Whether an answer is a server error of the service, whatever its status, or a connection that it cut. */
function hasFailed({ answer, exchange }: ParsedExchange): boolean {
  if (exchange.ending === 'cut' || exchange.ending === 'unreachable') return true
  const isOwn = answer.code === 'internal_service_error' || (answer.status ?? 0) >= 500
  return answer.kind === 'environmental' && isOwn && !isTransient.has(answer.code)
}

/** With the only header that a request of the contract is judged by. */
const requestText = ({ exchange }: ParsedExchange): string => {
  const { request, credential } = exchange
  return JSON.stringify([request.method, request.url, request.body, credential, headerValue(exchange, 'user-id')])
}

/** Whether something was accepted after as many failures as count, so that the service was not simply down. */
function wasUpAfter(analysis: TraceAnalysis, failures: readonly ParsedExchange[]): boolean {
  const last = failures[leastAttempts - 1]
  return last !== undefined && lastAcceptedMs(analysis) > last.endedAtMs
}

const lastAcceptedMs = memoPerTrace((analysis): number =>
  analysis.parsedExchanges.reduce(
    (latest, parsed) => (isAccepted(parsed) && parsed.sentAtMs > latest ? parsed.sentAtMs : latest),
    Number.NEGATIVE_INFINITY,
  ),
)
