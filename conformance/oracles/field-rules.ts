/**
 * Judging one field of one value: the testimony names requirement, facet and pointer, so that a missing created_at is told
 * as just that and not as "does not fit the schema".
 */
import type { OperationId } from '../../spec/index.ts'
import { fieldOf, hasField, nameOf } from '../classify/json.ts'
import type { Testimony } from '../judging/testimony.ts'

/** Where a value stands. */
export interface Place {
  readonly operation: OperationId
  readonly exchange: string
  /** JSON pointer, or `line <n>` with a pointer. */
  readonly at: string
}

/** What a field must be, in words and as a predicate. */
export interface FieldRule {
  readonly expected: string
  readonly holds: (value: unknown) => boolean
}

export const isText = (value: unknown): boolean => typeof value === 'string'
export const aString: FieldRule = { expected: 'a string', holds: isText }
export const anArray: FieldRule = { expected: 'an array', holds: Array.isArray }
export const aBoolean: FieldRule = { expected: 'a boolean', holds: (value) => typeof value === 'boolean' }
export const anInteger: FieldRule = { expected: 'an integer', holds: Number.isInteger }
export const anObject: FieldRule = {
  expected: 'an object',
  holds: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

/** A field that must be there and must be what the rule says. */
export function judgeField(
  testify: Testimony,
  place: Place,
  value: unknown,
  name: string,
  rule: FieldRule,
  facet: string | null = name,
): boolean {
  const field = fieldOf(value, name)
  if (rule.holds(field)) {
    testify.held(place.operation, facet, place.exchange)
    return true
  }
  contradict(testify, place, `/${name}`, facet, rule.expected, field)
  return false
}

/** A field that must be what the rule says wherever it is there; whether it must be there is another rule. */
export function judgePresentField(
  testify: Testimony,
  place: Place,
  value: unknown,
  name: string,
  rule: FieldRule,
  facet: string | null = name,
): undefined {
  if (hasField(value, name)) judgeField(testify, place, value, name, rule, facet)
}

/** Says that a value is not what it must be. */
export function contradict(
  testify: Testimony,
  { operation, exchange, at }: Place,
  below: string,
  facet: string | null,
  expected: string,
  actual: unknown,
): undefined {
  const pointer = `${at}${below}`
  testify.contradicted(operation, facet, {
    exchanges: [exchange],
    expected,
    actual: nameOf(actual),
    pointer,
    because: `In ${exchange}, ${pointer === '' ? 'the body' : pointer} must be ${expected}, and it is ${nameOf(actual)}.`,
  })
}
