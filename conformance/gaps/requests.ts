/** Observers of the gaps in chapters http, auth, completions, errors and resources: what requests get. */
import { operationIds } from '../../spec/index.ts'
import { soleFault } from '../classify/fault.ts'
import { uuidForm } from '../classify/forms.ts'
import { textField, valuesAt } from '../classify/json.ts'
import { isAccepted, isRefusal, queryValues, type Reading } from '../classify/reading.ts'
import { fieldErrors } from '../oracles/field-errors.ts'
import { bothCompletions, completionOperations, threadOperations, withSoleFault } from '../oracles/oracle.ts'
import { acceptance, codeOf, decided, type GapObserver, statusAndCode, withOnlyDoubt } from './observer.ts'

/** Success statuses, one for each operation. */
export const successStatus: GapObserver = function* (docket) {
  for (const operation of operationIds) {
    for (const reading of docket.of(operation)) {
      if (isAccepted(reading))
        yield { value: `${reading.answer.status} ${operation}`, exchange: reading.id, group: operation }
    }
  }
}

/** Statuses of error codes, one for each code. */
export const statusOfCode: GapObserver = function* (docket) {
  for (const reading of docket.readings) {
    const { code, status } = reading.answer
    if (code !== null) yield { value: `${status} ${code}`, exchange: reading.id, group: code }
  }
}

/** Requests to addresses that are no operation: a known path under another method, or an unknown path. */
const unknownAddress = (isKnownPath: boolean): GapObserver =>
  function* ({ readings }) {
    const lost = readings.filter((one) => one.operation === null && one.path.startsWith('/'))
    const known =
      lost.length === 0 ? null : new Set(readings.flatMap((one) => (one.operation === null ? [] : one.path)))
    for (const reading of lost) {
      if (!isRefusal(reading) || reading.key !== 'sent') continue
      if (known?.has(reading.path) === isKnownPath) yield { value: statusAndCode(reading), exchange: reading.id }
    }
  }

export const unknownRoute = unknownAddress(false)
export const wrongMethod = unknownAddress(true)

/** What a certain fault gets, when it is the only one. */
export const faultAnswer = (
  operations: readonly (typeof operationIds)[number][],
  rules: Parameters<typeof withSoleFault>[2],
  tell: (reading: Reading) => string,
): GapObserver =>
  function* (docket) {
    for (const [reading] of withSoleFault(docket, operations, rules)) {
      if (isRefusal(reading)) yield { value: tell(reading), exchange: reading.id }
    }
  }

export const malformedJson = faultAnswer(['createChatCompletion', 'createMessage'], { 'body-not-json': null }, codeOf)
export const requestContentType = acceptance(['createMessage'], 'a body that is not declared as JSON')
export const missingKey = faultAnswer(operationIds, { 'key-missing': null }, statusAndCode)
export const unknownKey = faultAnswer(operationIds, { 'key-unknown': null }, statusAndCode)
export const keyElsewhere: GapObserver = (docket) =>
  decided(withOnlyDoubt(docket, ['listAssistants'], 'a key in another place than its header'), 'yes', 'no')

export const userIdRequired = acceptance(['createChatCompletion'], 'a body without user_id', 'optional', 'required')
export const unknownBodyFields = acceptance(
  ['createChatCompletion', 'createMessage'],
  'a body field that the contract does not show',
  'ignored',
)
export const emptyCompletionContent = acceptance(bothCompletions, 'empty content in a completion')
export const orphanToolMessage = acceptance(bothCompletions, 'a tool message in a completion')
export const requiredFieldError = faultAnswer(
  bothCompletions,
  { 'required-root-field': null, 'required-user_data-field': null },
  codeOf,
)

export const nullThreadId: GapObserver = function* (docket) {
  for (const reading of withOnlyDoubt(docket, ['createChatCompletion'], 'a spelled-out null thread_id')) {
    const [given] = queryValues(reading, 'thread_id')
    if (isAccepted(reading))
      yield { value: given === '' ? 'empty' : 'the word null', exchange: reading.id, group: given ?? '' }
  }
}

/** A completion that names a thread which nobody made. */
export const unknownCompletionThread: GapObserver = function* (docket) {
  const about = 'a completion in a thread that no completion of this key made'
  for (const reading of withOnlyDoubt(docket, bothCompletions, about)) {
    const [asked] = queryValues(reading, 'thread_id')
    if ((docket.ledger.thread(asked ?? '')?.origin.kind ?? 'unseen') === 'unseen')
      yield* decided([reading], 'a new thread', codeOf)
  }
}

/** A completion that names a thread which was made in another way. */
export const completionInThread: GapObserver = function* (docket) {
  const about = 'a completion in a thread that no completion of this key made'
  for (const reading of withOnlyDoubt(docket, bothCompletions, about)) {
    const [asked] = queryValues(reading, 'thread_id')
    const thread = docket.ledger.thread(asked ?? '')
    if (thread?.origin.kind !== 'made' || thread.origin.tenant !== reading.tenant) continue
    const added = thread.writes.some((write) => write.kind === 'created' && write.sentAtMs > reading.endedAtMs)
    const refused = thread.refusals.some((write) => write.kind === 'created' && write.sentAtMs > reading.endedAtMs)
    const accepted = added ? 'accepted, stays open' : refused ? 'accepted, closed afterwards' : null
    if (isRefusal(reading)) yield { value: 'rejected', exchange: reading.id }
    else if (isAccepted(reading) && accepted !== null) yield { value: accepted, exchange: reading.id }
  }
}

export const eventsQuery: GapObserver = function* (docket) {
  for (const reading of docket.of('streamChatCompletionEvents')) {
    const [asked] = queryValues(reading, 'thread_id')
    if (asked === undefined || !isAccepted(reading)) continue
    const answered = textField(reading.answer.stream?.lines[0]?.value, 'thread_id')
    yield { value: answered === asked ? 'thread_id' : 'none', exchange: reading.id }
  }
}

/** The form of errors where the contract shows none. */
export const unlistedOperations: GapObserver = function* (docket) {
  for (const operation of [
    'createUploadGrant',
    'getAssistant',
    'listAssistants',
    'streamChatCompletionEvents',
  ] as const) {
    for (const reading of docket.of(operation)) {
      if (!isRefusal(reading) || reading.key !== 'sent') continue
      const [detail] = reading.answer.body.kind === 'json' ? valuesAt(reading.answer.body.value, '/detail') : []
      yield {
        value: reading.answer.code !== null && detail !== undefined ? "the contract's" : 'another',
        exchange: reading.id,
      }
    }
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

/** The code of a malformed field, where validation_error is not listed. */
export const schemaFaultCode: GapObserver = function* (docket) {
  for (const [reading] of withSoleFault(docket, ['createMessage', 'listMessages', 'createUploadGrant'], schemaFaults)) {
    if (isRefusal(reading)) yield { value: codeOf(reading), exchange: reading.id, group: reading.operation ?? '' }
  }
}

/** How many of several faults one validation_error tells. */
export const allFaultsAtOnce: GapObserver = function* (docket) {
  for (const operation of bothCompletions) {
    for (const reading of docket.of(operation)) {
      const { faults } = docket.requestOf(reading)
      if (faults.length < 2 || reading.answer.code !== 'validation_error' || reading.key !== 'sent') continue
      yield { value: fieldErrors(reading).length > 1 ? 'all' : 'first', exchange: reading.id }
    }
  }
}

/** The words that types are made of, by the fault that they stand for. */
export const typeVocabulary: GapObserver = function* (docket) {
  for (const operation of bothCompletions) {
    for (const reading of docket.of(operation)) {
      const fault = soleFault(docket.requestOf(reading))
      for (const { type } of fault === null ? [] : fieldErrors(reading).slice(0, 1)) {
        if (type !== null) yield { value: type, exchange: reading.id, group: fault?.rule ?? '' }
      }
    }
  }
}

export const malformedThreadId = acceptance(threadOperations, 'a thread_id that is no UUID', 'accepted', codeOf)

export const rateLimitWindow: GapObserver = function* (docket) {
  for (const reading of docket.readings) {
    if (reading.answer.code !== 'rate_limit_gateway') continue
    const retry = reading.exchange.response?.headers.some(([name]) => name.toLowerCase() === 'retry-after') ?? false
    yield { value: retry ? 'Retry-After is sent' : 'no Retry-After', exchange: reading.id }
  }
}

/** Other spellings of a UUID, one group for each form of spelling. */
export const uuidSpelling: GapObserver = function* (docket) {
  for (const operation of [...completionOperations, ...threadOperations, 'getAssistant'] as const) {
    for (const reading of withOnlyDoubt(docket, [operation], 'another spelling of a UUID')) {
      const form = spellingOf(reading)
      for (const sighting of decided([reading], `${form} accepted`, `${form} rejected`))
        yield { ...sighting, group: form }
    }
  }
}

function spellingOf({ params, body }: Reading): string {
  const asked = body.kind === 'json' ? [textField(body.value, 'assistant_id'), textField(body.value, 'user_id')] : []
  const odd = [...Object.values(params), ...asked].find((id) => id !== null && uuidForm(id) === 'lenient') ?? ''
  if (odd.startsWith('urn:')) return 'urn:uuid:'
  if (odd.startsWith('{')) return 'braces'
  return odd.includes('-') ? 'upper case' : 'without hyphens'
}
