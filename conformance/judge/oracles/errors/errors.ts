/** Oracles of chapter errors: the one error body, and the codes of the table. */
import {
  bothCompletions,
  messageOperations,
  modelOperations,
  type OperationId,
  requirementOf,
  type TestableId,
} from '../../../../spec/index.ts'
import { type FaultRule, soleFault } from '../../classify/request-fault.ts'
import { unmetQuota } from '../../classify/unmet-quota.ts'
import { fieldOf, hasField, isObject, nameOf } from '../../read/json.ts'
import { isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from '../support/answer-name.ts'
import { isRefusedLikeOneOf } from '../support/confounders.ts'
import { anArray, aString, contradict, judgeField } from '../support/field-checks.ts'
import { type Oracle, perExchange, perTrace, type ScopedOracle } from '../support/oracle.ts'
import { TwoKeyMap } from '../support/two-key-map.ts'
import { detailText, listedWhere } from './error-texts.ts'
import { judgeLimitAtOnce } from './limit-at-once.ts'
import { limitInStreams } from './limit-in-streams.ts'
import { limitOfOthers } from './limit-of-others.ts'
import { isLimitOfAll, judgeOthersOverLimit } from './over-limit.ts'
import { judgeProvoked } from './provoked-errors.ts'

const listed = [...modelOperations, ...messageOperations] as const

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
  analysis: TraceAnalysis,
  operations: readonly OperationId[],
): Generator<{ readonly operation: OperationId; readonly parsed: ParsedExchange }> {
  for (const operation of operations) {
    for (const parsed of analysis.of(operation)) {
      const { faults, validity } = analysis.requestOf(parsed)
      const isOwn = validity === 'valid' || (faults.length > 0 && !faults.some(({ rule }) => outsideFaults.has(rule)))
      if (isOwn && isRefusal(parsed)) yield { operation, parsed }
    }
  }
}

const errorOf = ({ answer }: ParsedExchange): unknown => (answer.body.kind === 'json' ? answer.body.value : undefined)
const placeOf = (operation: OperationId, parsed: ParsedExchange, at = '') => ({ operation, exchange: parsed.id, at })

const bodyFields: Oracle = (analysis, observe) => {
  for (const { operation, parsed } of ownRefusals(analysis, listed)) {
    const error = errorOf(parsed)
    judgeField(observe, placeOf(operation, parsed), error, 'error_code', aString)
    const detail = fieldOf(error, 'detail')
    if (detail !== undefined && detail !== null) observe.held(operation, 'detail', parsed.id)
    else contradict(observe, placeOf(operation, parsed), '/detail', 'detail', 'a detail', detail)
  }
}

/** Answers with an error_code, environmental ones as well: the form of an error is owed whatever its cause. */
function* codedErrors(
  analysis: TraceAnalysis,
  operations: readonly OperationId[],
): Generator<{ readonly operation: OperationId; readonly parsed: ParsedExchange }> {
  for (const operation of operations) {
    for (const parsed of analysis.of(operation)) {
      if (parsed.answer.code !== null && parsed.key === 'sent') yield { operation, parsed }
    }
  }
}

const detailIsString: Oracle = (analysis, observe) => {
  for (const { operation, parsed } of codedErrors(analysis, listed)) {
    if (parsed.answer.code === 'validation_error' || !hasField(errorOf(parsed), 'detail')) continue
    judgeField(observe, placeOf(operation, parsed), errorOf(parsed), 'detail', aString, null)
  }
}

const validationDetail: Oracle = (analysis, observe) => {
  for (const { operation, parsed } of codedErrors(analysis, bothCompletions)) {
    if (parsed.answer.code !== 'validation_error') continue
    const detail = fieldOf(errorOf(parsed), 'detail')
    if (!Array.isArray(detail) || detail.length === 0) {
      contradict(observe, placeOf(operation, parsed), '/detail', 'array', 'an array of field errors, not empty', detail)
      continue
    }
    observe.held(operation, 'array', parsed.id)
    for (const [index, entry] of detail.entries()) {
      const place = placeOf(operation, parsed, `/detail/${index}`)
      judgeField(observe, place, entry, 'loc', anArray)
      judgeField(observe, place, entry, 'message', aString)
      judgeField(observe, place, entry, 'type', aString)
    }
  }
}

/** A string or an index; a text that itself begins with a part of the request is a whole path and no segment. */
const isSegment = (value: unknown): boolean =>
  typeof value === 'string'
    ? !/^(?:body|query|path|header)[./[]/.test(value)
    : Number.isInteger(value) && Number(value) >= 0

const locSegments: Oracle = (analysis, observe) => {
  const path = {
    expected: 'path segments, strings or indices, not empty',
    holds: (loc: unknown) => Array.isArray(loc) && loc.length > 0 && loc.every(isSegment),
  }
  for (const { operation, parsed } of codedErrors(analysis, bothCompletions)) {
    const detail = fieldOf(errorOf(parsed), 'detail')
    if (parsed.answer.code !== 'validation_error' || !Array.isArray(detail)) continue
    for (const [index, entry] of detail.entries()) {
      if (anArray.holds(fieldOf(entry, 'loc')))
        judgeField(observe, placeOf(operation, parsed, `/detail/${index}`), entry, 'loc', path, null)
    }
  }
}

/**
 * If the reason of a refusal is unknown, an answer without error_code may be of the HTTP layer, unless the request was
 * right.
 */
const bodyMyKeys: Oracle = (analysis, observe) => {
  for (const { operation, parsed } of codedErrors(analysis, ['listMyApiKeys'])) {
    if (hasField(errorOf(parsed), 'detail')) observe.held(operation, null, parsed.id)
    else contradict(observe, placeOf(operation, parsed), '/detail', null, 'a detail', undefined)
  }
  // Behind a throttled key 429 is the rate limit, which the contract lists for this operation.
  const overLimit = analysis
    .of('listMyApiKeys')
    .filter(
      (parsed) => parsed.tenant === 'throttled' && parsed.answer.status === 429 && !isLimitOfAll(analysis, parsed),
    )
  const own = [...ownRefusals(analysis, ['listMyApiKeys'])].map(({ parsed }) => parsed)
  for (const parsed of new Set([...own, ...overLimit])) {
    if (parsed.answer.code !== null) continue
    const place = placeOf('listMyApiKeys', parsed)
    contradict(observe, place, '', null, 'an object with error_code and detail', errorOf(parsed))
  }
}

/** The same wrong bytes from the same tenant; only faults that no other request can mend are compared. */
const rejectionRepeatable: Oracle = (analysis, observe) => {
  for (const operation of ['createChatCompletion', 'createMessage'] as const) {
    // By body and by address.
    const first = new TwoKeyMap<ParsedExchange>()
    for (const parsed of analysis.of(operation)) {
      const fault = soleFault(analysis.requestOf(parsed))
      if (fault === null || !isRefusal(parsed) || parsed.key !== 'sent' || parsed.body.kind === 'none') continue
      if (soleFault({ faults: analysis.byteFaultsOf(parsed) })?.rule !== fault.rule) continue
      const address = `${parsed.tenant} ${parsed.exchange.request.url}`
      const before = first.find(parsed.body.text, address)
      if (before === undefined) {
        first.set(parsed.body.text, address, parsed)
        continue
      }
      if (before.answer.code === parsed.answer.code) observe.held(operation, null, before.id, parsed.id)
      else {
        observe.contradicted(operation, null, {
          exchanges: [before.id, parsed.id],
          expected: answerName(before),
          actual: answerName(parsed),
          pointer: '/error_code',
          because: `${before.id} and ${parsed.id} are the same wrong request, and they are rejected with different codes.`,
          headline: 'rejects the same wrong request with different codes',
        })
      }
    }
  }
}

/** Looks at the own keys with the key that is to be throttled, and with the others. */
function byQuota(
  analysis: TraceAnalysis,
): readonly [throttled: readonly ParsedExchange[], others: readonly ParsedExchange[]] {
  const all = analysis.of('listMyApiKeys')
  return [
    all.filter(({ tenant }) => tenant === 'throttled'),
    all.filter(({ tenant, key }) => tenant !== 'throttled' && key === 'sent'),
  ]
}

const rateLimit: Oracle = (analysis, observe) => {
  const [throttled, others] = byQuota(analysis)
  for (const parsed of throttled) {
    const { code, status } = parsed.answer
    if (code === 'rate_limit_gateway') observe.held('listMyApiKeys', null, parsed.id)
    else if (isRefusedLikeOneOf(parsed, others) || isLimitOfAll(analysis, parsed)) {
      observe.ambiguous('listMyApiKeys', null, parsed.id, `Keys without a quota get ${answerName(parsed)} as well.`)
    } else if (status === 429 || (isRefusal(parsed) && analysis.requestOf(parsed).validity === 'valid')) {
      observe.contradicted('listMyApiKeys', null, {
        exchanges: [parsed.id],
        expected: 'rate_limit_gateway',
        actual: answerName(parsed),
        ...(code === null ? {} : { pointer: '/error_code' }),
        because: `${parsed.id} is one of many requests with a throttled key, and it is refused with ${answerName(parsed)} instead of rate_limit_gateway.`,
        headline: `answers a throttled key with ${answerName(parsed)} instead of rate_limit_gateway`,
      })
    }
  }
  judgeLimitAtOnce(throttled, observe)
  const unmet = unmetQuota(analysis)
  if (unmet === null) return
  const { served, last, isSlow, isFarBeyond, limited } = unmet
  if (isFarBeyond && !isSlow && limited === null)
    return observe.contradicted('listMyApiKeys', null, {
      exchanges: [last.id],
      expected: 'rate_limit_gateway',
      actual: `${served} successes`,
      because: `${served} requests with the throttled key were all served, and throttle.requests of the profile says that ${analysis.profile.throttledAfter} exceed its quota; a key that has none is the profile's fault.`,
      headline: `serves all ${served} requests of a key whose quota the profile says is used up by ${analysis.profile.throttledAfter}`,
    })
  const why = isSlow
    ? `The requests up to ${last.id} took so long that windows of the quota may have passed.`
    : `${served} requests with the throttled key, up to ${last.id}, were all served: its quota is larger than throttle.requests says, or there is none.`
  observe.ambiguous('listMyApiKeys', null, last.id, why)
}

/**
 * An oracle for one code of the table: wherever it is seen where it is listed, it comes as the contract's error; and where
 * the profile says that it comes, no error without a code comes in its place.
 */
const codeSent =
  (code: string): Oracle =>
  (analysis, observe) => {
    const owedBy = requirementOf(`errors.code-${code.replaceAll('_', '-')}`)?.owedBy ?? {}
    judgeProvoked(analysis, observe, code, new Set(Object.keys(owedBy)))
    for (const parsed of analysis.withCode(code)) {
      const { operation } = parsed
      if (operation === null || !Object.hasOwn(owedBy, operation) || parsed.key !== 'sent') continue
      const detail = fieldOf(errorOf(parsed), 'detail')
      const isRight =
        code === 'validation_error'
          ? Array.isArray(detail) && detail.length > 0 && detail.every(isObject)
          : typeof detail === 'string'
      if (isRight) observe.held(operation, null, parsed.id)
      else {
        const expected = code === 'validation_error' ? 'an array of field errors' : 'a string'
        observe.contradicted(operation, null, {
          exchanges: [parsed.id],
          expected,
          actual: nameOf(detail),
          pointer: '/detail',
          because: `The detail of ${code} in ${parsed.id} must be ${expected}, but it is ${nameOf(detail)}.`,
          headline: `the detail of ${code} must be ${expected}, but it is ${nameOf(detail)}`,
        })
      }
    }
  }

/** The oracles of chapter errors. */
export const errorsOracles: Readonly<Record<TestableId<'errors'>, ScopedOracle>> = {
  'errors.body-fields': perExchange(bodyFields),
  'errors.detail-is-string': perExchange(detailIsString),
  'errors.validation-detail': perExchange(validationDetail),
  'errors.validation-loc-segments': perExchange(locSegments),
  'errors.validation-body-my-keys': perExchange(bodyMyKeys),
  'errors.rejection-repeatable': perTrace(rejectionRepeatable),
  'errors.rate-limit': perTrace(rateLimit),
  'errors.rate-limit-own-tenant': perTrace(limitOfOthers),
  'errors.rate-limit-in-streams': perTrace(limitInStreams),
  'errors.code-assistant-not-available': perTrace(codeSent('assistant_not_available')),
  'errors.code-resource-not-found': perTrace(codeSent('resource_not_found')),
  'errors.code-thread-not-found': perTrace(codeSent('thread_not_found')),
  'errors.code-engine-does-not-support-streaming': perTrace(codeSent('engine_does_not_support_streaming')),
  'errors.code-rate-limit-gateway': perTrace((analysis, observe) => {
    codeSent('rate_limit_gateway')(analysis, observe)
    judgeOthersOverLimit(analysis, observe)
  }),
  'errors.code-api-timeout-error': perTrace(codeSent('api_timeout_error')),
  'errors.code-internal-service-error': perTrace(codeSent('internal_service_error')),
  'errors.code-tool-message-has-no-matching-tool-call': perTrace(codeSent('tool_message_has_no_matching_tool_call')),
  'errors.code-message-content-empty': perTrace(codeSent('message_content_empty')),
  'errors.code-validation-error': perTrace(codeSent('validation_error')),
  'errors.code-bad-request': perTrace(codeSent('bad_request')),
  'errors.code-tenant-not-found': perTrace(codeSent('tenant_not_found')),
  'errors.detail-text': perExchange(detailText),
  'errors.listed-where': perExchange(listedWhere),
}
