/**
 * Carries out the commands of a seed, all of them or none. A command that the rules of the contract refuse rolls the
 * earlier ones back.
 */
import { tickOf, timestampOf } from '../clock/timestamp.ts'
import type { Command } from '../machine/command.ts'
import type { FieldFault } from '../reasons/reason.ts'
import { type Rejection, reasons } from '../reasons/reasons.ts'
import { type Caller, namedIn, type Tenant } from '../scenario/resolved-scenario.ts'
import { type FieldRules, isRecord, recordFaults } from '../state-file/field-rules.ts'
import { SeedError } from './seed-error.ts'
import type { World } from './world.ts'

/** Checks a seed, then applies it; rolls everything back when a command is refused. Throws a SeedError. */
export function wholly<Result>(world: World, seed: unknown, rules: FieldRules, act: () => Result): Result {
  if (!isRecord(seed)) {
    const message = `must be an object, with ${Object.keys(rules).join(', ')}`
    throw new SeedError('seed-invalid-fields', [{ loc: [], message, type: 'dict_type' }])
  }
  const faults = recordFaults(seed, rules, [])
  if (faults.length > 0) throw new SeedError('seed-invalid-fields', faults)
  const before = world.snapshot()
  try {
    return act()
  } catch (cause) {
    world.restore(before)
    throw cause
  }
}

/** The JSON of a command's reply; a refusal becomes a SeedError at this place of the seed. */
export function applied(world: World, command: Command, place: FieldFault['loc'], tickUs?: number): unknown {
  const reply = world.apply(command, tickUs)
  if (reply.kind === 'rejected') throw refusalOf(reply.rejection, place)
  if (reply.kind === 'document') return reply.json
  return reply.kind === 'stored' ? JSON.parse(Buffer.from(reply.bytes).toString()) : null
}

/** Fields of a seed that become parts of an upload, by the place where the request has them. */
const seedFields: Readonly<Record<string, string>> = { 'header.content-type': 'media_type', body: 'content' }

/** A rejection as a SeedError: each field that breaks the rule, or the rule and how to keep it. */
export function refusalOf({ reason, faults = [] }: Rejection, place: FieldFault['loc']): SeedError {
  const { rule, fix } = reasons[reason]
  const named = faults.map((fault) => {
    const field = seedFields[fault.loc.join('.')]
    return { ...fault, loc: [...place, ...(field === undefined ? fault.loc.slice(1) : [field])] }
  })
  if (named.length > 0) return new SeedError(reason, named)
  return new SeedError(reason, [{ loc: place, message: `${rule} ${fix}`, type: 'value_error' }])
}

/** The tick of a stamp in a seed, now when there is none. A seed cannot lie in the future of its world. */
export function pastTick(world: World, stamp: string | undefined, place: FieldFault['loc']): number {
  const now = world.clock.nowUs()
  const tick = stamp === undefined ? now : (tickOf(stamp) ?? now)
  if (tick <= now) return tick
  const message = `is later than the world's clock, which shows ${timestampOf(now)}; set the clock first`
  throw new SeedError('seed-in-the-future', [{ loc: [...place, 'created_at'], message, type: 'value_error' }])
}

/** A tenant by name or id, with its first key; default: the first one. */
export function callerOf(tenants: readonly Tenant[], wanted: string | undefined): Caller {
  const tenant = wanted === undefined ? tenants[0] : namedIn(tenants, wanted)
  const apiKey = tenant?.apiKeys[0]
  if (tenant !== undefined && apiKey !== undefined) return { tenant, apiKey }
  const message = `names no tenant "${wanted ?? ''}" with a key; there are ${tenants.map(({ name }) => name).join(', ')}`
  throw new SeedError('seed-unknown-tenant', [{ loc: ['tenant'], message, type: 'value_error' }])
}
