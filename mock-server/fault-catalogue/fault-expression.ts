/**
 * Parses fault expressions, such as `name`, `name:5` or `name:after=2,ms=500`, joined by `;`.
 * An error names the valid forms.
 */
import { nearestName } from '../../spec/index.ts'
import { type FaultName, type FaultRow, faultNames, faultRow } from './fault-catalogue.ts'

/** One fault with all its numbers, presets filled in. */
export interface Fault {
  readonly name: FaultName
  readonly numbers: Readonly<Record<string, number>>
  /** The fault as it was written. */
  readonly text: string
}

type ParsedFaults =
  | { readonly kind: 'faults'; readonly faults: readonly Fault[] }
  | { readonly kind: 'unreadable'; readonly problem: string }

/** Faults of one expression, and of one exchange: each is a sink around the next, so their number is a depth of calls. */
export const mostFaults = 16

/** Reads a fault expression. */
export function parseFaults(expression: string): ParsedFaults {
  const faults: Fault[] = []
  const parts = expression.split(';', mostFaults + 1)
  if (parts.length > mostFaults) {
    return { kind: 'unreadable', problem: `an exchange takes at most ${mostFaults} faults, and these are more` }
  }
  for (const part of parts) {
    const parsed = parseFault(part.trim())
    if (typeof parsed === 'string') return { kind: 'unreadable', problem: parsed }
    faults.push(parsed)
  }
  return { kind: 'faults', faults }
}

function parseFault(text: string): Fault | string {
  const colon = text.indexOf(':')
  const name = (colon < 0 ? text : text.slice(0, colon)).trimEnd()
  const row = faultRow(name)
  if (row === undefined) return unknownFault(name)
  const numbers: Record<string, number> = {}
  for (const [key, { preset }] of Object.entries(row.parameters)) numbers[key] = preset
  const settings = colon < 0 ? [] : text.slice(colon + 1).split(',')
  for (const setting of settings) {
    const problem = set(numbers, name, row, setting.trim())
    if (problem !== null) return problem
  }
  return { name: name as FaultName, numbers, text }
}

function unknownFault(name: string): string {
  if (name === '') return 'a fault needs a name; `acs list faults` shows them'
  const near = nearestName(name, faultNames)
  const hint = near === null ? '`acs list faults` shows them' : `did you mean "${near}"?`
  return `no fault is called "${name}"; ${hint}`
}

/** Applies one setting, or returns the problem with it. */
function set(numbers: Record<string, number>, name: string, row: FaultRow, setting: string): string | null {
  const known = Object.keys(row.parameters)
  const [first] = known
  if (first === undefined) return `"${name}" takes no settings`
  const equals = setting.indexOf('=')
  const key = equals < 0 ? first : setting.slice(0, equals).trim()
  const parameter = Object.hasOwn(row.parameters, key) ? row.parameters[key] : undefined
  if (parameter === undefined) return `"${name}" has no setting "${key}"; it takes ${known.join(', ')}`
  const written = setting.slice(equals + 1).trim()
  const value = Number(written)
  if (!/^-?\d+$/.test(written) || value < parameter.least || value > parameter.most) {
    return `"${key}" of "${name}" takes a whole number from ${parameter.least} to ${parameter.most}, not "${written}"`
  }
  numbers[key] = value
  return null
}
