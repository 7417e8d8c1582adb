/**
 * Opens the connections to a target: trusted authorities, client certificate and proxy. The certificate of the suite is
 * shown to the origin of the base URL only.
 */
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, type SecureContextOptions } from 'node:tls'
import { buildConnector } from 'undici'
import type { Environment } from '../profile/environment.ts'
import { isLoopback } from '../profile/loopback.ts'
import type { TargetProfile, TransportProfile } from '../profile/target-profile.ts'
import { proxyUrl } from '../profile/transport-problems.ts'
import { identityOf, trustOf } from './transport-files.ts'

export interface Route {
  /** Connects for an HTTP client. */
  readonly connector: buildConnector.connector
  /** Connects to the origin of the base URL for HTTP/1.1 as bytes. */
  readonly open: (origin: string) => Promise<Socket>
}

interface RouteOptions {
  /** Longest wait for a connection, milliseconds; default 30 000. */
  readonly timeoutMs?: number
  /** Default: that of the system. */
  readonly lookup?: LookupFunction
  /** Default: the process's. */
  readonly env?: Environment
}

/** Plans the connections of one client; throws the system's error for a file that cannot be read. */
export const createRoute = (
  profile: TargetProfile,
  { timeoutMs = 30_000, lookup, env = process.env }: RouteOptions,
): Route => {
  const { transport = {} } = profile
  const trust = trustOf(transport)
  const identity = identityOf(transport)
  const http = { allowH2: transport.http2 !== false, timeout: timeoutMs, ...(lookup === undefined ? {} : { lookup }) }
  const toTarget = buildConnector({ ...http, ...trust, ...identity })
  const toOthers = buildConnector({ ...http, ...trust })
  const ownOrigin = new URL(profile.baseUrl).origin
  return {
    connector: (options, callback) => {
      const url = new URL(`${options.protocol}//${options.host ?? options.hostname}`)
      const connect = url.origin === ownOrigin ? toTarget : toOthers
      const proxy = proxyFor(url, transport, env)
      if (proxy === null) return connect(options, callback)
      tunnel(proxy, url, { timeoutMs, trust }).then(
        (httpSocket) => {
          if (url.protocol === 'https:') connect({ ...options, httpSocket }, callback)
          else callback(null, httpSocket)
        },
        (cause: Error) => callback(cause, null),
      )
    },
    open: async (origin) => {
      const url = new URL(origin)
      const proxy = proxyFor(url, transport, env)
      const host = bareHost(url)
      const socket = proxy === null ? undefined : await tunnel(proxy, url, { timeoutMs, trust })
      if (url.protocol === 'http:') return socket ?? connectTcp({ host, port: portOf(url) })
      const servername = isIP(host) === 0 ? { servername: host } : {}
      const through = socket === undefined ? { host, port: portOf(url) } : { socket }
      return connectTls({ ...trust, ...identity, ...servername, ...through })
    },
  }
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

const firstOf = (env: Environment, ...names: readonly string[]): string | undefined =>
  names.map((name) => env[name]).find((value) => value !== undefined && value !== '')

/** The proxy for a URL, or `null`. A proxy from the environment is not used for this machine itself. */
export const proxyFor = (url: URL, { proxy }: TransportProfile, env: Environment): URL | null => {
  if (proxy === 'direct' || isExcepted(url, firstOf(env, 'no_proxy', 'NO_PROXY') ?? '')) return null
  if (proxy !== undefined) return proxyUrl(proxy)
  if (isLoopback(url.hostname)) return null
  const found =
    url.protocol === 'https:' ? firstOf(env, 'https_proxy', 'HTTPS_PROXY') : firstOf(env, 'http_proxy', 'HTTP_PROXY')
  return found === undefined ? null : proxyUrl(found)
}

/** Whether NO_PROXY names the host: `*`, a host or a domain above it, each perhaps with a port. */
const isExcepted = (url: URL, list: string): boolean =>
  list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, name = '', port] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry) ?? []
      if (entry === '' || (port !== undefined && Number(port) !== portOf(url))) return false
      return entry === '*' || bareHost(url) === name || bareHost(url).endsWith(`.${name}`)
    })

/** Codes of connections that failed because of a proxy. */
const proxyErrorCodes = { refused: 'PROXY_REFUSED', unreachable: 'PROXY_UNREACHABLE' } as const

const proxyError = (code: keyof typeof proxyErrorCodes, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code: proxyErrorCodes[code] })

interface TunnelOptions {
  readonly timeoutMs: number
  readonly trust: SecureContextOptions
}

/** A socket that a proxy connects with the host of `url`. */
const tunnel = (proxy: URL, url: URL, { timeoutMs, trust }: TunnelOptions): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const authority = `${url.hostname}:${portOf(url)}`
    const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
    const headers = {
      host: authority,
      ...(user === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }),
    }
    const port = portOf(proxy)
    const options = { host: bareHost(proxy), port, method: 'CONNECT', path: authority, headers, agent: false } as const
    const request = proxy.protocol === 'https:' ? requestHttps({ ...options, ...trust }) : requestHttp(options)
    request.setTimeout(timeoutMs, () => request.destroy(new Error('no answer within the time limit')))
    request.on('connect', ({ statusCode }, socket: Socket) => {
      request.setTimeout(0)
      socket.setTimeout(0)
      if (statusCode === 200) resolve(socket)
      else {
        socket.destroy()
        reject(proxyError('refused', `it answers CONNECT with ${statusCode}`))
      }
    })
    request.on('response', ({ statusCode }) => {
      request.destroy()
      reject(proxyError('refused', `it answers CONNECT with ${statusCode}`))
    })
    request.on('error', (cause) => reject(proxyError('unreachable', cause.message, cause)))
    request.end()
  })
