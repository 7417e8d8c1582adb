/**
 * Handles HTTP for Basalt: base path, keys, one quota token for each operation, and faults.
 * Faults come out as values and are written here and nowhere else.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { completeAsBlocks, completeAsText, completeWhole } from './completion-controller.ts'
import type { Answer, Controller, Platform } from './exchange.ts'
import type { Tenant } from './model.ts'
import { type ContractCode, failure, type Outcome, otherFailure, success } from './outcome.ts'
import { grantUpload, listAssistants, readAssistant, readFileState, readTenant } from './resource-controller.ts'
import { sendChunks, sendDocument, sendFault } from './response-writer.ts'
import { addMessage, listMessages, openThread, runAsText, runWhole } from './thread-controller.ts'
import type { TokenBucket } from './token-bucket.ts'

/** The path below which the service lies. */
export const basePath = '/basalt/acs'

/** The header by which operations staff rehearse an outage. */
export const drillHeader = 'x-basalt-drill'

const drillTargets = new Map<unknown, { readonly code: ContractCode; readonly at: RegExp }>([
  ['MODEL_TIMEOUT', { code: 'api_timeout_error', at: /^POST .*\/(completions|run)(\/stream)?$/ }],
  ['DEPENDENCY_DOWN', { code: 'internal_service_error', at: /^POST .*\/(completions|run)(\/stream)?$|\/messages$/ }],
  ['TENANT_LOST', { code: 'tenant_not_found', at: /\/my-api-keys$/ }],
])

const largestBody = 4_194_304

const operations: readonly (readonly [string, Controller])[] = [
  ['POST /v1/chat/completions', completeWhole],
  ['POST /v1/chat/completions/stream', completeAsText],
  ['POST /v1/chat/completions/events/stream', completeAsBlocks],
  ['POST /v1/threads/*/run', runWhole],
  ['POST /v1/threads/*/run/stream', runAsText],
  ['GET /v1/threads/*/messages', listMessages],
  ['POST /v1/threads/*/messages', addMessage],
  ['GET /v1/assistants', listAssistants],
  ['GET /v1/assistants/*', readAssistant],
  ['GET /v1/files/signed-url', grantUpload],
  ['GET /v1/storage/files/*/status', readFileState],
  ['GET /v1/tenants/my-api-keys', readTenant],
  ['POST /internal/threads', openThread],
]

const compiled = operations.map(([template, controller]) => {
  return { pattern: new RegExp(`^${template.replaceAll('*', '([^/ ]+)')}$`), controller }
})

/** Who may enter, and how often. */
export interface Access {
  readonly tenantsByKey: ReadonlyMap<string, Tenant>
  readonly buckets: ReadonlyMap<string, TokenBucket>
}

async function readBody(request: IncomingMessage): Promise<Outcome<string>> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const bytes = Buffer.concat(parts)
  if (bytes.length > largestBody) return otherFailure('request_too_large', 'The body is too large')
  return success(bytes.toString('utf8'))
}

/** Serves requests of the contract on a platform. */
export class Gateway {
  readonly #platform: Platform
  readonly #access: Access

  constructor(platform: Platform, access: Access) {
    this.#platform = platform
    this.#access = access
  }

  /** Serves one request. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const acceptsGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    const body = await readBody(request)
    const outcome = body.ok ? this.#dispatch(request, body.value) : body
    if (!outcome.ok) sendFault(response, outcome.fault, acceptsGzip)
    else if ('chunks' in outcome.value) await sendChunks(response, outcome.value.status, outcome.value.chunks)
    else sendDocument(response, outcome.value.status, outcome.value.document, acceptsGzip)
  }

  #dispatch(request: IncomingMessage, body: string): Outcome<Answer> {
    const [, path = '', search = ''] = /^([^?]*)\??(.*)$/.exec(request.url ?? '') ?? []
    const admitted = this.#admit(request.headers['api-key'], path)
    if (!admitted.ok) return admitted
    const operation = `${request.method} ${path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : ''}`
    const drill = drillTargets.get(request.headers[drillHeader])
    if (drill?.at.test(operation)) return failure(drill.code)
    const match = compiled.find(({ pattern }) => pattern.test(operation))
    if (match === undefined) return otherFailure('no_such_operation', 'There is no such operation')
    const segments = match.pattern.exec(operation)?.slice(1) ?? []
    const exchange = {
      platform: this.#platform,
      tenant: admitted.value,
      segments,
      query: new URLSearchParams(search),
      headers: request.headers,
      body,
    }
    return match.controller(exchange)
  }

  #admit(key: unknown, path: string): Outcome<Tenant> {
    if (typeof key !== 'string' || key === '') return otherFailure('credentials_missing', 'Credentials are missing')
    const tenant = this.#access.tenantsByKey.get(key)
    if (tenant === undefined) return otherFailure('credentials_rejected', 'Credentials are not accepted')
    const isContracted = path.startsWith(`${basePath}/v1/`)
    const bucket = this.#access.buckets.get(key)
    return !isContracted || bucket === undefined || bucket.take() ? success(tenant) : failure('rate_limit_gateway')
  }
}
