/** Handles HTTP for Atrium: routes, checks the key, counts the quota and writes replies and rejections. */
import { Buffer } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Call, Reply, Request, Route } from './call.ts'
import { receiveUpload } from './files.ts'
import type { Tenant } from './records.ts'
import { frameworkRefusal, invalid, Rejection, rejectWith } from './rejection.ts'
import { routes } from './routes.ts'
import type { SlidingWindow } from './sliding-window.ts'
import type { State } from './state.ts'

/** The header that brings about an error which a sound server does not show by itself. */
export const faultHeader = 'x-atrium-fault'

async function readBytes(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part)
  return Buffer.concat(parts)
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw invalid([{ loc: ['body', 0], message: 'JSON decode error', type: 'json_invalid' }])
  }
}

function authenticate(state: State, key: unknown, path: string): Tenant {
  if (typeof key !== 'string' || key === '') throw frameworkRefusal(401, 'Not authenticated')
  const tenantId = state.tenantIdsByKey.get(key)
  if (tenantId === undefined) throw frameworkRefusal(403, 'Invalid API key')
  const tenant = state.tenants.get(tenantId)
  if (tenant !== undefined) return tenant
  throw path.endsWith('/my-api-keys') ? rejectWith('tenant_not_found') : frameworkRefusal(403, 'Invalid API key')
}

function findRoute(method: string, path: string): { route: Route; params: Record<string, string> } {
  const candidates = routes.filter((route) => route.path.test(path))
  const route = candidates.find((candidate) => candidate.method === method)
  if (route !== undefined) return { route, params: { ...route.path.exec(path)?.groups } }
  throw candidates.length > 0 ? frameworkRefusal(405, 'Method Not Allowed') : frameworkRefusal(404, 'Not Found')
}

async function writeReply(outgoing: ServerResponse, reply: Reply): Promise<void> {
  if ('json' in reply) {
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply.json))
    return
  }
  outgoing.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-cache' })
  for await (const line of reply.lines) {
    if (outgoing.destroyed) return
    outgoing.write(`${JSON.stringify(line)}\n`)
  }
  outgoing.end()
}

function writeError(outgoing: ServerResponse, error: unknown, frameworkShape: boolean): void {
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  const rejection = error instanceof Rejection ? error : frameworkRefusal(500, 'Internal Server Error')
  outgoing.writeHead(rejection.status, { ...rejection.headers, 'content-type': 'application/json' })
  outgoing.end(JSON.stringify(rejection.toBody(frameworkShape)))
}

/** Serves one request after another from a state. */
export class App {
  readonly #state: State
  readonly #quota: SlidingWindow

  constructor(state: State, quota: SlidingWindow) {
    this.#state = state
    this.#quota = quota
  }

  /** Serves one request. */
  async serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const [, path = '', search = ''] = /^([^?]*)\??(.*)$/.exec(incoming.url ?? '') ?? []
    const request = this.#request(incoming, new URLSearchParams(search))
    let frameworkShape = true
    try {
      const upload = /^\/uploads\/([^/]+)$/.exec(path)?.[1]
      if (upload !== undefined && incoming.method === 'PUT') {
        await writeReply(outgoing, await receiveUpload({ ...request, params: { file_id: upload } }))
        return
      }
      const { route, params } = findRoute(incoming.method ?? 'GET', path)
      frameworkShape = route.frameworkShape
      const tenant = authenticate(this.#state, incoming.headers['api-key'], path)
      await writeReply(outgoing, await this.#handle(route, { ...request, params, tenant }))
    } catch (error) {
      writeError(outgoing, error, frameworkShape)
    }
  }

  #request(incoming: IncomingMessage, query: URLSearchParams): Request {
    const bytes = () => readBytes(incoming)
    return {
      state: this.#state,
      params: {},
      query,
      headers: incoming.headers,
      bytes,
      json: async () => parseJson(await bytes()),
    }
  }

  #handle(route: Route, call: Call): Promise<Reply> | Reply {
    if (route.limited) this.#quota.take(String(call.headers['api-key']))
    const fault = route.faults.find((code) => code === call.headers[faultHeader])
    if (fault !== undefined) throw rejectWith(fault)
    return route.handle(call)
  }
}
