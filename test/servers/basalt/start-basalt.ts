/**
 * Starts Basalt: the service on one port, the uploads on another, two tenants of the same name. The second tenant
 * shares one assistant with the first, names another alike, and owns the throttled key.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TargetProfile } from '../../../conformance/profile/target-profile.ts'
import { batchEngine, comparePrompt, comparingEngine, licensedEngine, streamingEngine } from './assistant-catalogue.ts'
import { CursorCodec } from './cursor-codec.ts'
import { FileVault } from './file-vault.ts'
import { type Access, basePath, drillHeader, Gateway } from './gateway.ts'
import { currentMicros, formatInstant, newId } from './identity.ts'
import type { ApiKey, Engine, Tenant } from './model.ts'
import { ThreadRepository } from './thread-repository.ts'
import { TokenBucket } from './token-bucket.ts'
import { createUploadServer } from './upload-server.ts'

/** How to start Basalt. */
export interface BasaltOptions {
  /** Port of the service; any free one when left out. The uploads always take a free one. */
  readonly port?: number
}

/** A running Basalt. */
export interface Basalt {
  readonly url: string
  readonly profile: TargetProfile
  close(): Promise<void>
}

function issueKey(label: string): ApiKey {
  const created_at = formatInstant(currentMicros())
  return { id: newId(), api_key: `BASALT-${randomUUID()}`, created_at, last_updated_at: created_at, label }
}

interface Estate {
  readonly access: Access
  readonly keys: { readonly primary: string; readonly secondary: string; readonly throttled: string }
  readonly licensed: Engine
  readonly comparing: Engine
}

function foundEstate(): Estate {
  const [licensed, comparing, shared] = [licensedEngine(), comparingEngine(), streamingEngine('Shared desk')]
  const [primary, secondary, throttled] = [issueKey('main'), issueKey('main'), issueKey('trial')]
  const name = 'Granite Holding'
  const first: Tenant = {
    id: newId(),
    name,
    keys: [primary],
    engines: [licensed, batchEngine(), streamingEngine('Desk'), shared, comparing],
  }
  const second: Tenant = { id: newId(), name, keys: [secondary, throttled], engines: [shared, streamingEngine('Desk')] }
  const tenantsByKey = new Map(
    [first, second].flatMap((tenant) => tenant.keys.map((key) => [key.api_key, tenant] as const)),
  )
  const buckets = new Map([[throttled.api_key, new TokenBucket()]])
  const keys = { primary: primary.api_key, secondary: secondary.api_key, throttled: throttled.api_key }
  return { access: { tenantsByKey, buckets }, keys, licensed, comparing }
}

function profileOf(baseUrl: string, { keys, licensed, comparing }: Estate): TargetProfile {
  const drill = (name: string) => ({ headers: { [drillHeader]: name } })
  return {
    baseUrl,
    tenants: { primary: { key: keys.primary }, secondary: { key: keys.secondary }, throttled: { key: keys.throttled } },
    claims: ['core', 'streaming', 'events', 'threads', 'tools', 'files', 'tenancy'],
    threads: {
      kind: 'http',
      method: 'POST',
      path: '/internal/threads',
      body: { assistant: '{{assistant_id}}', owner: '{{user_id}}' },
      pointer: '/data/thread/uid',
    },
    runBody: {},
    assistants: {
      [licensed.assistant.id]: {
        body: { user_data: { licence: 'BAS-77', region: 'EU' } },
        prompt: 'Is a verbal contract binding?',
      },
    },
    tools: {
      assistant_id: comparing.assistant.id,
      prompt: comparePrompt,
      callIds: '/tool_requests/*/call_id',
      resultField: 'tool_call_id',
      assistantMessage: { tool_requests: [{ call_id: '{{tool_call_id}}', tool: 'exchange_rate', input: {} }] },
    },
    files: {
      status: { path: '/v1/storage/files/{file_id}/status', pointer: '/processing/state', complete: ['READY'] },
      attachment: { attachments: [{ file_id: '{{file_id}}' }] },
    },
    throttle: { requests: 30 },
    provoke: {
      api_timeout_error: drill('MODEL_TIMEOUT'),
      internal_service_error: drill('DEPENDENCY_DOWN'),
      tenant_not_found: drill('TENANT_LOST'),
    },
    declares: {},
    budget: { timeoutMs: 10_000, maxBodyBytes: 33_554_432 },
  }
}

async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

/** Starts both servers and gives their URLs and the profile. */
export async function startBasalt(options: BasaltOptions = {}): Promise<Basalt> {
  const estate = foundEstate()
  const files = new FileVault()
  const gateway = new Gateway({ threads: new ThreadRepository(), cursors: new CursorCodec(), files }, estate.access)
  const uploads = createUploadServer(files)
  const service = createServer((request, response) => {
    gateway.serve(request, response).catch(() => response.destroy())
  })
  files.uploadOrigin = await listen(uploads, 0)
  const url = `${await listen(service, options.port ?? 0)}${basePath}`
  return {
    url,
    profile: profileOf(url, estate),
    async close() {
      await Promise.all([stop(service), stop(uploads)])
    },
  }
}
