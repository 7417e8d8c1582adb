/** The tenant's own record (contract: Endpoints / GET /v1/tenants/my-api-keys). */
import type { ListMyApiKeysCommand } from './command.ts'
import type { Outcome } from './reply.ts'
import type { State } from './state.ts'

/** Answers with the caller's tenant and its keys. */
export function listMyApiKeys(state: State, command: ListMyApiKeysCommand): Outcome {
  return { state, reply: { kind: 'stored', bytes: command.caller.tenant.recordBytes } }
}
