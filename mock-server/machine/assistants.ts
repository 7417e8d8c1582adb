/** Assistants of the caller's tenant (contract: Endpoints / GET /v1/assistants). */
import type { Assistant, Tenant } from '../scenario/resolved-scenario.ts'
import type { GetAssistantCommand, ListAssistantsCommand } from './command.ts'
import type { Machine } from './machine.ts'
import { reject } from './reject.ts'
import type { Outcome } from './reply.ts'
import type { State } from './state.ts'

/** Answers with all assistants of the tenant. */
export function listAssistants(state: State, command: ListAssistantsCommand): Outcome {
  return { state, reply: { kind: 'stored', bytes: command.caller.tenant.assistantsBytes } }
}

/** Answers with one assistant of the tenant. */
export function getAssistant(machine: Machine, state: State, command: GetAssistantCommand): Outcome {
  const assistant = assistantOf(command.caller.tenant, command.assistantId)
  const found = assistant ?? anyAssistant(machine, command.assistantId)
  const broken = machine.domainHooks.checkRule('unknown-assistant', assistant === undefined, {
    command,
    state,
    thread: null,
  })
  if (broken || found === undefined) return reject(state, 'unknown-assistant')
  return { state, reply: { kind: 'stored', bytes: found.recordBytes } }
}

/** The tenant's assistant with this id. */
export function assistantOf(tenant: Tenant, id: string): Assistant | undefined {
  const wanted = id.toLowerCase()
  return tenant.assistants.find((assistant) => assistant.id === wanted)
}

/** An assistant of any tenant. */
export function anyAssistant(machine: Machine, id: string): Assistant | undefined {
  for (const tenant of machine.scenario.tenants) {
    const assistant = assistantOf(tenant, id)
    if (assistant !== undefined) return assistant
  }
  return undefined
}
