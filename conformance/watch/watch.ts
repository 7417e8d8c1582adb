/**
 * Runs a reverse proxy that records every exchange and leaves bytes and timing unchanged. It never buffers, so a frontend
 * sees the same answers as without it.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRoute } from '../client/route.ts'
import { minimalProfile } from '../profile/minimal-profile.ts'
import type { TargetProfile, TransportProfile } from '../profile/target-profile.ts'
import { mostBodyBytes, type PassedExchange } from './passed-exchange.ts'
import { createProxiedExchange, mostHeaderBytes, type ProxiedExchangeOptions } from './proxied-exchange.ts'

export interface WatchOptions {
  /** Base URL of the target; the path of a request is appended. */
  readonly upstream: string
  /** Called for every exchange at its end; `close` waits for what it returns. */
  readonly onPassed: (passed: PassedExchange) => Promise<void> | void
  /** A condition that requests wait for before they are forwarded, for instance until earlier ones are recorded. */
  readonly catchUp?: () => Promise<void> | undefined
  /** How the upstream is reached; default directly. */
  readonly transport?: TransportProfile | undefined
  /** Names the keys, when it is known. */
  readonly profile?: TargetProfile | undefined
  /** Default 0: any free port. */
  readonly port?: number
  /** Default: this machine only. */
  readonly host?: string
  /** Monotonic milliseconds; default `performance.now`. */
  readonly clock?: () => number
  /** Value of the clock that is 0 in the trace; default now. */
  readonly originMs?: number
  /** Largest body that is recorded, bytes; a larger one passes and is recorded as `capped`. Default 32 MiB. */
  readonly maxBodyBytes?: number
}

interface Watch extends AsyncDisposable {
  readonly url: string
  /** Milliseconds on the trace's clock. */
  readonly nowMs: () => number
  /** Takes no new requests, waits up to `graceMs` (default 1000) for those in flight, then ends them. */
  readonly close: (graceMs?: number) => Promise<void>
}

const urlOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** Starts the proxy; rejects with the system's error when the port cannot be had. */
export const watch = async (options: WatchOptions): Promise<Watch> => {
  const { clock = () => performance.now(), host = '127.0.0.1', port = 0, upstream } = options
  if (!/^https?:\/\//i.test(upstream)) throw new TypeError(`not an http(s) URL: ${upstream}`)
  const originMs = options.originMs ?? clock()
  const nowMs = (): number => clock() - originMs
  let seen = 0
  const nextId = (): string => {
    seen += 1
    return `E${seen}`
  }
  const inFlight = new Set<Promise<void>>()
  const { transport } = options
  const reached = {
    ...minimalProfile(upstream, { primary: { key: '' } }),
    ...(transport === undefined ? {} : { transport }),
  }
  const passageOptions: ProxiedExchangeOptions = {
    ...options,
    open: transport === undefined ? undefined : createRoute(reached, {}).open,
    nowMs,
    nextId,
    maxBodyBytes: options.maxBodyBytes ?? mostBodyBytes,
  }
  const pass = createProxiedExchange(passageOptions)
  const passage = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const waiting = options.catchUp?.()
    if (waiting !== undefined) await waiting
    // A caller that has disconnected needs no answer.
    if (!request.destroyed) await pass(request, response)
  }
  const server = createServer(
    { maxHeaderSize: mostHeaderBytes },
    (request: IncomingMessage, response: ServerResponse) => {
      const done = passage(request, response).finally(() => inFlight.delete(done))
      inFlight.add(done)
    },
  )
  server.requestTimeout = 0
  server.timeout = 0
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  const close = async (graceMs = 1000): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    server.closeIdleConnections()
    const timer = setTimeout(() => server.closeAllConnections(), graceMs)
    await closed
    clearTimeout(timer)
    await Promise.all(inFlight)
  }
  return { url: urlOf(host, bound), nowMs, close, [Symbol.asyncDispose]: () => close() }
}
