/** Checks hand-written data of a world: unknown, missing and invalid fields, all at once, each with its place. */
import { isShownTick } from '../clock/clock-range.ts'
import { tickOf } from '../clock/timestamp.ts'
import { suggestionFor } from '../option-error.ts'
import type { FieldFault } from '../reasons/reason.ts'

type Place = FieldFault['loc']

/** The rule of a field. */
interface FieldRule {
  readonly fits: (value: unknown) => boolean
  readonly message: string
  readonly type: string
  readonly optional?: true
  /** Rules of the object in the field, or of each object in its list. */
  readonly inner?: FieldRules
}

export type FieldRules = Readonly<Record<string, FieldRule>>

/** Whether a value is a plain object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** All problems of a value that should be an object of these fields. */
export function recordFaults(value: unknown, rules: FieldRules, place: Place): readonly FieldFault[] {
  const fields = isRecord(value) ? value : {}
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(rules, name))
  return [
    ...Object.entries(rules).flatMap(([name, rule]) => fieldFaults(fields[name], rule, [...place, name])),
    ...unknown.map((name): FieldFault => {
      const message = `is unknown; ${suggestionFor(name, Object.keys(rules))}`
      return { loc: [...place, name], message, type: 'extra_forbidden' }
    }),
  ]
}

function fieldFaults(value: unknown, rule: FieldRule, place: Place): readonly FieldFault[] {
  if (value === undefined && rule.optional === true) return []
  if (!rule.fits(value)) return [{ loc: place, message: rule.message, type: rule.type }]
  const { inner } = rule
  if (inner === undefined || value === null) return []
  if (!Array.isArray(value)) return recordFaults(value, inner, place)
  return value.flatMap((item, index) => recordFaults(item, inner, [...place, index]))
}

/** `messages[1].role must be …`, for people. */
export function faultLine({ loc, message }: FieldFault): string {
  const place = loc.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
  return `${place.join('')} ${message}`.trim()
}

const rule = (fits: FieldRule['fits'], message: string, type: string): FieldRule => ({ fits, message, type })

export const text = rule(isText, 'must be a string', 'string_type')
export const flag = rule((value) => typeof value === 'boolean', 'must be true or false', 'bool_type')
export const object = rule(isRecord, 'must be an object', 'dict_type')
export const count = rule(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  'must be a whole number from 0 on',
  'int_type',
)
export const texts = rule(
  (value) => Array.isArray(value) && value.every(isText),
  'must be a list of texts',
  'list_type',
)
export const objects = rule(
  (value) => Array.isArray(value) && value.every(isRecord),
  'must be a list of objects',
  'list_type',
)
export const list = rule(Array.isArray, 'must be a list', 'list_type')
export const stamp = rule(
  (value) => isText(value) && isShownTick(tickOf(value) ?? Number.NaN),
  'must be a time such as 2026-01-02T03:04:05.678901Z, from 1700 to 2250',
  'datetime_type',
)

/** One of these words. */
export function oneOf(...words: readonly string[]): FieldRule {
  return rule((value) => isText(value) && words.includes(value), `must be one of ${words.join(', ')}`, 'literal_error')
}

/** The same rule for a field that may be left out. */
export function optional(needed: FieldRule): FieldRule {
  return { ...needed, optional: true }
}

/** The same rule, with rules for the fields inside. */
export function holding(outer: FieldRule, inner: FieldRules): FieldRule {
  return { ...outer, inner }
}
