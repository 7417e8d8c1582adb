/** Observers of the gaps in chapters http, auth, completions, errors and resources: what requests get. */
import {
  bothCompletions,
  completionOperations,
  type GapId,
  operationIds,
  threadOperations,
} from '../../../spec/index.ts'
import { showsAssistantMessage } from '../classify/completed-roles.ts'
import { soleFault } from '../classify/request-fault.ts'
import { withSoleFault } from '../oracles/support/refusals.ts'
import { fieldErrors } from '../read/field-errors.ts'
import { uuidForm } from '../read/formats.ts'
import { textField, valuesAt } from '../read/json.ts'
import { answerHeader, isAccepted, isRefusal, type ParsedExchange, queryValues } from '../read/parsed-exchange.ts'
import { acceptance, acceptanceOf, codeOf, type GapObserver, statusAndCode, withOnlyAmbiguity } from './gap-observer.ts'

/** Requests to addresses that are no operation: a known path under another method, or an unknown path. */
const unknownAddress = (isKnownPath: boolean): GapObserver =>
  function* ({ parsedExchanges }) {
    const lost = parsedExchanges.filter((one) => one.operation === null && one.path.startsWith('/'))
    const known =
      lost.length === 0 ? null : new Set(parsedExchanges.flatMap((one) => (one.operation === null ? [] : one.path)))
    for (const parsed of lost) {
      if (!isRefusal(parsed) || parsed.key !== 'sent') continue
      if (known?.has(parsed.path) === isKnownPath) yield { value: statusAndCode(parsed), exchange: parsed.id }
    }
  }

/** The answer to a certain fault, when it is the only one. */
export const faultAnswer = (
  operations: readonly (typeof operationIds)[number][],
  rules: Parameters<typeof withSoleFault>[2],
  tell: (parsed: ParsedExchange) => string,
): GapObserver =>
  function* (analysis) {
    for (const [parsed] of withSoleFault(analysis, operations, rules)) {
      if (isRefusal(parsed)) yield { value: tell(parsed), exchange: parsed.id }
    }
  }

const schemaFaults = {
  'content-missing': null,
  'content-not-string': null,
  'role-missing': null,
  'role-not-string': null,
  'role-unknown': null,
  'limit-not-integer': null,
  'filename-missing': null,
  'persist-not-boolean': null,
} as const

function uuidFormatOf({ params, body }: ParsedExchange): string {
  const asked = body.kind === 'json' ? [textField(body.value, 'assistant_id'), textField(body.value, 'user_id')] : []
  const odd = [...Object.values(params), ...asked].find((id) => id !== null && uuidForm(id) === 'lenient') ?? ''
  if (odd.startsWith('urn:')) return 'urn:uuid:'
  if (odd.startsWith('{')) return 'braces'
  return odd.includes('-') ? 'upper case' : 'without hyphens'
}

export const requestObservers = {
  /** Success statuses, one for each operation. */
  'http.success-status': function* (analysis) {
    for (const operation of operationIds) {
      for (const parsed of analysis.of(operation)) {
        if (isAccepted(parsed))
          yield { value: `${parsed.answer.status} ${operation}`, exchange: parsed.id, group: operation }
      }
    }
  },

  /** Statuses of error codes, one for each code. */
  'errors.status-of-code': function* (analysis) {
    for (const parsed of analysis.parsedExchanges) {
      const { code, status } = parsed.answer
      if (code !== null) yield { value: `${status} ${code}`, exchange: parsed.id, group: code }
    }
  },

  'http.unknown-route': unknownAddress(false),
  'http.wrong-method': unknownAddress(true),
  'http.malformed-json': faultAnswer(['createChatCompletion', 'createMessage'], { 'body-not-json': null }, codeOf),
  'http.request-content-type': acceptance(['createMessage'], 'a body that is not declared as JSON'),
  'http.byte-order-mark': acceptance(['createMessage', 'createChatCompletion'], 'a byte order mark before the JSON'),
  'http.unknown-parameters': acceptance(['listAssistants', 'listMessages'], 'an unknown query parameter'),
  'http.repeated-header': acceptance(['createUploadGrant'], 'a repeated header'),
  'completions.last-message': acceptance(
    ['streamChatCompletion', 'streamChatCompletionEvents'],
    'a completion that does not end on a user message',
  ),

  'completions.assistant-messages': function* (analysis) {
    const about = 'a completion with an assistant message that the target may not take'
    const taken = analysis.parsedExchanges.filter(showsAssistantMessage)
    yield* acceptanceOf([...taken, ...withOnlyAmbiguity(analysis, completionOperations, about)], 'accepted', 'rejected')
  },

  'threads.null-character': acceptance(['createMessage'], 'a null character in content'),
  'auth.missing-key': faultAnswer(operationIds, { 'key-missing': null }, statusAndCode),
  'auth.unknown-key': faultAnswer(operationIds, { 'key-unknown': null }, statusAndCode),
  'auth.other-places': (analysis) =>
    acceptanceOf(
      withOnlyAmbiguity(analysis, ['listAssistants'], 'a key in another place than its header'),
      'yes',
      'no',
    ),
  'completions.user-id-required': acceptance(
    ['createChatCompletion'],
    'a body without user_id',
    'optional',
    'required',
  ),
  'completions.null-user-id': acceptance(bothCompletions, 'a user_id of null'),
  'completions.unknown-body-fields': acceptance(
    ['createChatCompletion', 'createMessage'],
    'a body field that the contract does not show',
    'ignored',
  ),
  'completions.empty-content': acceptance(bothCompletions, 'empty content in a completion'),
  'completions.orphan-tool-message': acceptance(bothCompletions, 'a tool message in a completion'),
  'completions.required-field-error': faultAnswer(
    bothCompletions,
    { 'required-root-field': null, 'required-user_data-field': null },
    codeOf,
  ),

  'completions.null-thread-id': function* (analysis) {
    for (const parsed of withOnlyAmbiguity(analysis, ['createChatCompletion'], 'a spelled-out null thread_id')) {
      const [given] = queryValues(parsed, 'thread_id')
      if (isAccepted(parsed))
        yield { value: given === '' ? 'empty' : 'the word null', exchange: parsed.id, group: given ?? '' }
    }
  },

  /** A completion that names a thread that was never created. */
  'completions.unknown-thread': function* (analysis) {
    const about = 'a completion in a thread that no completion of this key made'
    for (const parsed of withOnlyAmbiguity(analysis, bothCompletions, about)) {
      const [asked] = queryValues(parsed, 'thread_id')
      if ((analysis.histories.thread(asked ?? '')?.origin.kind ?? 'unseen') === 'unseen')
        yield* acceptanceOf([parsed], 'the thread is made', codeOf)
    }
  },

  /** A completion that names a thread that was created in another way. */
  'threads.completion-in-thread': function* (analysis) {
    const about = 'a completion in a thread that no completion of this key made'
    for (const parsed of withOnlyAmbiguity(analysis, bothCompletions, about)) {
      const [asked] = queryValues(parsed, 'thread_id')
      const thread = analysis.histories.thread(asked ?? '')
      if (thread?.origin.kind !== 'made' || thread.origin.tenant !== parsed.tenant) continue
      const added = thread.writes.some((write) => write.kind === 'created' && write.sentAtMs > parsed.endedAtMs)
      const refused = thread.refusals.some((write) => write.kind === 'created' && write.sentAtMs > parsed.endedAtMs)
      const accepted = added ? 'accepted, stays open' : refused ? 'accepted, closed afterwards' : null
      if (isRefusal(parsed)) yield { value: 'rejected', exchange: parsed.id }
      else if (isAccepted(parsed) && accepted !== null) yield { value: accepted, exchange: parsed.id }
    }
  },

  'completions.events-query': function* (analysis) {
    for (const parsed of analysis.of('streamChatCompletionEvents')) {
      const [asked] = queryValues(parsed, 'thread_id')
      if (asked === undefined || !isAccepted(parsed)) continue
      const answered = textField(parsed.answer.stream?.lines[0]?.value, 'thread_id')
      yield { value: answered === asked ? 'thread_id' : 'none', exchange: parsed.id }
    }
  },

  /** The form of errors where the contract shows none. */
  'errors.unlisted-operations': function* (analysis) {
    for (const operation of [
      'createUploadGrant',
      'getAssistant',
      'listAssistants',
      'streamChatCompletionEvents',
    ] as const) {
      for (const parsed of analysis.of(operation)) {
        if (!isRefusal(parsed) || parsed.key !== 'sent') continue
        const [detail] = parsed.answer.body.kind === 'json' ? valuesAt(parsed.answer.body.value, '/detail') : []
        yield {
          value: parsed.answer.code !== null && detail !== undefined ? "the contract's" : 'another',
          exchange: parsed.id,
        }
      }
    }
  },

  /** The code of a malformed field, where validation_error is not listed. */
  'errors.schema-fault-code': function* (analysis) {
    for (const [parsed] of withSoleFault(
      analysis,
      ['createMessage', 'listMessages', 'createUploadGrant'],
      schemaFaults,
    )) {
      if (isRefusal(parsed)) yield { value: codeOf(parsed), exchange: parsed.id, group: parsed.operation ?? '' }
    }
  },

  /** The number of faults that one validation_error names. */
  'errors.all-faults-at-once': function* (analysis) {
    for (const operation of bothCompletions) {
      for (const parsed of analysis.of(operation)) {
        const { faults } = analysis.requestOf(parsed)
        if (faults.length < 2 || parsed.answer.code !== 'validation_error' || parsed.key !== 'sent') continue
        yield { value: fieldErrors(parsed).length > 1 ? 'all' : 'first', exchange: parsed.id }
      }
    }
  },

  /** The words that types are made of, by the fault that they stand for. */
  'errors.type-vocabulary': function* (analysis) {
    for (const operation of bothCompletions) {
      for (const parsed of analysis.of(operation)) {
        const fault = soleFault(analysis.requestOf(parsed))
        for (const { type } of fault === null ? [] : fieldErrors(parsed).slice(0, 1)) {
          // A vocabulary lists what there is; two values of it contradict nothing.
          if (type !== null) yield { value: type, exchange: parsed.id, group: type }
        }
      }
    }
  },

  'errors.malformed-thread-id': acceptance(threadOperations, 'a thread_id that is no UUID', 'accepted', codeOf),

  'errors.rate-limit-window': function* (analysis) {
    for (const parsed of analysis.parsedExchanges) {
      if (parsed.answer.code !== 'rate_limit_gateway') continue
      const retry = answerHeader(parsed.exchange, 'retry-after')
      yield { value: retry !== undefined ? 'Retry-After is sent' : 'no Retry-After', exchange: parsed.id }
    }
  },

  /** Other spellings of a UUID, one group for each form of spelling. */
  'resources.uuid-spelling': function* (analysis) {
    for (const operation of [...completionOperations, ...threadOperations, 'getAssistant'] as const) {
      for (const parsed of withOnlyAmbiguity(analysis, [operation], 'another spelling of a UUID')) {
        const form = uuidFormatOf(parsed)
        for (const sighting of acceptanceOf([parsed], `${form} accepted`, `${form} rejected`))
          yield { ...sighting, group: form }
      }
    }
  },
} satisfies Partial<Record<GapId, GapObserver>>
