/**
 * Checks one field of one value and names requirement, facet and pointer. A missing created_at is thus reported as such
 * and not as "does not fit the schema".
 */
import type { OperationId } from '../../../../spec/index.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { fieldOf, nameOf } from '../../read/json.ts'

/** The place of a value. */
export interface Place {
  readonly operation: OperationId
  readonly exchange: string
  /** Line of a stream, counted from 0; absent in a document. */
  readonly line?: number
  /** JSON pointer into the document or the line. */
  readonly at: string
}

/** The place of a value inside of another. Not by spreading, since a place may carry more, and this is done for every chunk. */
export const placeBelow = ({ operation, exchange, line, at }: Place, below: string): Place =>
  line === undefined ? { operation, exchange, at: at + below } : { operation, exchange, line, at: at + below }

/** The text of a place in a report: a pointer, after `line <n> ` in a stream. */
export const pointerTo = ({ line, at }: Place, below: string): string =>
  line === undefined ? at + below : `line ${line + 1} ${at}${below}`

/** The text of a place in a headline: `items[0].sources`, `in line <n> of the stream, delta`. */
export function fieldIn({ line, at }: Place, below: string): string {
  const path = `${at}${below}`.replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
  const name = path.replace(/^\//, '').replaceAll('/', '.')
  return line === undefined ? name || 'the body' : `in line ${line + 1} of the stream, ${name || 'the line'}`
}

/** The requirement on a field, as text and as a predicate. */
export interface FieldRule {
  readonly expected: string
  readonly holds: (value: unknown) => boolean
}

const isText = (value: unknown): boolean => typeof value === 'string'
export const aString: FieldRule = { expected: 'a string', holds: isText }
export const anArray: FieldRule = { expected: 'an array', holds: Array.isArray }
export const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
export const aBoolean: FieldRule = { expected: 'a boolean', holds: (value) => typeof value === 'boolean' }
export const anInteger: FieldRule = { expected: 'an integer', holds: Number.isInteger }
export const anObject: FieldRule = {
  expected: 'an object',
  holds: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

/** The fields of an answer beside those of every message. */
export const answerFields = [
  ['meta_data', anObject],
  ['sources', anArray],
] as const

/** A field that must be present and fulfil the rule. */
export function judgeField(
  observe: ObservationLog,
  place: Place,
  value: unknown,
  name: string,
  rule: FieldRule,
  facet: string | null = name,
): boolean {
  return judgeValue(observe, place, name, fieldOf(value, name), rule, facet)
}

function judgeValue(
  observe: ObservationLog,
  place: Place,
  name: string,
  field: unknown,
  rule: FieldRule,
  facet: string | null,
): boolean {
  if (rule.holds(field)) {
    observe.held(place.operation, facet, place.exchange)
    return true
  }
  contradict(observe, place, `/${name}`, facet, rule.expected, field)
  return false
}

/** A judge of fields that a rule is about only when they are of some kind. */
const judgeFieldThat =
  (isMeant: (field: unknown) => boolean) =>
  (
    observe: ObservationLog,
    place: Place,
    value: unknown,
    name: string,
    rule: FieldRule,
    facet: string | null = name,
  ): undefined => {
    const field = fieldOf(value, name)
    if (isMeant(field)) judgeValue(observe, place, name, field, rule, facet)
  }

/**
 * A field that must fulfil the rule if present; another rule covers its presence. No JSON value is
 * undefined, so an undefined field is absent.
 */
export const judgePresentField = judgeFieldThat((field) => field !== undefined)

/** A field that must fulfil the rule if it is a string; another rule covers its type. */
export const judgeTextField = judgeFieldThat(isText)

/** Reports a value that breaks the rule. */
export function contradict(
  observe: ObservationLog,
  place: Place,
  below: string,
  facet: string | null,
  expected: string,
  actual: unknown,
): undefined {
  const { operation, exchange } = place
  const pointer = pointerTo(place, below)
  observe.contradicted(operation, facet, {
    exchanges: [exchange],
    expected,
    actual: nameOf(actual),
    pointer,
    because: `In ${exchange}, ${pointer === '' ? 'the body' : pointer} must be ${expected}, but it is ${nameOf(actual)}.`,
    headline: `${fieldIn(place, below)} must be ${expected}, but it is ${nameOf(actual)}`,
  })
}
