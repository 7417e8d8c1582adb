/**
 * Runs a proxy in front of a faithful server that rewrites requests, answers, chunks or streams.
 * Apart from the rewrites so that each of them is only the one difference.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { isJson, type Json } from '../wire.ts'

/** The operations of the contract as this folder calls them. */
export type Place = keyof typeof places

/** A request on its way in. */
export interface RequestSpec {
  readonly place: Place | null
  readonly method: string
  path: string
  readonly query: URLSearchParams
  readonly key: string | undefined
  headers: (readonly [string, string])[]
  text: string
}

/** A whole answer on its way out; `json` counts when it is there. */
export interface Reply {
  status: number
  headers: Record<string, string>
  json: unknown
  text: string | Buffer
}

/** The one respect in which an altered server differs. */
export interface Rewrite {
  /** Changes a request, or answers it in the server's stead. */
  readonly ask?: (ask: RequestSpec) => Promise<Reply | undefined> | Reply | undefined
  /** Changes an answer that is no accepted stream. */
  readonly reply?: (reply: Reply, ask: RequestSpec) => void
  /** Gives what is sent in the place of a chunk: chunks, or lines as they are. */
  readonly chunk?: (chunk: Json, isLast: boolean, ask: RequestSpec) => readonly (Json | string)[]
  /** Changes the text of a whole stream. */
  readonly stream?: (text: string, ask: RequestSpec) => string
  /** Changes the header of every answer. */
  readonly headers?: (headers: Record<string, string>) => Record<string, string>
}

/** A running front. */
export interface Front {
  readonly url: string
  close(): Promise<void>
}

const places = {
  complete: /^POST .*\/v1\/chat\/completions$/,
  completeStream: /^POST .*\/completions\/stream$/,
  completeEvents: /^POST .*\/events\/stream$/,
  run: /^POST .*\/run$/,
  runStream: /^POST .*\/run\/stream$/,
  list: /^GET .*\/messages$/,
  create: /^POST .*\/messages$/,
  assistants: /^GET .*\/assistants$/,
  assistant: /^GET .*\/assistants\/[^/]+$/,
  grant: /^GET .*\/signed-url$/,
  keys: /^GET .*\/my-api-keys$/,
} as const
const ownHeaders = /^(?:host|connection|keep-alive|accept-encoding|content-length|transfer-encoding|expect)$/i

function placeOf(method: string, path: string): Place | null {
  const names = Object.keys(places) as Place[]
  return names.find((name) => places[name].test(`${method} ${path}`)) ?? null
}

async function textOf(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

async function askFrom(incoming: IncomingMessage): Promise<RequestSpec> {
  const [, path = '', search = ''] = /^([^?]*)\??(.*)$/.exec(incoming.url ?? '') ?? []
  const raw = incoming.rawHeaders
  const headers = raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []))
  const method = incoming.method ?? 'GET'
  const key = incoming.headers['api-key']?.toString()
  const text = await textOf(incoming)
  return { place: placeOf(method, path), method, path, query: new URLSearchParams(search), key, headers, text }
}

/** Passes a request on to the server behind. */
async function pass(ask: RequestSpec, { hostname, port, host }: URL): Promise<IncomingMessage> {
  const kept = ask.headers.filter(([name]) => !ownHeaders.test(name)).flat()
  const headers = [...kept, 'host', host, 'content-length', String(Buffer.byteLength(ask.text))]
  const search = ask.query.size === 0 ? '' : `?${ask.query}`
  const outgoing = request({ hostname, port, method: ask.method, path: `${ask.path}${search}`, headers })
  outgoing.end(ask.text)
  const [message] = await once(outgoing, 'response')
  return message
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (ownHeaders.test(name) ? [] : [[name, String(value)]])),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The chunks of a stream while they come; each is held back until it is known whether it is the last. */
async function* linesOf(message: IncomingMessage): AsyncGenerator<readonly [line: string, isLast: boolean]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of message) {
    rest += decoder.decode(part as Buffer, { stream: true })
    const found = rest.split(/\r?\n(?=.)/)
    rest = found.pop() ?? ''
    for (const line of found) yield [line, false]
  }
  if (rest !== '') yield [rest, true]
}

async function sendStream(
  rewrite: Rewrite,
  ask: RequestSpec,
  message: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { chunk, stream, headers = (own) => own } = rewrite
  outgoing.writeHead(message.statusCode ?? 200, headers(headersOf(message)))
  if (stream !== undefined) outgoing.write(stream(await textOf(message), ask))
  else {
    for await (const [line, isLast] of linesOf(message)) {
      const value: unknown = JSON.parse(line)
      const sent = chunk === undefined || !isJson(value) ? [line.trimEnd()] : chunk(value, isLast, ask)
      for (const one of sent) outgoing.write(`${typeof one === 'string' ? one : JSON.stringify(one)}\n`)
    }
  }
  await pause(1)
  outgoing.end()
}

function sendReply({ status, headers, json, text }: Reply, rewrite: Rewrite, outgoing: ServerResponse): void {
  outgoing.writeHead(status, rewrite.headers?.(headers) ?? headers)
  outgoing.end(json === undefined ? text : JSON.stringify(json))
}

async function serve(
  rewrite: Rewrite,
  behind: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const ask = await askFrom(incoming)
  const instead = await rewrite.ask?.(ask)
  if (instead !== undefined) return sendReply(instead, rewrite, outgoing)
  const message = await pass(ask, behind)
  const status = message.statusCode ?? 500
  if (/tream$|Events$/.test(ask.place ?? '') && status < 300) return sendStream(rewrite, ask, message, outgoing)
  const text = await textOf(message)
  const reply = { status, headers: headersOf(message), json: parsed(text), text }
  rewrite.reply?.(reply, ask)
  sendReply(reply, rewrite, outgoing)
}

/** Starts a proxy with this rewrite in front of the server at a base URL. */
export async function startFront(baseUrl: string, rewrite: Rewrite): Promise<Front> {
  const behind = new URL(baseUrl)
  const server = createServer((incoming, outgoing) => {
    serve(rewrite, behind, incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${behind.pathname.replace(/\/$/, '')}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
