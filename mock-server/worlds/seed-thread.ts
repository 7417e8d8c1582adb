/**
 * Puts a thread with its messages into a world, through the machine.
 * What a client could not have made by the rules of the contract cannot be seeded either.
 */
import type { Command, MessageDraft } from '../machine/command.ts'
import { type Rejection, reasons } from '../reasons/reasons.ts'
import type { Caller, Tenant } from '../scenario/resolved-scenario.ts'
import type { World } from './world.ts'

export interface ThreadSeed {
  /** Name or id of the tenant; default: the first one. */
  readonly tenant?: string
  /** Name or id of the assistant; default: the tenant's first. */
  readonly assistant?: string
  readonly messages?: readonly MessageDraft[]
}

export interface SeededThread {
  readonly id: string
  readonly assistantId: string
  /** The stored messages, oldest first. */
  readonly messages: readonly unknown[]
}

/** A seed that breaks a rule, with the reason's id. */
export class SeedError extends Error {
  readonly code: string

  constructor(code: string, problem: string) {
    super(`seed: ${problem}`)
    this.name = 'SeedError'
    this.code = code
  }
}

/** Makes the thread and its messages now, on the world's clock. */
export function seedThread(world: World, seed: ThreadSeed): SeededThread {
  const caller = callerOf(world.machine.scenario.tenants, seed.tenant)
  const assistant = seed.assistant === undefined ? caller.tenant.assistants[0] : assistantNamed(caller, seed.assistant)
  if (assistant === undefined) throw new SeedError('seed-unknown-assistant', `no assistant "${seed.assistant}"`)
  const digest = `seed ${world.state.threads.size}`
  const made = applied(world, { operation: 'createThread', caller, assistantId: assistant.id, digest }) as {
    id: string
  }
  const messages = (seed.messages ?? []).map((message) =>
    applied(world, { operation: 'createMessage', caller, threadId: made.id, message }),
  )
  return { id: made.id, assistantId: assistant.id, messages }
}

function applied(world: World, command: Command): unknown {
  const reply = world.apply(command)
  if (reply.kind === 'rejected') throw seedErrorOf(reply.rejection)
  if (reply.kind === 'document') return reply.json
  return reply.kind === 'stored' ? JSON.parse(Buffer.from(reply.bytes).toString()) : null
}

function seedErrorOf(rejection: Rejection): SeedError {
  const { rule, fix } = reasons[rejection.reason]
  return new SeedError(rejection.reason, `${rule} ${fix}`)
}

function callerOf(tenants: readonly Tenant[], wanted: string | undefined): Caller {
  const tenant = wanted === undefined ? tenants[0] : tenants.find(({ name, id }) => name === wanted || id === wanted)
  const apiKey = tenant?.apiKeys[0]
  if (tenant === undefined || apiKey === undefined) {
    throw new SeedError('seed-unknown-tenant', `no tenant "${wanted ?? ''}" with a key`)
  }
  return { tenant, apiKey }
}

function assistantNamed(caller: Caller, wanted: string): Caller['tenant']['assistants'][number] | undefined {
  return caller.tenant.assistants.find(({ name, id }) => name === wanted || id === wanted)
}
