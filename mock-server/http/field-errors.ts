/**
 * Turns findings of a schema validator into the contract's `detail` entries.
 * There is one for each invalid field, in document order, with `type` in the vocabulary of FastAPI services.
 */
import { componentSchema } from '../../spec/index.ts'
import type { FieldFault } from '../reasons/reason.ts'

/** A finding of a schema validator about one place. */
export interface SchemaFault {
  readonly instancePath: string
  readonly schemaPath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}

interface Placed {
  readonly fault: FieldFault
  /** Position of each segment among its siblings; missing fields come after the present ones. */
  readonly order: readonly number[]
}

/** The faults of a value that stands at `root` (`["body"]`, `["query", "limit"]`). */
export function fieldFaults(root: readonly string[], value: unknown, found: readonly SchemaFault[]): FieldFault[] {
  const byPlace = new Map<string, Placed>()
  for (const schemaFault of found) {
    const worded = wording(schemaFault)
    if (worded === null) continue
    const segments = segmentsOf(schemaFault)
    const place = placeOf(value, segments)
    const name = segments.join('/')
    // One entry for a field: the first, unless a later one is more specific.
    if (byPlace.has(name) && worded.type !== 'uuid_parsing') continue
    byPlace.set(name, {
      fault: { loc: [...root, ...place.loc], message: worded.message, type: worded.type },
      order: place.order,
    })
  }
  return [...byPlace.values()].sort((left, right) => compare(left.order, right.order)).map((placed) => placed.fault)
}

function segmentsOf(fault: SchemaFault): readonly string[] {
  const segments = fault.instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
  return fault.keyword === 'required' ? [...segments, String(fault.params.missingProperty)] : segments
}

function placeOf(
  value: unknown,
  segments: readonly string[],
): { readonly loc: readonly (string | number)[]; readonly order: readonly number[] } {
  const loc: (string | number)[] = []
  const order: number[] = []
  let current = value
  for (const segment of segments) {
    if (Array.isArray(current)) {
      const index = Number(segment)
      loc.push(index)
      order.push(index)
      current = current[index]
      continue
    }
    const keys = typeof current === 'object' && current !== null ? Object.keys(current) : []
    const position = keys.indexOf(segment)
    loc.push(segment)
    order.push(position < 0 ? keys.length : position)
    current = position < 0 ? undefined : (current as Readonly<Record<string, unknown>>)[segment]
  }
  return { loc, order }
}

function compare(left: readonly number[], right: readonly number[]): number {
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

type Wording = Pick<FieldFault, 'message' | 'type'>

const notUuid: Wording = { type: 'uuid_parsing', message: 'must be a UUID' }
const uuidPattern = componentSchema('Id')?.pattern

const typeWordings: Readonly<Record<string, Wording>> = {
  string: { type: 'string_type', message: 'must be a string' },
  array: { type: 'list_type', message: 'must be an array' },
  object: { type: 'model_type', message: 'must be an object' },
  boolean: { type: 'bool_parsing', message: 'must be true or false' },
  integer: { type: 'int_parsing', message: 'must be a whole number' },
  number: { type: 'float_parsing', message: 'must be a number' },
}

/** The text for one finding; `null` for keywords whose parts are reported themselves. */
function wording({ schemaPath, keyword, params }: SchemaFault): Wording | null {
  // Inside `contains` and alternatives a mismatch is not a separate fault.
  if (/\/(?:contains|anyOf|oneOf)\//.test(schemaPath)) return null
  switch (keyword) {
    case 'required':
      return { type: 'missing', message: 'is required' }
    case 'type':
      return typeWording(params.type)
    case 'format':
      return params.format === 'uuid' ? notUuid : { type: 'value_error', message: `must be a ${String(params.format)}` }
    case 'enum':
      return {
        type: 'literal_error',
        message: `must be one of ${(params.allowedValues as readonly unknown[]).join(', ')}`,
      }
    case 'const':
      return { type: 'literal_error', message: `must be ${JSON.stringify(params.allowedValue)}` }
    case 'minLength':
      return { type: 'string_too_short', message: `must have at least ${String(params.limit)} character(s)` }
    case 'maxLength':
      return { type: 'string_too_long', message: `must have at most ${String(params.limit)} characters` }
    case 'minItems':
      return { type: 'too_short', message: `must have at least ${String(params.limit)} item(s)` }
    case 'minimum':
      return { type: 'greater_than_equal', message: `must be ${String(params.limit)} or more` }
    case 'maximum':
      return { type: 'less_than_equal', message: `must be ${String(params.limit)} or less` }
    case 'pattern':
      if (params.pattern === uuidPattern) return notUuid
      return { type: 'string_pattern_mismatch', message: `must match ${String(params.pattern)}` }
    case 'additionalProperties':
      return { type: 'extra_forbidden', message: 'is not expected here' }
    case 'contains':
      return { type: 'too_short', message: 'must hold at least one user message' }
    default:
      return null
  }
}

function typeWording(type: unknown): Wording {
  const [first, ...others] = [type].flat().filter((name) => name !== 'null')
  const wording = wordingOf(first)
  // Each begins with "must be", which is said once.
  const rest = others.map((name) => ` or ${wordingOf(name).message.slice('must be '.length)}`)
  return { ...wording, message: wording.message + rest.join('') }
}

function wordingOf(type: unknown): Wording {
  return typeWordings[String(type)] ?? { type: 'value_error', message: `must be of type ${String(type)}` }
}
