/**
 * What an oracle is: a pure function over the docket that testifies about one requirement. And the phrases that many share.
 */
import type { OperationId } from '../../spec/index.ts'
import type { FaultRule } from '../classify/fault.ts'
import { isAccepted, isRefusal, type Reading } from '../classify/reading.ts'
import { resemblesSuccess } from '../classify/success.ts'
import type { Docket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import type { Write } from '../ledger/thread-ledger.ts'

export type Oracle = (docket: Docket, testify: Testimony) => void

export const completionOperations = [
  'createChatCompletion',
  'streamChatCompletion',
  'streamChatCompletionEvents',
] as const
export const bothCompletions = ['createChatCompletion', 'streamChatCompletion'] as const
export const bothRuns = ['runThread', 'streamThreadRun'] as const
export const threadOperations = ['runThread', 'streamThreadRun', 'listMessages', 'createMessage'] as const
export const streamOperations = ['streamChatCompletion', 'streamChatCompletionEvents', 'streamThreadRun'] as const
export const textStreams = ['streamChatCompletion', 'streamThreadRun'] as const

/** How an answer reads in a report. */
export function answerName({ answer, exchange }: Reading): string {
  if (answer.kind === 'none')
    return exchange.response === null ? `no answer (${exchange.ending})` : `an answer that was ${exchange.ending}`
  const status = answer.status === null ? '' : `${answer.status} `
  if (answer.code !== null) return `${status}${answer.code}`
  return answer.kind === 'accepted' ? `${status}success` : `${status}without error_code`
}

/** The message that surely stood last in the thread of a request; `null` when it was empty or nobody knows. */
export function newestBefore(docket: Docket, reading: Reading): Write | null {
  const newest = docket.ledger.thread(reading.params.thread_id ?? '')?.timeline.newest(reading, reading)
  return newest === undefined || newest === 'none' ? null : newest
}

/** What to look for in {@link mustBeRefused}. */
export interface RefusalRule {
  readonly operations: readonly OperationId[]
  /** Fault → facet of the obligation. */
  readonly faults: Readonly<Partial<Record<FaultRule, string | null>>>
  /** What the request was, for example `a completion without assistant_id`. */
  readonly what: string
}

/** Requests whose only fault is one of the given: a refusal upholds the rule, a success contradicts it. */
export function mustBeRefused(docket: Docket, testify: Testimony, rule: RefusalRule): undefined {
  for (const [reading, facet] of withSoleFault(docket, rule.operations, rule.faults)) {
    judgeRefusal(testify, reading, facet, rule.what)
  }
}

/** Requests whose only fault is one of the given, with the facet that the fault stands for. */
export function* withSoleFault(
  docket: Docket,
  operations: readonly OperationId[],
  faults: RefusalRule['faults'],
): Generator<readonly [Reading, string | null]> {
  for (const operation of operations) {
    for (const [rule, facet] of Object.entries(faults)) {
      for (const reading of docket.withSoleFault(operation, rule as FaultRule)) yield [reading, facet]
    }
  }
}

/** One request that must be refused. */
export function judgeRefusal(testify: Testimony, reading: Reading, facet: string | null, what: string): undefined {
  const { operation, id } = reading
  if (operation === null) return
  if (isRefusal(reading) || isSentElsewhere(reading)) testify.held(operation, facet, id)
  else if (isAccepted(reading) && resemblesSuccess(reading)) {
    testify.contradicted(operation, facet, {
      exchanges: [id],
      expected: 'a rejection',
      actual: answerName(reading),
      because: `${id} is ${what}, and it was accepted.`,
    })
  } else testify.ambiguous(operation, facet, id, `${id} got ${answerName(reading)}, which neither accepts nor refuses.`)
}

/** A redirect to another origin, where a sign-in page may be, is not followed and is no success. */
function isSentElsewhere({ answer, exchange }: Reading): boolean {
  const location = exchange.response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  if (answer.kind !== 'redirect' || location === undefined) return false
  const { origin } = new URL(exchange.request.url)
  return URL.canParse(location, origin) && new URL(location, origin).origin !== origin
}

/** One request that must be accepted; `beside` are those that show that nothing else about it is to blame. */
export function judgeAcceptance(
  testify: Testimony,
  reading: Reading,
  facet: string | null,
  what: string,
  beside: readonly Reading[] = [],
): undefined {
  const { operation, id } = reading
  if (operation === null) return
  if (isAccepted(reading)) testify.held(operation, facet, id)
  else if (isRefusal(reading)) {
    testify.contradicted(operation, facet, {
      exchanges: [...beside.map((other) => other.id), id],
      expected: 'the success response',
      actual: answerName(reading),
      because: `${id} is ${what}, and it was refused with ${answerName(reading)}.`,
    })
  } else testify.ambiguous(operation, facet, id, `${id} got ${answerName(reading)}.`)
}
