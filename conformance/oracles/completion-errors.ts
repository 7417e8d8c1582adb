/** Oracles about the errors of completions: which code, and whether it points at the field that is wrong. */
import type { Fault, FaultRule, Loc } from '../classify/fault.ts'
import { soleFault } from '../classify/fault.ts'
import { isOrdinaryUuid } from '../classify/forms.ts'
import { nameOf, textField } from '../classify/json.ts'
import { isRefusal, type Reading } from '../classify/reading.ts'
import type { Docket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import { isRefusedLikeValid } from './alike.ts'
import { fieldErrors } from './field-errors.ts'
import { missingType } from './missing-type.ts'
import { answerName, bothCompletions, type Oracle, withSoleFault } from './oracle.ts'

/** Oracle of completions.missing-assistant-id-error. */
export const missingAssistantIdError: Oracle = (docket, testify) => {
  for (const [reading] of withSoleFault(docket, bothCompletions, { 'assistant_id-missing': null })) {
    if (!isRefusal(reading) || reading.operation === null) continue
    const say = speaker(testify, reading)
    if (isRefusedLikeValid(docket, testify, reading, 'error_code')) continue
    say('error_code', reading.answer.code === 'validation_error', 'validation_error', answerName(reading))
    if (reading.answer.code !== 'validation_error') continue
    const entry = fieldErrors(reading).find(({ loc }) => loc.includes('body') && loc.includes('assistant_id'))
    say('loc', entry !== undefined, 'an entry with loc ["body","assistant_id"]', locsOf(reading))
    if (entry === undefined) continue
    const kind = missingType(entry.type, docket)
    if (kind === 'unsure')
      testify.ambiguous(
        reading.operation,
        'type',
        reading.id,
        `Nobody knows whether ${nameOf(entry.type)} tells of a missing field.`,
      )
    else say('type', kind === 'missing', 'a type that tells of a missing field', nameOf(entry.type))
  }
}

function speaker(testify: Testimony, { operation, id }: Reading) {
  return (facet: string, holds: boolean, expected: string, actual: string): undefined => {
    if (operation === null) return
    if (holds) testify.held(operation, facet, id)
    else {
      testify.contradicted(operation, facet, {
        exchanges: [id],
        expected,
        actual,
        pointer: facet === 'error_code' ? '/error_code' : '/detail',
        because: `${id} lacks assistant_id; its error must have ${expected}, and it has ${actual}.`,
      })
    }
  }
}

const locsOf = (reading: Reading): string =>
  fieldErrors(reading)
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
])

/** Oracle of completions.validation-error-names-field. */
export const validationErrorNamesField: Oracle = (docket, testify) => {
  for (const operation of bothCompletions) {
    for (const reading of docket.of(operation)) {
      const fault = soleFault(docket.requestOf(reading))
      if (fault === null || !bodyRules.has(fault.rule) || !isRefusal(reading)) continue
      judgeFieldError(docket, testify, operation, reading, fault)
    }
  }
}

function judgeFieldError(
  docket: Docket,
  testify: Testimony,
  operation: (typeof bothCompletions)[number],
  reading: Reading,
  fault: Fault,
): undefined {
  const { code } = reading.answer
  if (isAnotherReading(fault, code) || docket.requestOf(reading).doubts.length > 0) {
    return testify.ambiguous(operation, null, reading.id, `${code} may be meant for the same fault.`)
  }
  const [first] = fieldErrors(reading)
  const named = code === 'validation_error' && first !== undefined && pointsAt(first.loc, fault.loc)
  if (named) return testify.held(operation, null, reading.id)
  if (isRefusedLikeValid(docket, testify, reading)) return
  const field = JSON.stringify(fault.loc)
  testify.contradicted(operation, null, {
    exchanges: [reading.id],
    expected: `validation_error with an entry that points at ${field}`,
    actual: code === 'validation_error' ? locsOf(reading) : answerName(reading),
    pointer: code === 'validation_error' ? '/detail' : '/error_code',
    because: `The only fault of ${reading.id} is at ${field}, and its error does not say so.`,
  })
}

/** An id that is no UUID names no assistant either. */
const isAnotherReading = ({ rule }: Fault, code: string | null): boolean =>
  rule === 'assistant_id-not-uuid' && (code === 'assistant_not_available' || code === 'resource_not_found')

/** Whether a loc is the faulty field, something around it, or something in it; without its first segment as well. */
function pointsAt(loc: readonly unknown[], fault: Loc): boolean {
  const given = loc.map(String)
  const wanted = fault.map(String)
  if (given.length === 0) return false
  return isOneWay(given, wanted) || isOneWay(['body', ...given], wanted)
}

const isOneWay = (left: readonly string[], right: readonly string[]): boolean =>
  left.slice(0, Math.min(left.length, right.length)).every((segment, index) => segment === right[index])

/** Oracle of completions.unknown-assistant-error. */
export const unknownAssistantError: Oracle = (docket, testify) => {
  for (const [reading] of withSoleFault(docket, bothCompletions, { 'assistant-unknown': null })) {
    if (!isRefusal(reading) || reading.operation === null) continue
    const { code } = reading.answer
    const id = reading.body.kind === 'json' ? textField(reading.body.value, 'assistant_id') : null
    if (code === 'assistant_not_available' || code === 'resource_not_found')
      testify.held(reading.operation, null, reading.id)
    else if (code === 'validation_error' && id !== null && !isOrdinaryUuid(id)) {
      testify.ambiguous(reading.operation, null, reading.id, 'The id is no UUID of a usual version.')
    } else if (!isRefusedLikeValid(docket, testify, reading)) {
      testify.contradicted(reading.operation, null, {
        exchanges: [reading.id],
        expected: 'assistant_not_available or resource_not_found',
        actual: answerName(reading),
        pointer: '/error_code',
        because: `${reading.id} names an assistant that exists nowhere, and the error is ${answerName(reading)}.`,
      })
    }
  }
}
