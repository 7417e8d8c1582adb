/**
 * Starts Atrium on a loopback port and describes it as a target profile.
 * It has two tenants with fresh keys, a throttled key and a key whose tenant is gone.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TargetProfile } from '../../../conformance/profile/target-profile.ts'
import { App, faultHeader } from './app.ts'
import { archivist, concierge, counsel, scout, toolPrompt } from './assistants.ts'
import type { AssistantEntry, Tenant } from './records.ts'
import { SlidingWindow } from './sliding-window.ts'
import { Clock, State } from './state.ts'

const quota = 5

/** How to start Atrium. */
export interface AtriumOptions {
  /** Port to listen on; any free one when left out. */
  readonly port?: number
}

/** A running Atrium. */
export interface Atrium {
  readonly url: string
  readonly profile: TargetProfile
  close(): Promise<void>
}

function newKey(): string {
  return `atr_${randomBytes(18).toString('base64url')}`
}

function tenantWith(clock: Clock, name: string, keys: readonly string[], entries: readonly AssistantEntry[]): Tenant {
  const apiKeys = keys.map((api_key) => {
    const created_at = clock.timestamp()
    return { id: randomUUID(), api_key, created_at, last_updated_at: created_at }
  })
  return { id: randomUUID(), name, apiKeys, assistants: new Map(entries.map((entry) => [entry.record.id, entry])) }
}

interface Seed {
  readonly keys: {
    readonly primary: string
    readonly secondary: string
    readonly throttled: string
    readonly orphan: string
  }
  readonly counselId: string
  readonly scoutId: string
}

function profileOf(baseUrl: string, { keys, counselId, scoutId }: Seed): TargetProfile {
  const faults = ['api_timeout_error', 'internal_service_error', 'bad_request']
  return {
    baseUrl,
    tenants: { primary: { key: keys.primary }, secondary: { key: keys.secondary }, throttled: { key: keys.throttled } },
    claims: ['core', 'streaming', 'events', 'threads', 'tools', 'files', 'tenancy'],
    threads: { kind: 'http', method: 'POST', path: '/v1/threads', body: {}, pointer: '/id' },
    runBody: { assistant_id: '{{assistant_id}}' },
    assistants: { [counselId]: { body: { user_data: { licence: 'A-1' } } } },
    tools: {
      assistant_id: scoutId,
      prompt: toolPrompt,
      callIds: '/tool_calls/*/id',
      resultField: 'tool_call_id',
      assistantMessage: {
        tool_calls: [{ id: '{{tool_call_id}}', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
      },
    },
    files: {
      status: { path: '/v1/files/{file_id}/status', pointer: '/status', complete: ['completed'] },
      attachment: { file_ids: ['{{file_id}}'] },
    },
    throttle: { requests: quota + 1 },
    provoke: {
      ...Object.fromEntries(faults.map((code) => [code, { headers: { [faultHeader]: code } }])),
      tenant_not_found: { headers: { 'api-key': keys.orphan } },
    },
    declares: {},
    budget: { timeoutMs: 10_000, maxBodyBytes: 33_554_432 },
  }
}

/** Starts the server and gives its URL and profile. */
export async function startAtrium(options: AtriumOptions = {}): Promise<Atrium> {
  const clock = new Clock()
  const keys = { primary: newKey(), secondary: newKey(), throttled: newKey(), orphan: newKey() }
  const [licensed, tooled] = [counsel(), scout()]
  const primary = tenantWith(
    clock,
    'Northwind',
    [keys.primary, keys.throttled],
    [concierge(), archivist(), licensed, tooled],
  )
  const secondary = tenantWith(clock, 'Southgate', [keys.secondary], [concierge('Porter'), archivist('Registrar')])
  const state = new State(clock, [primary, secondary], keys.orphan)
  const app = new App(state, new SlidingWindow(new Map([[keys.throttled, quota]])))
  const server = createServer((incoming, outgoing) => void app.serve(incoming, outgoing))
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  state.origin = `http://127.0.0.1:${port}`
  return {
    url: state.origin,
    profile: profileOf(state.origin, { keys, counselId: licensed.record.id, scoutId: tooled.record.id }),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
