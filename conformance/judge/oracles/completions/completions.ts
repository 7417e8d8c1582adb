/** Oracles of chapter completions: what a completion must hold, and what its answer carries. */

import { bothCompletions, completionOperations, type OperationId, type TestableId } from '../../../../spec/index.ts'
import type { AmbiguityText } from '../../classify/ambiguity.ts'
import { onlyAmbiguity } from '../../classify/request-fault.ts'
import { answeredThread } from '../../history/thread-origins.ts'
import type { Contradiction, ObservationLog } from '../../observation-log.ts'
import { threadKey } from '../../read/formats.ts'
import { fieldOf, nameOf, textField } from '../../read/json.ts'
import { documentOf, isAccepted, isRefusal, type ParsedExchange, queryValues } from '../../read/parsed-exchange.ts'
import { chunksOf, streamedThread, streamedThreads } from '../../read/stream-chunks.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { judgeAcceptance } from '../support/acceptance.ts'
import { isRefusedLikeOneOf, refusedValid } from '../support/confounders.ts'
import { type Oracle, perExchange, perThread, perTrace, type ScopedOracle } from '../support/oracle.ts'
import { type RefusalRule, refusalOf } from '../support/refusals.ts'
import { isSingleObject, wholeMessage } from '../support/single-document.ts'
import {
  missingAssistantIdAmongOthers,
  missingAssistantIdError,
  unknownAssistantError,
  validationErrorNamesField,
} from './completion-errors.ts'
import { threadHoldsConversation } from './completion-threads.ts'

/** An oracle for bodies that every form of completion refuses. */
const refused = (what: string, faults: RefusalRule['faults']): ScopedOracle =>
  refusalOf(completionOperations, what, faults)

const carriesThreadId: Oracle = (analysis, observe) => {
  for (const operation of completionOperations) {
    for (const parsed of analysis.of(operation)) {
      const documents = carriers(parsed)
      if (documents.length === 0) continue
      const at = documents.findIndex((document) => textField(document, 'thread_id') === null)
      if (at < 0) observe.held(operation, null, parsed.id)
      else {
        observe.contradicted(operation, null, {
          exchanges: [parsed.id],
          expected: 'a thread_id',
          actual: nameOf(fieldOf(documents[at], 'thread_id')),
          pointer: parsed.answer.stream === null ? '/thread_id' : `line ${at + 1} /thread_id`,
          because: `The answer in ${parsed.id} does not carry the id of its thread.`,
          headline: 'the answer does not carry the id of its thread',
        })
      }
    }
  }
}

function carriers(parsed: ParsedExchange): readonly unknown[] {
  if (!isAccepted(parsed)) return []
  if (parsed.answer.stream !== null) return chunksOf(parsed).map(({ value }) => value)
  return isSingleObject(parsed) ? [documentOf(parsed)] : []
}

/** Whether a completion is fine but for its thread, which nobody created. */
function namesUnknownThread(analysis: TraceAnalysis, parsed: ParsedExchange, thread: string): boolean {
  const doubt = onlyAmbiguity(analysis.requestOf(parsed))
  const origin = analysis.histories.thread(thread)?.origin.kind ?? 'unseen'
  return doubt === 'a completion in a thread that no completion of this key made' && origin === 'unseen'
}

const continuesThread: Oracle = (analysis, observe) => {
  const isValid = (parsed: ParsedExchange): boolean => analysis.requestOf(parsed).validity === 'valid'
  for (const { operation, parsed, asked } of completionsInThreads(analysis))
    if (isValid(parsed)) judgeThread(analysis, observe, operation, parsed, asked)
}

/** Of either form, since one request of a run asks for it. */
const unknownThreadNotReplaced: Oracle = (analysis, observe) => {
  for (const { parsed, asked } of completionsInThreads(analysis)) {
    if (!namesUnknownThread(analysis, parsed, asked)) continue
    if (parsed.answer.code === 'resource_not_found') observe.held('createChatCompletion', null, parsed.id)
    else judgeThread(analysis, observe, 'createChatCompletion', parsed, asked)
  }
}

interface CompletionInThread {
  readonly operation: OperationId
  readonly parsed: ParsedExchange
  /** The thread that its query names. */
  readonly asked: string
}

function* completionsInThreads(analysis: TraceAnalysis): Generator<CompletionInThread> {
  for (const operation of bothCompletions)
    for (const parsed of analysis.of(operation)) {
      const [asked] = queryValues(parsed, 'thread_id')
      if (asked !== undefined) yield { operation, parsed, asked }
    }
}

/** Judges in which thread a completion is answered. */
function judgeThread(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  place: OperationId,
  parsed: ParsedExchange,
  asked: string,
): void {
  const answered = isAccepted(parsed) ? answeredThread(parsed) : null
  if (answered === null || streamedThreads(parsed).size > 1) return
  if (threadKey(asked) === threadKey(answered)) observe.held(place, null, parsed.id)
  else observe.contradicted(place, null, answeredElsewhere(analysis, parsed, asked, answered))
}

function answeredElsewhere(
  analysis: TraceAnalysis,
  { id }: ParsedExchange,
  asked: string,
  answered: string,
): Contradiction {
  const creator = analysis.histories.thread(asked)?.origin.by?.id
  return {
    exchanges: creator === undefined ? [id] : [creator, id],
    expected: `an answer in thread ${asked}`,
    actual: `an answer in thread ${answered}`,
    pointer: '/thread_id',
    because: `${id} names thread ${asked}, and it is answered in thread ${answered}.`,
    headline: 'answers in another thread than the one that was named',
  }
}

/** Among whole answers and streams; two streams are left to the rules of streams. */
const freshThread: Oracle = (analysis, observe) => {
  const owners = new Map<string, ParsedExchange>()
  for (const parsed of completionOperations.flatMap((operation) => analysis.of(operation))) {
    const isWhole = parsed.operation === 'createChatCompletion'
    const named = isWhole ? textField(documentOf(parsed), 'thread_id') : acceptedThread(parsed)
    const thread = named === null ? null : threadKey(named)
    if (thread === null || queryValues(parsed, 'thread_id').length > 0) continue
    if (!isWhole && owners.get(thread)?.operation !== 'createChatCompletion') continue
    const owner = owners.get(thread)
    owners.set(thread, parsed)
    if (owner === undefined) {
      if (owners.size > 1) observe.held('createChatCompletion', null, parsed.id)
    } else {
      observe.contradicted('createChatCompletion', null, {
        exchanges: [owner.id, parsed.id],
        expected: 'a thread of its own for each completion',
        actual: `thread ${thread} for both`,
        pointer: '/thread_id',
        because: `${owner.id} and ${parsed.id} name no thread, and both are answered in thread ${thread}.`,
        headline: 'two completions that name no thread are answered in the same one',
      })
    }
  }
}

const acceptedThread = (parsed: ParsedExchange): string | null => (isAccepted(parsed) ? streamedThread(parsed) : null)

const assistantNamed = ({ body }: ParsedExchange): string | null =>
  body.kind === 'json' ? textField(body.value, 'assistant_id') : null

/**
 * A completion whose user message is not the last. A refusal counts beside one that ends on it and is answered, and beside one
 * that ends on another role and is refused as well.
 */
const userMessageAnywhere: Oracle = (analysis, observe) => {
  const asked = analysis.of('createChatCompletion')
  const odd = asked.filter((parsed) => isOnlyOpenEnded(analysis, parsed))
  for (const parsed of odd) {
    if (isAccepted(parsed)) {
      observe.held('createChatCompletion', null, parsed.id)
      continue
    }
    const alike = asked.filter(
      (other) => other !== parsed && other.tenant === parsed.tenant && assistantNamed(other) === assistantNamed(parsed),
    )
    const isAnswered = alike.some((other) => isAccepted(other) && analysis.requestOf(other).validity === 'valid')
    const isOfOthers = isRefusedLikeOneOf(parsed, refusedValid(analysis, 'createChatCompletion'))
    const beside = alike.filter((other) => odd.includes(other) && isRefusal(other) && endOf(other) !== endOf(parsed))
    if (!isAnswered) tellOpen(observe, parsed, 'may not answer its assistant at all')
    else if (isOfOthers) tellOpen(observe, parsed, 'refuses others alike')
    else if (isRefusal(parsed) && beside.length === 0)
      tellOpen(observe, parsed, `may not take ${endOf(parsed)} at the end`)
    else judgeAcceptance(observe, parsed, null, 'a completion whose user message stands before another one', beside)
  }
}

const tellOpen = (observe: ObservationLog, { id }: ParsedExchange, why: string): undefined =>
  observe.ambiguous('createChatCompletion', null, id, `The service ${why}.`)

/** Whether the messages behind its question are all that the contract leaves open about a completion, or its size was no hindrance. */
function isOnlyOpenEnded(analysis: TraceAnalysis, parsed: ParsedExchange): boolean {
  const { faults, ambiguities } = analysis.requestOf(parsed)
  const about = ambiguities.map((one) => one.about)
  if (faults.length > 0 || !about.includes(openEnd)) return false
  const isOfSize = (one: AmbiguityText) => isAccepted(parsed) && (one === 'a large body' || one === manyMessages)
  return about.every((one) => one === openEnd || one === lateSystem || isOfSize(one))
}

const openEnd = 'a completion that does not end on a user message' satisfies AmbiguityText
const manyMessages = 'many messages in one request' satisfies AmbiguityText
const lateSystem = 'a system message that is not the first' satisfies AmbiguityText

/** The role of the last message. A service may refuse one role there: some models accept no assistant message at the end. */
function endOf({ body }: ParsedExchange): string {
  const messages = body.kind === 'json' ? fieldOf(body.value, 'messages') : null
  return `a message of role ${Array.isArray(messages) ? textField(messages.at(-1), 'role') : null}`
}

/** The oracles of chapter completions. */
export const completionsOracles: Readonly<Record<TestableId<'completions'>, ScopedOracle>> = {
  'completions.one-whole-answer': perExchange(wholeMessage),
  'completions.carries-thread-id': perExchange(carriesThreadId),
  'completions.assistant-id-required': refused('a completion without assistant_id', { 'assistant_id-missing': null }),
  'completions.missing-assistant-id-error': perTrace(missingAssistantIdError),
  'completions.missing-assistant-id-among-others': perTrace(missingAssistantIdAmongOthers),
  'completions.assistant-id-is-uuid': refused('a completion whose assistant_id is no UUID string', {
    'assistant_id-not-uuid': 'not-a-uuid',
    'assistant_id-wrong-type': 'wrong-type',
    'assistant_id-null': 'null',
  }),
  'completions.messages-required': refused('a completion without messages', {
    'messages-missing': 'absent',
    'messages-empty': 'empty',
  }),
  'completions.needs-user-message': refused('a completion without a user message', { 'messages-without-user': null }),
  'completions.user-message-anywhere': perTrace(userMessageAnywhere),
  'completions.messages-well-typed': refused('a completion whose messages are malformed', {
    'messages-not-array': 'messages-not-array',
    'entry-not-object': 'entry-not-object',
    'content-missing': 'content-missing',
    'role-missing': 'role-missing',
    'role-not-string': 'role-not-string',
  }),
  'completions.content-is-text': refused('a completion with content that is no string', {
    'content-not-string': null,
  }),
  'completions.role-known': refused('a completion with a message of an unknown role', { 'role-unknown': null }),
  'completions.user-id-is-uuid': refused('a completion whose user_id is no UUID string', { 'user_id-not-uuid': null }),
  'completions.validation-error-names-field': perTrace(validationErrorNamesField),
  'completions.unknown-assistant-refused': refused('a completion with an assistant that the tenant cannot use', {
    'assistant-unknown': null,
    'assistant-foreign': null,
  }),
  'completions.unknown-assistant-error': perTrace(unknownAssistantError),
  'completions.required-fields-enforced': refused('a completion that lacks a field which the assistant requires', {
    'required-root-field': '__root__',
    'required-user_data-field': 'user_data',
  }),
  'completions.continues-thread': perThread(continuesThread),
  'completions.unknown-thread-not-replaced': perThread(unknownThreadNotReplaced),
  'completions.fresh-thread': perTrace(freshThread),
  'completions.thread-holds-conversation': perThread(threadHoldsConversation),
}
