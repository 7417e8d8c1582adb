/**
 * Detects drafts that nothing satisfies, by a cheap look at their flat facts.
 * It finds crossed bounds, used-up values and names both required and forbidden; the graph or ajv finds the rest later.
 */
import type { Json } from '../../spec/index.ts'
import { codePointLength, jsonEquals } from '../json/json-value.ts'
import type { Draft } from './draft.ts'

/** True if the flat facts show that nothing satisfies the draft. */
export function contradicts(draft: Draft): boolean {
  if (draft.dead) return true
  if (draft.values !== null) {
    draft.values = draft.values.filter((value) => fitsScalarRules(draft, value))
    return draft.values.length === 0
  }
  switch (draft.type) {
    case 'null':
      return draft.excluded.length > 0
    case 'boolean':
      return [true, false].every((value) => draft.excluded.includes(value))
    case 'number':
      return numberContradicts(draft)
    case 'string':
      return draft.minLength > draft.maxLength
    case 'array':
      return draft.minItems > draft.maxItems || draft.contains.some(({ min, max }) => min > max || min > draft.maxItems)
    case 'object':
      return draft.minProperties > draft.maxProperties || draft.required.some((name) => draft.forbidden.includes(name))
  }
}

/** True if a value meets the rules for numbers and strings and is not excluded. */
export function fitsScalarRules(draft: Draft, value: Json): boolean {
  if (draft.excluded.some((other) => jsonEquals(other, value))) return false
  if (typeof value === 'number') return fitsNumber(draft, value)
  return typeof value !== 'string' || fitsString(draft, value)
}

/** True if a number is a multiple of a step, computed as in ajv. */
function isMultiple(value: number, step: number): boolean {
  return Number.isInteger(value / step)
}

function fitsNumber(draft: Draft, value: number): boolean {
  if (draft.integer && !Number.isInteger(value)) return false
  if (draft.fraction && Number.isInteger(value)) return false
  if (value < draft.minimum || value > draft.maximum || value <= draft.above || value >= draft.below) return false
  if (draft.multiples.some((step) => !isMultiple(value, step))) return false
  return draft.notMultiples.every((step) => !isMultiple(value, step))
}

function fitsString(draft: Draft, value: string): boolean {
  const length = codePointLength(value)
  if (length < draft.minLength || length > draft.maxLength) return false
  if (draft.patterns.some((pattern) => !new RegExp(pattern, 'u').test(value))) return false
  return !draft.notPatterns.some((pattern) => new RegExp(pattern, 'u').test(value))
}

function numberContradicts(draft: Draft): boolean {
  const low = Math.max(draft.minimum, draft.above)
  const high = Math.min(draft.maximum, draft.below)
  if (low > high || (draft.integer && draft.fraction)) return true
  const open = draft.above >= draft.minimum || draft.below <= draft.maximum
  return low === high && open
}
