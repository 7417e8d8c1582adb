/** Oracles about the errors of completions: which code, and whether it points at the field that is wrong. */
import { bothCompletions } from '../../../../spec/index.ts'
import type { AmbiguityText } from '../../classify/ambiguity.ts'
import type { FaultRule, Loc, RequestClass, RequestFault } from '../../classify/request-fault.ts'
import { soleFault } from '../../classify/request-fault.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { fieldErrors } from '../../read/field-errors.ts'
import { isOrdinaryUuid } from '../../read/formats.ts'
import { nameOf, textField } from '../../read/json.ts'
import { isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { missingType } from '../errors/missing-type.ts'
import { answerName } from '../support/answer-name.ts'
import { isRefusedLikeValid } from '../support/confounders.ts'
import type { Oracle } from '../support/oracle.ts'
import { withSoleFault } from '../support/refusals.ts'

/** Oracle of completions.missing-assistant-id-error. */
export const missingAssistantIdError: Oracle = (analysis, observe) => {
  for (const [parsed] of withSoleFault(analysis, bothCompletions, { 'assistant_id-missing': null })) {
    if (!isRefusal(parsed) || parsed.operation === null) continue
    const say = speaker(observe, parsed)
    if (isRefusedLikeValid(analysis, observe, parsed, 'error_code')) continue
    const [open] = analysis.requestOf(parsed).ambiguities
    const isNamed = fieldErrors(parsed).some(({ loc }) => loc.includes('body') && loc.includes('assistant_id'))
    if (open !== undefined && !isNamed) {
      observe.ambiguous(parsed.operation, 'loc', parsed.id, `${parsed.id} may be refused for ${open.about}.`)
      continue
    }
    say('error_code', parsed.answer.code === 'validation_error', 'validation_error', answerName(parsed))
    if (parsed.answer.code !== 'validation_error') continue
    const entry = fieldErrors(parsed).find(({ loc }) => loc.includes('body') && loc.includes('assistant_id'))
    say('loc', entry !== undefined, 'an entry with loc ["body","assistant_id"]', locsOf(parsed))
    if (entry === undefined) continue
    const kind = missingType(entry.type, analysis)
    if (kind === 'unsure')
      observe.ambiguous(
        parsed.operation,
        'type',
        parsed.id,
        `Nobody knows whether ${nameOf(entry.type)} tells of a missing field.`,
      )
    else say('type', kind === 'missing', 'a type that tells of a missing field', nameOf(entry.type))
  }
}

/**
 * Oracle of completions.missing-assistant-id-among-others. It only advises: a service may mean to tell one fault at a time. Another
 * code may be meant for the other fault.
 */
export const missingAssistantIdAmongOthers: Oracle = (analysis, observe) => {
  const operation = 'createChatCompletion'
  for (const parsed of analysis.withSeveralFaults(operation)) {
    const { faults } = analysis.requestOf(parsed)
    const areOfBody = faults.every(({ rule }) => bodyRules.has(rule))
    if (!areOfBody || !faults.some(({ rule }) => rule === 'assistant_id-missing') || !isRefusal(parsed)) continue
    if (isRefusedLikeValid(analysis, observe, parsed)) continue
    const entries = fieldErrors(parsed)
    const isOther = entries.some(({ loc }) => faults.some((fault) => pointsAt(loc, fault.loc)))
    if (parsed.answer.code !== 'validation_error')
      observe.ambiguous(operation, null, parsed.id, `${answerName(parsed)} may be meant for another fault.`)
    else if (entries.some(({ loc }) => loc.includes('assistant_id'))) observe.held(operation, null, parsed.id)
    else if (!isOther)
      observe.ambiguous(operation, null, parsed.id, `Nobody knows what the errors of ${parsed.id} name.`)
    else {
      observe.contradicted(operation, null, {
        exchanges: [parsed.id],
        expected: 'an entry that names assistant_id',
        actual: locsOf(parsed),
        pointer: '/detail',
        because: `${parsed.id} lacks assistant_id and has other faults, and its error names only those.`,
        headline: 'the error leaves out assistant_id, which is missing, and names other faults',
      })
    }
  }
}

function speaker(observe: ObservationLog, { operation, id }: ParsedExchange) {
  return (facet: string, holds: boolean, expected: string, actual: string): undefined => {
    if (operation === null) return
    if (holds) observe.held(operation, facet, id)
    else {
      observe.contradicted(operation, facet, {
        exchanges: [id],
        expected,
        actual,
        pointer: facet === 'error_code' ? '/error_code' : '/detail',
        because: `${id} lacks assistant_id; its error must have ${expected}, and it has ${actual}.`,
        headline: `without assistant_id, the error must have ${expected}, and it has ${actual}`,
      })
    }
  }
}

const locsOf = (parsed: ParsedExchange): string =>
  fieldErrors(parsed)
    .slice(0, 3)
    .map(({ loc }) => JSON.stringify(loc).slice(0, 80))
    .join(', ') || 'no loc'

const bodyRules: ReadonlySet<FaultRule> = new Set([
  'assistant_id-missing',
  'assistant_id-null',
  'assistant_id-wrong-type',
  'assistant_id-not-uuid',
  'messages-missing',
  'messages-empty',
  'messages-not-array',
  'messages-without-user',
  'entry-not-object',
  'content-missing',
  'content-not-string',
  'role-missing',
  'role-not-string',
  'role-unknown',
  'user_id-not-uuid',
  'required-root-field',
  'required-user_data-field',
])

/** Oracle of completions.validation-error-names-field. */
export const validationErrorNamesField: Oracle = (analysis, observe) => {
  for (const operation of bothCompletions) {
    for (const parsed of analysis.of(operation)) {
      if (!isRefusal(parsed)) continue
      const request = analysis.requestOf(parsed)
      const fault = soleFault(request)
      if (fault === null) judgePaths(observe, operation, parsed, request)
      else if (bodyRules.has(fault.rule)) judgeFieldError(analysis, observe, operation, parsed, fault)
    }
  }
}

function judgeFieldError(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  operation: (typeof bothCompletions)[number],
  parsed: ParsedExchange,
  fault: RequestFault,
): undefined {
  const { code } = parsed.answer
  if (isAnotherReading(fault, code) || analysis.requestOf(parsed).ambiguities.length > 0) {
    return observe.ambiguous(operation, null, parsed.id, `${code} may be meant for the same fault.`)
  }
  const [first] = fieldErrors(parsed)
  if (isRefusedLikeValid(analysis, observe, parsed)) return
  const named = code === 'validation_error' && first !== undefined && pointsAt(first.loc, fault.loc)
  if (named) return observe.held(operation, null, parsed.id)
  const field = JSON.stringify(fault.loc)
  observe.contradicted(operation, null, {
    exchanges: [parsed.id],
    expected: `validation_error with an entry that points at ${field}`,
    actual: code === 'validation_error' ? locsOf(parsed) : answerName(parsed),
    pointer: code === 'validation_error' ? '/detail' : '/error_code',
    because: `The only fault of ${parsed.id} is at ${field}, and its error does not say so.`,
    headline: `the error does not point at ${field}, the only fault`,
  })
}

const namesOfFields: ReadonlySet<unknown> = new Set([
  'assistant_id',
  'messages',
  'content',
  'role',
  'user_id',
  'user_data',
])

/**
 * Of several faults any may be told. A field that is missing holds no other, so that no path leads through it to one; and where
 * entries of messages are wrong, none that is right is named.
 */
function judgePaths(
  observe: ObservationLog,
  operation: (typeof bothCompletions)[number],
  parsed: ParsedExchange,
  { faults, ambiguities }: RequestClass,
): void {
  const missing = faults.filter(({ rule }) => bodyRules.has(rule) && rule.endsWith('-missing')).map(({ loc }) => loc)
  const told = fieldErrors(parsed).map(({ loc }) => loc)
  const through = told.find((loc) =>
    missing.some((field) => isOneWay(loc, field) && namesOfFields.has(loc[field.length])),
  )
  const isOpen = ambiguities.some(({ about }) => ofEntries.has(about))
  const beside = isOpen ? undefined : told.find((loc) => isRightEntry(loc, faults))
  const wrong = through ?? beside
  if (wrong === undefined) return
  const why = through === undefined ? 'names an entry that is right' : 'leads through one that is missing to another'
  observe.contradicted(operation, null, {
    exchanges: [parsed.id],
    expected: 'entries that point each at a field',
    actual: JSON.stringify(wrong),
    pointer: '/detail',
    because: `${parsed.id} has several wrong fields, and an entry of its error ${why}.`,
    headline: `of several wrong fields, an entry of the error ${why}`,
  })
}

/** What may be wrong with an entry of messages for some services. */
const ofEntries: ReadonlySet<string> = new Set<AmbiguityText>([
  'a completion with an assistant message that the target may not take',
  'a message field that the contract does not show',
  'a system message that is not the first',
  'a tool message in a completion',
  'empty content in a completion',
])

/** Whether a loc leads into an entry of messages in which nothing is wrong, while something is in others. */
function isRightEntry(loc: readonly unknown[], faults: readonly RequestFault[]): boolean {
  const [list, index] = loc[0] === 'body' ? loc.slice(1) : loc
  const wrong = faults.map((fault) => fault.loc).filter((fault) => fault[1] === 'messages')
  if (list !== 'messages' || typeof index !== 'number' || wrong.length === 0) return false
  return wrong.every((fault) => typeof fault[2] === 'number' && fault[2] !== index)
}

const idForms: ReadonlySet<FaultRule> = new Set([
  'assistant_id-not-uuid',
  'assistant_id-wrong-type',
  'assistant_id-null',
])

/** Which code answers a field that only the assistant requires is not shown; where it is this one, it points there. */
const ofAssistant: ReadonlySet<FaultRule> = new Set(['required-root-field', 'required-user_data-field'])

/** What is no text may count as an empty one. */
const contentForms: ReadonlySet<FaultRule> = new Set(['content-missing', 'content-not-string'])

/** The contract names no code for a completion without a user message, nor for a message of an unknown role. */
const noFieldAlone: ReadonlySet<FaultRule> = new Set(['role-unknown', 'messages-without-user', 'messages-empty'])

/**
 * A value that is no UUID names no assistant either. The code for an unknown role is not shown where messages are added, and
 * the same code may check both.
 */
const isAnotherReading = ({ rule }: RequestFault, code: string | null): boolean =>
  (contentForms.has(rule) && code === 'message_content_empty') ||
  (noFieldAlone.has(rule) && code === 'bad_request') ||
  (idForms.has(rule) && (code === 'assistant_not_available' || code === 'resource_not_found')) ||
  (ofAssistant.has(rule) && code !== 'validation_error')

/** Whether a loc is the faulty field, something around it, or something in it; without its first segment as well. */
function pointsAt(loc: readonly unknown[], fault: Loc): boolean {
  if (loc.length === 0) return false
  return isOneWay(loc, fault) || isOneWay(['body', ...loc], fault)
}

const isOneWay = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.slice(0, Math.min(left.length, right.length)).every((segment, index) => String(segment) === String(right[index]))

/** Oracle of completions.unknown-assistant-error. */
export const unknownAssistantError: Oracle = (analysis, observe) => {
  for (const [parsed] of withSoleFault(analysis, bothCompletions, { 'assistant-unknown': null })) {
    if (!isRefusal(parsed) || parsed.operation === null) continue
    if (isRefusedLikeValid(analysis, observe, parsed)) continue
    const { code } = parsed.answer
    const id = parsed.body.kind === 'json' ? textField(parsed.body.value, 'assistant_id') : null
    if (code === 'assistant_not_available' || code === 'resource_not_found')
      observe.held(parsed.operation, null, parsed.id)
    else if (analysis.requestOf(parsed).ambiguities.length > 0) {
      observe.ambiguous(parsed.operation, null, parsed.id, `${code} may be meant for what else is open about it.`)
    } else if (code === 'validation_error' && id !== null && !isOrdinaryUuid(id)) {
      observe.ambiguous(parsed.operation, null, parsed.id, 'The id is no UUID of a usual version.')
    } else {
      observe.contradicted(parsed.operation, null, {
        exchanges: [parsed.id],
        expected: 'assistant_not_available or resource_not_found',
        actual: answerName(parsed),
        pointer: '/error_code',
        because: `${parsed.id} names an assistant that exists nowhere, and the error is ${answerName(parsed)}.`,
        headline: `answers with ${answerName(parsed)} for an assistant that exists nowhere`,
      })
    }
  }
}
