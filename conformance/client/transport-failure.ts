/**
 * Turns a transport's error into an ending and one line that says what to check. Examples: nothing listens, TLS fails,
 * the answer is not HTTP, the connection broke.
 */
import type { Ending } from '../trace/exchange.ts'

interface TransportFailure {
  readonly ending: Ending
  readonly failure: string
}

/** Connection errors, with texts that say what to fix. */
const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  EADDRNOTAVAIL: 'the address cannot be used',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time limit',
  PROXY_REFUSED: 'the proxy opens no way to it',
  PROXY_UNREACHABLE: 'the proxy cannot be reached',
  ETIMEDOUT: 'no connection within the time limit',
}

const tlsCode = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH)/

const field = (error: unknown, name: 'code' | 'message' | 'name'): string => {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
  return typeof value === 'string' ? value : ''
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 300)

/** Undici ends a connection for these, and says only `bad response`. */
const unasked = 'bytes that nobody asked for came before the answer; is it 100 Continue without an Expect header?'

/** Several addresses of one host fail together; the first error suffices. */
const rootOf = (error: unknown): unknown => (error instanceof AggregateError ? (error.errors[0] ?? error) : error)

/** OpenSSL puts its reason between thread, function and source file: `…:SSL routines:function:reason:file.c:77:`. */
const tlsReason = (message: string): string => {
  const reason = /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/.exec(message)?.[1] ?? message
  return reason === 'wrong version number' ? 'what answers there does not speak TLS; is it http://?' : reason
}

/** Interprets a transport error; `hasHead` says whether an answer had begun. */
export const failureOf = (error: unknown, hasHead: boolean): TransportFailure => {
  const cause = rootOf(error)
  const code = field(cause, 'code')
  const message = oneLine(field(cause, 'message') || String(cause))
  if (tlsCode.test(code)) return { ending: 'unreachable', failure: `TLS: ${tlsReason(message)} (${code})` }
  const reason = unreachable[code]
  if (reason !== undefined && !hasHead)
    return { ending: 'unreachable', failure: `${reason} (${message.includes(code) ? message : `${code}: ${message}`})` }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return { ending: 'capped', failure: 'the headers are larger than the limit' }
  if (code.startsWith('HPE_') || field(cause, 'name') === 'HTTPParserError')
    return { ending: 'cut', failure: `not HTTP: ${message}` }
  if (message === 'bad response' && !hasHead) return { ending: 'cut', failure: unasked }
  const when = hasHead ? 'inside the answer' : 'before the answer'
  return { ending: 'cut', failure: `the connection ended ${when}: ${message}${code === '' ? '' : ` (${code})`}` }
}
