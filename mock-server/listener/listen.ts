/**
 * The HTTP layer: Fastify with its CORS plugin for the start, the end and preflights; limits on time and size.
 * Every other request goes straight from node:http to the engine, so that a socket and `mock.fetch` read every path alike.
 */
import { createServer, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import cors from '@fastify/cors'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Admin } from '../admin/admin.ts'
import { isAdminTarget } from '../admin/admin-target.ts'
import type { Engine } from '../http/engine.ts'
import { serveAdmin } from './admin-door.ts'
import { refuseMalformed } from './malformed.ts'
import { serve } from './socket-door.ts'

export interface ListenOptions {
  /** Default 0: a free port. */
  readonly port?: number
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Longest time for the whole request to arrive. Default 30,000. */
  readonly requestTimeoutMs?: number
  /** How long running answers may take to end on `close`. Default 1,000. */
  readonly graceMs?: number
  /** What callers of the admin API have to send as bearer token. Default: none, and only this machine is let in. */
  readonly adminToken?: string | null
}

export interface Listener extends AsyncDisposable {
  /** Base URL, without a slash at its end. */
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

const maxHeaderBytes = 65_536
/** As long as Fastify's own server would wait. */
const keepAliveMs = 72_000
const exposedHeaders = 'x-acs-reason, retry-after'
const corsHeaders = { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposedHeaders }

/** Serves an engine on a socket. Rejects when the port cannot be had. */
export async function listen(
  engine: Engine,
  admin: () => Promise<Admin>,
  options: ListenOptions = {},
): Promise<Listener> {
  const host = options.host ?? '127.0.0.1'
  const app = await createApp(engine, admin, options)
  await app.listen({ port: options.port ?? 0, host })
  const { port } = app.server.address() as AddressInfo
  const close = async () => {
    const force = setTimeout(() => app.server.closeAllConnections(), options.graceMs ?? 1000)
    await app.close()
    clearTimeout(force)
  }
  const shown = host.includes(':') ? `[${host}]` : host
  return { url: `http://${shown}:${port}`, port, close, [Symbol.asyncDispose]: close }
}

async function createApp(
  engine: Engine,
  admin: () => Promise<Admin>,
  { requestTimeoutMs = 30_000, adminToken = null }: ListenOptions,
): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    serverFactory: (preflight) => {
      const server = createServer(limitsOf(requestTimeoutMs), (request, response) => {
        const target = request.url ?? '/'
        if (isAdminTarget(target)) {
          void admin().then((api) => serveAdmin(api, adminToken, request, target, response))
        } else if (request.method === 'OPTIONS') preflight(request, response)
        else serve(engine, request, target, response, corsHeaders)
      })
      server.keepAliveTimeout = keepAliveMs
      return server
    },
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseMalformed,
    // One route for all preflights: what a path means is the engine's matter, for this door and for the one without a socket.
    rewriteUrl: () => '/',
  })
  await app.register(cors, {
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS'],
    exposedHeaders,
    strictPreflight: false,
    maxAge: 600,
  })
  const unreached = () => {}
  app.all('/', unreached)
  app.setNotFoundHandler(unreached)
  return app
}

function limitsOf(requestTimeoutMs: number): ServerOptions {
  return {
    maxHeaderSize: maxHeaderBytes,
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(requestTimeoutMs, 10_000),
    connectionsCheckingInterval: Math.min(requestTimeoutMs, 1000),
  }
}
