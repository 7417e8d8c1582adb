/** Oracles of chapter errors: the one error body, and the codes of the table. */
import type { OperationId, TestableId } from '../../spec/index.ts'
import { requirementOf } from '../../spec/index.ts'
import { provokedCode } from '../classify/classify-request.ts'
import { type FaultRule, soleFault } from '../classify/fault.ts'
import { fieldOf, hasField, isObject, nameOf } from '../classify/json.ts'
import { isAccepted, isRefusal, type Reading } from '../classify/reading.ts'
import type { Docket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import { isRefusedLikeOneOf } from './alike.ts'
import { anArray, aString, contradict, judgeField } from './field-rules.ts'
import { answerName, bothCompletions, bothRuns, type Oracle } from './oracle.ts'
import { PairMap } from './pair-map.ts'

const listed = [...bothCompletions, ...bothRuns, 'listMessages', 'createMessage'] as const

/** Faults that come before the contract's own rules: what answers them is not the part that knows the error body. */
const outsideFaults: ReadonlySet<FaultRule> = new Set([
  'key-missing',
  'key-unknown',
  'body-missing',
  'body-not-json',
  'body-not-object',
])

/** Refusals that are surely the contract's own: by its rules, or of a request that it allows. */
function* ownRefusals(
  docket: Docket,
  operations: readonly OperationId[],
): Generator<{ readonly operation: OperationId; readonly reading: Reading }> {
  for (const operation of operations) {
    for (const reading of docket.of(operation)) {
      const { faults, validity } = docket.requestOf(reading)
      const isOwn = validity === 'valid' || (faults.length > 0 && !faults.some(({ rule }) => outsideFaults.has(rule)))
      if (isOwn && isRefusal(reading)) yield { operation, reading }
    }
  }
}

const errorOf = ({ answer }: Reading): unknown => (answer.body.kind === 'json' ? answer.body.value : undefined)
const placeOf = (operation: OperationId, reading: Reading, at = '') => ({ operation, exchange: reading.id, at })

const bodyFields: Oracle = (docket, testify) => {
  for (const { operation, reading } of ownRefusals(docket, listed)) {
    const error = errorOf(reading)
    judgeField(testify, placeOf(operation, reading), error, 'error_code', aString)
    const detail = fieldOf(error, 'detail')
    if (detail !== undefined && detail !== null) testify.held(operation, 'detail', reading.id)
    else contradict(testify, placeOf(operation, reading), '/detail', 'detail', 'a detail', detail)
  }
}

/** Answers with an error_code, environmental ones as well: the form of an error is owed whatever its cause. */
function* codedErrors(
  docket: Docket,
  operations: readonly OperationId[],
): Generator<{ readonly operation: OperationId; readonly reading: Reading }> {
  for (const operation of operations) {
    for (const reading of docket.of(operation)) {
      if (reading.answer.code !== null && reading.key === 'sent') yield { operation, reading }
    }
  }
}

const detailIsString: Oracle = (docket, testify) => {
  for (const { operation, reading } of codedErrors(docket, listed)) {
    if (reading.answer.code === 'validation_error' || !hasField(errorOf(reading), 'detail')) continue
    judgeField(testify, placeOf(operation, reading), errorOf(reading), 'detail', aString, null)
  }
}

const validationDetail: Oracle = (docket, testify) => {
  for (const { operation, reading } of codedErrors(docket, bothCompletions)) {
    if (reading.answer.code !== 'validation_error') continue
    const detail = fieldOf(errorOf(reading), 'detail')
    if (!Array.isArray(detail) || detail.length === 0) {
      contradict(
        testify,
        placeOf(operation, reading),
        '/detail',
        'array',
        'an array of field errors, not empty',
        detail,
      )
      continue
    }
    testify.held(operation, 'array', reading.id)
    for (const [index, entry] of detail.entries()) {
      const place = placeOf(operation, reading, `/detail/${index}`)
      judgeField(testify, place, entry, 'loc', anArray)
      judgeField(testify, place, entry, 'message', aString)
      judgeField(testify, place, entry, 'type', aString)
    }
  }
}

/** A string or an index; a text that itself begins with a part of the request is a whole path and no segment. */
const isSegment = (value: unknown): boolean =>
  typeof value === 'string'
    ? !/^(?:body|query|path|header)[./[]/.test(value)
    : Number.isInteger(value) && Number(value) >= 0

const locSegments: Oracle = (docket, testify) => {
  const path = {
    expected: 'path segments, strings or indices, not empty',
    holds: (loc: unknown) => Array.isArray(loc) && loc.length > 0 && loc.every(isSegment),
  }
  for (const { operation, reading } of codedErrors(docket, bothCompletions)) {
    const detail = fieldOf(errorOf(reading), 'detail')
    if (reading.answer.code !== 'validation_error' || !Array.isArray(detail)) continue
    for (const [index, entry] of detail.entries()) {
      if (anArray.holds(fieldOf(entry, 'loc')))
        judgeField(testify, placeOf(operation, reading, `/detail/${index}`), entry, 'loc', path, null)
    }
  }
}

/** Where nobody knows what is refused, an answer without error_code may be of the HTTP layer, unless the request was right. */
const bodyMyKeys: Oracle = (docket, testify) => {
  for (const { operation, reading } of codedErrors(docket, ['listMyApiKeys'])) {
    if (hasField(errorOf(reading), 'detail')) testify.held(operation, null, reading.id)
    else contradict(testify, placeOf(operation, reading), '/detail', null, 'a detail', undefined)
  }
  // Behind a throttled key 429 is the rate limit, which the contract lists for this operation.
  const overLimit = docket
    .of('listMyApiKeys')
    .filter(({ tenant, answer }) => tenant === 'throttled' && answer.status === 429)
  const own = [...ownRefusals(docket, ['listMyApiKeys'])].map(({ reading }) => reading)
  for (const reading of new Set([...own, ...overLimit])) {
    if (reading.answer.code !== null) continue
    const place = placeOf('listMyApiKeys', reading)
    contradict(testify, place, '', null, 'an object with error_code and detail', errorOf(reading))
  }
}

/** The same wrong bytes from the same tenant; only faults that no other request can mend are compared. */
const rejectionRepeatable: Oracle = (docket, testify) => {
  for (const operation of ['createChatCompletion', 'createMessage'] as const) {
    // By body and by address.
    const first = new PairMap<Reading>()
    for (const reading of docket.of(operation)) {
      const fault = soleFault(docket.requestOf(reading))
      if (fault === null || !isRefusal(reading) || reading.key !== 'sent' || reading.body.kind === 'none') continue
      if (soleFault({ faults: docket.byteFaultsOf(reading) })?.rule !== fault.rule) continue
      const address = `${reading.tenant} ${reading.exchange.request.url}`
      const before = first.find(reading.body.text, address)
      if (before === undefined) {
        first.set(reading.body.text, address, reading)
        continue
      }
      if (before.answer.code === reading.answer.code) testify.held(operation, null, before.id, reading.id)
      else {
        testify.contradicted(operation, null, {
          exchanges: [before.id, reading.id],
          expected: answerName(before),
          actual: answerName(reading),
          pointer: '/error_code',
          because: `${before.id} and ${reading.id} are the same wrong request, and they are rejected with different codes.`,
        })
      }
    }
  }
}

/** Looks at the own keys with the key that is to be throttled, and with the others. */
function byQuota(docket: Docket): readonly [throttled: readonly Reading[], others: readonly Reading[]] {
  const all = docket.of('listMyApiKeys')
  return [
    all.filter(({ tenant }) => tenant === 'throttled'),
    all.filter(({ tenant, key }) => tenant !== 'throttled' && key === 'sent'),
  ]
}

const rateLimit: Oracle = (docket, testify) => {
  const [throttled, others] = byQuota(docket)
  for (const reading of throttled) {
    const { code, status } = reading.answer
    if (code === 'rate_limit_gateway') testify.held('listMyApiKeys', null, reading.id)
    else if (isRefusedLikeOneOf(reading, others)) {
      testify.ambiguous('listMyApiKeys', null, reading.id, `Keys without a quota get ${answerName(reading)} as well.`)
    } else if (status === 429 || (isRefusal(reading) && docket.requestOf(reading).validity === 'valid')) {
      testify.contradicted('listMyApiKeys', null, {
        exchanges: [reading.id],
        expected: 'rate_limit_gateway',
        actual: answerName(reading),
        ...(code === null ? {} : { pointer: '/error_code' }),
        because: `${reading.id} is one of many requests with a throttled key, and it is refused with ${answerName(reading)} instead of rate_limit_gateway.`,
      })
    }
  }
  const { throttledAfter } = docket.profile
  const answered = throttled.filter(isAccepted)
  if (throttledAfter === null || answered.length < throttledAfter || answered.length < throttled.length) return
  const last = answered.at(-1)
  testify.contradicted('listMyApiKeys', null, {
    exchanges: last === undefined ? [] : [last.id],
    expected: 'rate_limit_gateway',
    actual: `${answered.length} successes`,
    because: `${answered.length} requests with the throttled key, which surely exceed its quota, were all served.`,
  })
}

/**
 * An oracle for one code of the table: wherever it is seen where it is listed, it comes as the contract's error; and where
 * the profile says that it comes, no error without a code comes in its place.
 */
const codeSent =
  (id: TestableId<'errors'>, code: string): Oracle =>
  (docket, testify) => {
    const owedBy = requirementOf(id)?.owedBy ?? {}
    judgeProvoked(docket, testify, code, new Set(Object.keys(owedBy)))
    for (const reading of docket.withCode(code)) {
      const { operation } = reading
      if (operation === null || !Object.hasOwn(owedBy, operation) || reading.key !== 'sent') continue
      const detail = fieldOf(errorOf(reading), 'detail')
      const isRight =
        code === 'validation_error'
          ? Array.isArray(detail) && detail.length > 0 && detail.every(isObject)
          : typeof detail === 'string'
      if (isRight) testify.held(operation, null, reading.id)
      else {
        const expected = code === 'validation_error' ? 'an array of field errors' : 'a string'
        testify.contradicted(operation, null, {
          exchanges: [reading.id],
          expected,
          actual: nameOf(detail),
          pointer: '/detail',
          because: `The detail of ${code} in ${reading.id} must be ${expected}, and it is ${nameOf(detail)}.`,
        })
      }
    }
  }

/** Errors that were asked for in the way of the profile, and came in a form of which nobody can tell that they are it. */
function judgeProvoked(docket: Docket, testify: Testimony, code: string, owedBy: ReadonlySet<string>): undefined {
  if (!docket.profile.provoking.some((one) => one.code === code)) return
  for (const reading of docket.readings) {
    const { operation, answer } = reading
    if (operation === null || !owedBy.has(operation) || provokedCode(reading, docket.profile) !== code) continue
    if (answer.code !== null || answer.status === null || answer.status < 400) continue
    testify.contradicted(operation, null, {
      exchanges: [reading.id],
      expected: code,
      actual: answerName(reading),
      because: `${reading.id} asks for ${code} in the way that the profile tells, and the error that came has no error_code.`,
    })
  }
}

/** The oracles of chapter errors. */
export const errorsOracles: Readonly<Record<TestableId<'errors'>, Oracle>> = {
  'errors.body-fields': bodyFields,
  'errors.detail-is-string': detailIsString,
  'errors.validation-detail': validationDetail,
  'errors.validation-loc-segments': locSegments,
  'errors.validation-body-my-keys': bodyMyKeys,
  'errors.rejection-repeatable': rejectionRepeatable,
  'errors.rate-limit': rateLimit,
  'errors.code-assistant-not-available': codeSent('errors.code-assistant-not-available', 'assistant_not_available'),
  'errors.code-resource-not-found': codeSent('errors.code-resource-not-found', 'resource_not_found'),
  'errors.code-thread-not-found': codeSent('errors.code-thread-not-found', 'thread_not_found'),
  'errors.code-engine-does-not-support-streaming': codeSent(
    'errors.code-engine-does-not-support-streaming',
    'engine_does_not_support_streaming',
  ),
  'errors.code-rate-limit-gateway': codeSent('errors.code-rate-limit-gateway', 'rate_limit_gateway'),
  'errors.code-api-timeout-error': codeSent('errors.code-api-timeout-error', 'api_timeout_error'),
  'errors.code-internal-service-error': codeSent('errors.code-internal-service-error', 'internal_service_error'),
  'errors.code-tool-message-has-no-matching-tool-call': codeSent(
    'errors.code-tool-message-has-no-matching-tool-call',
    'tool_message_has_no_matching_tool_call',
  ),
  'errors.code-message-content-empty': codeSent('errors.code-message-content-empty', 'message_content_empty'),
  'errors.code-validation-error': codeSent('errors.code-validation-error', 'validation_error'),
  'errors.code-bad-request': codeSent('errors.code-bad-request', 'bad_request'),
  'errors.code-tenant-not-found': codeSent('errors.code-tenant-not-found', 'tenant_not_found'),
}
