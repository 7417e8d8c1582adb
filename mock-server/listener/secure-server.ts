/**
 * A server with a certificate: HTTP/2, and HTTP/1.1 for clients that do not offer it. Requests of both come to the same
 * handler; names and rules that differ in HTTP/2 are translated here.
 */
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http'
import {
  createSecureServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2'
import type { Certificate } from './listener.ts'

/** Creates the server, with the same limits for both versions. Throws for an invalid certificate. */
export function secureServer(limits: ServerOptions, tls: Certificate, serve: RequestListener): Server {
  const handler = (request: Http2ServerRequest, response: Http2ServerResponse) => {
    if (request.httpVersionMajor >= 2) translate(request, response)
    serve(request as unknown as IncomingMessage, response as unknown as ServerResponse)
  }
  const server = createSecureServer({ ...limits, ...tls, allowHTTP1: true }, handler)
  const { requestTimeout = 0, headersTimeout = 0, keepAliveTimeout = 0 } = limits
  // Node sets its own for the connections of HTTP/1.1.
  return closeSessions(Object.assign(server, { requestTimeout, headersTimeout, keepAliveTimeout }))
}

/** Ends the sessions with the server: Node closes idle connections of HTTP/1.1 alone. */
function closeSessions(server: Http2Server): Server {
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })
  const { closeIdleConnections, closeAllConnections } = server as unknown as Server
  return Object.assign(server as unknown as Server, {
    closeIdleConnections: () => {
      closeIdleConnections?.call(server)
      for (const session of sessions) session.close()
    },
    closeAllConnections: () => {
      closeAllConnections?.call(server)
      for (const session of sessions) session.destroy()
    },
  })
}

/** Fields of one connection, which HTTP/2 forbids (RFC 9113, 8.2.2). */
const connectionFields = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'])

function translate(request: Http2ServerRequest, response: Http2ServerResponse): void {
  const { headers, rawHeaders, authority } = request
  const fields = Object.entries(headers).filter(([name]) => !name.startsWith(':'))
  const raw = rawHeaders.flatMap((name, at) =>
    at % 2 === 1 || name.startsWith(':') ? [] : [name, rawHeaders[at + 1] ?? ''],
  )
  const host = authority === undefined || 'host' in headers ? [] : ['host', authority]
  Object.defineProperties(request, {
    headers: { value: { ...(host.length === 0 ? null : { host: authority }), ...Object.fromEntries(fields) } },
    rawHeaders: { value: [...host, ...raw] },
  })
  const writeHead = response.writeHead.bind(response)
  response.writeHead = (status: number, given: unknown) => {
    const kept = Object.entries((given ?? {}) as Readonly<Record<string, string>>)
    return writeHead(status, Object.fromEntries(kept.filter(([name]) => !connectionFields.has(name.toLowerCase()))))
  }
}
