/**
 * The HTTP layer: node:http with limits on time and size, CORS for browsers, and a graceful end.
 * Every other request goes straight to the engine, so that a socket and `mock.fetch` read every path alike.
 */
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Admin } from '../admin/admin.ts'
import { isAdminPath } from '../admin/admin-path.ts'
import type { Engine } from '../exchange/sink.ts'
import { OptionError, refuseUnknown } from '../option-error.ts'
import { isPageRequest } from '../pages/page-path.ts'
import type { ReasonId } from '../reasons/reasons.ts'
import { warnOf } from '../warning.ts'
import { serveAdmin } from './admin-adapter.ts'
import { crossOriginOf } from './cross-origin.ts'
import { type Listener, type ListenOptions, listenOptionNames } from './listener.ts'
import { refuseMalformed, refuseRequest } from './malformed-request.ts'
import { handleNodeRequest, originOf } from './node-adapter.ts'
import { type PageSource, servePage } from './page-adapter.ts'

// An import reads every name of node:http, and some of them load Node's whole client: a third of the time to start.
const { createServer } = process.getBuiltinModule('node:http')

const maxHeaderBytes = 65_536
const keepAliveMs = 72_000

/** The handlers: the API, the admin API behind `/_acs`, and the pages beside them. */
interface Served {
  readonly engine: Engine
  readonly admin: () => Promise<Admin>
  readonly pages: PageSource
}

/** Serves an engine on a socket. Rejects when the port is not available. */
export async function listen(served: Served, options: ListenOptions = {}): Promise<Listener> {
  refuseUnknown('the options of a listener', options, listenOptionNames)
  if (options.adminToken === '') throw new OptionError('adminToken', 'must not be empty: no caller could send it')
  if (options.corsOrigin?.length === 0) throw new OptionError('corsOrigin', 'must name an origin; leave it out for all')
  const host = options.host ?? '127.0.0.1'
  const closing = new AbortController()
  const server = await createListener(served, options, closing.signal)
  server.listen({ port: options.port ?? 0, host })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => {
    closing.abort()
    return closed(server, options)
  }
  const shown = host.includes(':') ? `[${host}]` : host
  const scheme = (options.tls ?? null) === null ? 'http' : 'https'
  return { url: `${scheme}://${shown}:${port}`, port, close, [Symbol.asyncDispose]: close }
}

async function createListener(
  { engine, admin, pages }: Served,
  {
    requestTimeoutMs = 30_000,
    adminToken = null,
    corsOrigin = null,
    adminCors = false,
    tls = null,
    onRefused,
  }: ListenOptions,
  closing: AbortSignal,
): Promise<Server> {
  const limits = {
    maxHeaderSize: maxHeaderBytes,
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(requestTimeoutMs, 10_000),
    keepAliveTimeout: keepAliveMs,
    // Without a host the answer has the error body of the contract, which node:http does not know.
    requireHostHeader: false,
    connectionsCheckingInterval: Math.min(requestTimeoutMs, 1000),
  }
  const origins = corsOrigin === null ? null : [corsOrigin].flat()
  const { headersFor, preflight } = crossOriginOf(origins)
  const forAdmin = adminCors && origins !== null ? crossOriginOf(origins, ['GET', 'POST', 'DELETE']) : null
  const door = { token: adminToken, closing, trustedOrigins: forAdmin === null ? [] : (origins ?? []) }
  const refuse = (request: IncomingMessage, response: ServerResponse, reason: ReasonId, status: number) => {
    refuseRequest(request, response, reason, status)
    onRefused?.({ reason, status, what: request.method ?? '' })
  }
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const target = request.url ?? '/'
    if (request.headers.host === undefined && request.httpVersionMinor > 0) {
      refuse(request, response, 'no-host-header', 400)
      return
    }
    if (isAdminPath(target)) {
      if (forAdmin !== null && request.method === 'OPTIONS') {
        forAdmin.preflight(request, response, () => response.end())
        return
      }
      admin()
        .then((api) =>
          serveAdmin(api, { ...door, headers: forAdmin?.headersFor(request) ?? {} }, request, target, response),
        )
        .catch(giveUp(response, 'the admin API could not answer'))
    } else if (isPageRequest(request.method ?? '', target, request.headers.accept)) {
      const place = { target, origin: originOf(request) }
      servePage(pages, request, place, response, headersFor(request)).catch(
        giveUp(response, 'a page could not be made'),
      )
    } else if (request.method === 'OPTIONS') preflight(request, response, () => response.end())
    else handleNodeRequest(engine, request, target, response, headersFor(request))
  }
  // Loading TLS and HTTP/2 takes ten milliseconds and more, which plain HTTP should not pay.
  const server =
    tls === null ? createServer(limits, serve) : (await import('./secure-server.ts')).secureServer(limits, tls, serve)
  server.on('checkExpectation', (request, response) => refuse(request, response, 'unknown-expectation', 417))
  return server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const refused = refuseMalformed(error, socket)
    if (refused !== null) onRefused?.(refused)
  })
}

const giveUp = (response: ServerResponse, trouble: string) => (cause: unknown) => {
  warnOf(trouble, cause)
  response.destroy()
}

/** Most answers end faster, and nobody needs to be told of them. */
const noticedMs = 100

/** No new connections; running answers may end within the grace period. */
async function closed(server: Server, { graceMs = 1000, onWait }: ListenOptions): Promise<void> {
  if (!server.listening) return
  const ended = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const force = setTimeout(() => server.closeAllConnections(), graceMs)
  const notice = setTimeout(() => {
    server.getConnections((_failure, connections = 0) => {
      if (connections > 0) onWait?.({ connections, graceMs })
    })
  }, noticedMs)
  await ended
  clearTimeout(force)
  clearTimeout(notice)
}
