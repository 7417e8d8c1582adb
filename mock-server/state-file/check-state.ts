/** Checks a state file before anything of it is used: fields, names, ids, all problems at once. */
import { isWorldName, worldNameForm } from '../http/world-name.ts'
import { suggestionFor } from '../option-error.ts'
import type { FieldFault } from '../reasons/reason.ts'
import { namedIn, type ResolvedScenario, type Tenant } from '../scenario/resolved-scenario.ts'
import {
  count,
  type FieldRules,
  faultLine,
  flag,
  holding,
  list,
  object,
  objects,
  oneOf,
  optional,
  recordFaults,
  stamp,
  text,
} from './field-rules.ts'
import { type ExportedState, type ExportedWorld, stateFormat } from './state-file.ts'

/** Thrown for a state that cannot be imported; the message names the first problem. */
export class ImportError extends Error {
  readonly code = 'import-invalid'
  /** One line each, with the place. */
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
    super(`${problems[0] ?? ''}${others}`)
    this.name = 'ImportError'
    this.problems = problems
  }
}

const positive = {
  fits: (value: unknown) => typeof value === 'number' && value > 0,
  message: 'must be a number above 0',
  type: 'number_type',
}

const uploadRules: FieldRules = { size: count, media_type: text, sha256: text, at: stamp }
const pair = {
  fits: (value: unknown) =>
    Array.isArray(value) && value.every((item) => Array.isArray(item) && item.every(count.fits)),
  message: 'must be a list of pairs of whole numbers',
  type: 'list_type',
}

const worldRules: FieldRules = {
  name: {
    fits: (value) => typeof value === 'string' && isWorldName(value),
    message: `must be ${worldNameForm}`,
    type: 'string_pattern_mismatch',
  },
  seed: count,
  clock: holding(object, {
    mode: oneOf('real', 'scaled', 'frozen', 'stepped'),
    now: optional(stamp),
    factor: optional(positive),
  }),
  threads: holding(list, {
    id: text,
    tenant: text,
    assistant: text,
    origin: oneOf('created', 'completion'),
    last_at: stamp,
    ordinal: count,
    messages: objects,
  }),
  files: holding(list, {
    id: text,
    tenant: text,
    user_id: text,
    filename: text,
    persist: flag,
    expires_at: stamp,
    upload: holding({ ...object, fits: (value) => value === null || object.fits(value) }, uploadRules),
    polls: count,
  }),
  quotas: holding(list, { key_id: text, opens_at: stamp, used: count }),
  requests: pair,
}

const stateRules: FieldRules = { format: oneOf(stateFormat), worlds: holding(list, worldRules) }

/** The state, if it can be imported beside this scenario. Throws an ImportError. */
export function checkedState(given: unknown, scenario: ResolvedScenario): ExportedState {
  refuse(recordFaults(given, stateRules, []))
  const state = given as ExportedState
  refuse([
    ...repeated(
      state.worlds.map(({ name }, index) => ({ value: name, loc: ['worlds', index, 'name'] })),
      'is the name of another world too',
    ),
    ...state.worlds.flatMap((world, index) => worldFaults(world, scenario, ['worlds', index])),
  ])
  return state
}

/** The world, if it can be imported beside this scenario. Throws an ImportError. */
export function checkedWorld(given: unknown, scenario: ResolvedScenario): ExportedWorld {
  refuse(recordFaults(given, worldRules, []))
  refuse(worldFaults(given as ExportedWorld, scenario, []))
  return given as ExportedWorld
}

function refuse(faults: readonly FieldFault[]): void {
  if (faults.length > 0) throw new ImportError(faults.map(faultLine))
}

type Place = FieldFault['loc']

const fault = (loc: Place, message: string): FieldFault => ({ loc, message, type: 'value_error' })

/** Checks across the fields of a world. */
function worldFaults(
  { threads, files }: ExportedWorld,
  { tenants }: ResolvedScenario,
  place: Place,
): readonly FieldFault[] {
  return [
    ...repeated(idsOf(threads, [...place, 'threads']), 'is the id of another thread too'),
    ...repeated(idsOf(files, [...place, 'files']), 'is the id of another file too'),
    ...threads.flatMap((thread, index) => threadFaults(thread, tenants, [...place, 'threads', index])),
    ...files.flatMap(({ tenant }, index) => tenantFaults(tenant, tenants, [...place, 'files', index])),
  ]
}

function idsOf(items: readonly { readonly id: string }[], place: Place) {
  return items.map(({ id }, index) => ({ value: id, loc: [...place, index, 'id'] }))
}

function repeated(
  values: readonly { readonly value: string; readonly loc: Place }[],
  message: string,
): readonly FieldFault[] {
  const seen = new Set<string>()
  return values.flatMap(({ value, loc }) => {
    if (seen.has(value)) return [fault(loc, message)]
    seen.add(value)
    return []
  })
}

const messageRules: FieldRules = { id: text, thread_id: text, role: oneOf('user', 'system', 'tool', 'assistant') }

function threadFaults(
  { id, tenant, assistant, messages }: ExportedWorld['threads'][number],
  tenants: readonly Tenant[],
  place: Place,
): readonly FieldFault[] {
  const owner = namedIn(tenants, tenant)
  const names = owner?.assistants.flatMap(({ name, id: own }) => [name, own]) ?? []
  const isUnknown = owner !== undefined && !names.includes(assistant)
  return [
    ...tenantFaults(tenant, tenants, place),
    ...(isUnknown ? [fault([...place, 'assistant'], unknownName('assistant', assistant, names))] : []),
    ...messages.flatMap((message, index) => {
      const known = Object.fromEntries(Object.keys(messageRules).map((name) => [name, message[name]]))
      const own = recordFaults(known, messageRules, [...place, 'messages', index])
      if (own.length > 0 || message.thread_id === id) return own
      return [fault([...place, 'messages', index, 'thread_id'], `is not the id of its thread, ${id}`)]
    }),
  ]
}

function tenantFaults(tenant: string, tenants: readonly Tenant[], place: Place): readonly FieldFault[] {
  const names = tenants.flatMap(({ name, id }) => [name, id])
  return names.includes(tenant) ? [] : [fault([...place, 'tenant'], unknownName('tenant', tenant, names))]
}

function unknownName(what: string, name: string, known: readonly string[]): string {
  return `names no ${what} of the scenario: "${name}"; ${suggestionFor(name, known)}`
}
