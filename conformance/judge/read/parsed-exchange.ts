/**
 * An exchange, parsed once: operation, key, parameters and answer. Every oracle works on these, so that bytes are parsed a
 * single time and all rules see the same data.
 */
import { bothRuns, type OperationId } from '../../../spec/index.ts'
import { byteLengthOf } from '../../trace/bytes.ts'
import type { Exchange, HeaderLines, TraceHeader } from '../../trace/exchange.ts'
import { headerIn, isHeaderNamed } from '../../trace/headers.ts'
import { becomesGet, sameResourceAt } from '../../trace/redirect-target.ts'
import { type JsonBody, type ParseText, parseJson, requestJson } from './body.ts'
import { canonicalUuid, type Form, uuidForm } from './formats.ts'
import { textField } from './json.ts'
import { LruCache } from './lru-cache.ts'
import { MessageInterning } from './message-interning.ts'
import { type Answer, answerOf } from './parsed-response.ts'
import { addressOf, type Site, siteOf } from './route.ts'
import { hasSuccessShape } from './success-shape.ts'

/**
 * `sent`: in its header; `missing`: nowhere; `unknown`: made up by the suite; `elsewhere`: in a query or as a bearer;
 * `doubted`: in recorded traffic, and the service may not know it.
 */
type KeyState = 'sent' | 'missing' | 'unknown' | 'elsewhere' | 'doubted'

export interface ParsedExchange {
  /** Place in the trace. */
  readonly index: number
  readonly id: string
  readonly exchange: Exchange
  readonly operation: OperationId | null
  /** Path below the base URL, as sent. */
  readonly path: string
  /** Whether the path is spelled in a way that only lenient services know. */
  readonly hasOddPath: boolean
  /** Ids in the path, in their canonical form: another spelling names the same thing. */
  readonly params: Readonly<Record<string, string>>
  /** The same as they were spelled. */
  readonly spelled: Readonly<Record<string, string>>
  /** Ids that the service itself wrote in another spelling than the canonical one: in that, it has to know them again. */
  readonly ownSpellings: ReadonlySet<string>
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly key: KeyState
  /** The sender of the request: a tenant of the profile, or the key itself in recorded traffic. */
  readonly tenant: string | null
  readonly body: JsonBody
  /** Length of the body as it was recorded: counted once, since a file of an upload is long. */
  readonly bodyBytes: number
  readonly sentAtMs: number
  readonly endedAtMs: number
  readonly answer: Answer
}

/** The context for reading an exchange. */
interface ParseContext {
  readonly site: Site
  readonly source: TraceHeader['source']
  /** Keys of the profile that provoke an error; the service knows them. */
  readonly provokingKeys: ReadonlySet<string>
  /** URLs that grants handed out so far. */
  readonly uploadUrls: Set<string>
  /** Ids of assistants and threads as the service spelled them, where it did so in its own way. */
  readonly ownSpellings: Set<string>
  readonly messages: MessageInterning
  /** Reads the body of a request; recently parsed bodies are cached. */
  readonly parseSent: ParseText
}

/** The part of a profile that reading needs. */
interface ReadProfile {
  readonly baseUrl: string
  readonly source: TraceHeader['source']
  readonly files: { readonly status: { readonly path: string } | null }
  readonly provoking: readonly { readonly lines: HeaderLines }[]
}

/** The context at the start of a trace. */
export function parseContext({ baseUrl, source, files, provoking }: ReadProfile): ParseContext {
  const messages = new MessageInterning()
  const sent = new LruCache((text) => {
    const body = parseJson(text)
    if (body.kind === 'json') messages.takeSent(body.value)
    return body
  })
  return {
    site: siteOf(baseUrl, files.status?.path ?? null),
    source,
    provokingKeys: new Set(
      provoking.flatMap(({ lines }) => lines).flatMap(([name, key]) => (name === 'api-key' ? [key] : [])),
    ),
    uploadUrls: new Set(),
    ownSpellings: new Set(),
    messages,
    parseSent: (text) => sent.of(text),
  }
}

/** Reads one exchange; exchanges are read in the order of sending, since grants name the URLs of uploads. */
export function parseExchange(exchange: Exchange, index: number, context: ParseContext): ParsedExchange {
  const { request } = exchange
  const { route, path, query } = addressOf(request.method, request.url, context.site)
  const spelled = route?.params ?? {}
  const operation = route?.operation ?? uploadOperation(exchange, context)
  const key = keyState(exchange, query, context)
  const answer = answerOf(exchange, operation)
  if (operation === 'createUploadGrant') rememberUrl(answer, context)
  rememberSpellings(operation, answer, context)
  if (answer.kind === 'accepted' && operation !== null && showsMessages.has(operation)) {
    if (answer.body.kind === 'json') context.messages.take(answer.body.value)
  }
  const parsed: ParsedExchange = {
    index,
    id: exchange.id,
    exchange,
    operation,
    path,
    hasOddPath: route?.isLenient === true,
    params: canonicalParams(spelled),
    spelled,
    ownSpellings: context.ownSpellings,
    query,
    key,
    tenant: key === 'sent' ? (exchange.credential ?? `key ${headerValues(exchange, 'api-key')[0]}`) : null,
    body: operation === 'uploadFile' ? { kind: 'none' } : sentBody(exchange, context),
    bodyBytes: request.body === null ? 0 : byteLengthOf(request.body),
    sentAtMs: exchange.sentAtMs,
    endedAtMs: exchange.endedAtMs,
    answer,
  }
  // The answer to a request without a valid key is not shown: a refusal may have a success status.
  const isFriendly =
    key !== 'sent' && operation !== 'uploadFile' && answer.kind === 'accepted' && !hasSuccessShape(parsed)
  return isFriendly ? { ...parsed, answer: { ...answer, kind: 'bare' } } : parsed
}

const showsMessages: ReadonlySet<OperationId> = new Set([
  'createChatCompletion',
  'createMessage',
  'runThread',
  'listMessages',
])

/** A body that was not kept whole says nothing about what was asked. */
function sentBody({ request }: Exchange, { parseSent }: ParseContext): JsonBody {
  if ((request.omittedBytes ?? 0) > 0) return { kind: 'malformed', text: '', fault: 'cut' }
  return requestJson(request.body, parseSent)
}

/** Nearly all ids are canonical as they are spelled. */
function canonicalParams(spelled: ParsedExchange['params']): ParsedExchange['params'] {
  const given = Object.entries(spelled)
  if (given.every(([, value]) => canonicalUuid(value) === value)) return spelled
  return Object.fromEntries(given.map(([name, value]) => [name, canonicalUuid(value)]))
}

/** The values of a request header, whatever the case of its name. */
export function headerValues(exchange: Exchange, name: string): readonly string[] {
  const found: string[] = []
  for (const line of exchange.request.headers) if (isHeaderNamed(line[0], name)) found.push(line[1])
  return found
}

/** The first value of a request header. */
export function headerValue(exchange: Exchange, name: string): string | undefined {
  return headerIn(exchange.request.headers, name)
}

/** The first value of a header of the answer. */
export function answerHeader({ response }: Exchange, name: string): string | undefined {
  return headerIn(response?.headers ?? [], name)
}

/** The form of an id in a request: the service's own spelling counts as canonical. */
export const idForm = ({ ownSpellings }: Pick<ParsedExchange, 'ownSpellings'>, id: string): Form =>
  ownSpellings.has(id) ? 'exact' : uuidForm(id)

/** The values of a query parameter. */
export const queryValues = ({ query }: ParsedExchange, name: string): readonly string[] =>
  query.length === 0 ? none : query.flatMap(([given, value]) => (given === name ? [value] : []))

const none: readonly string[] = []

/** The accepted document, or `undefined` when the answer is no accepted JSON document. */
export function documentOf(parsed: ParsedExchange): unknown {
  const { kind, body } = parsed.answer
  return kind === 'accepted' && body.kind === 'json' ? body.value : undefined
}

/** Whether it is answered like an unknown path: not found or not allowed, without a code of the service. */
export const isNoPath = ({ answer }: Pick<ParsedExchange, 'answer'>): boolean =>
  answer.code === null && (answer.status === 404 || answer.status === 405)

/** Whether the service refused: the kinds of answer that a wrong request should get. */
export const isRefusal = ({ answer }: ParsedExchange): boolean => answer.kind === 'rejected' || answer.kind === 'bare'

/** A redirect away from the resource, perhaps to a sign-in page, is not followed and is no success. */
export function isSentElsewhere({ answer, exchange }: ParsedExchange): boolean {
  const location = answerHeader(exchange, 'location')
  if (answer.kind !== 'redirect' || location === undefined) return false
  return URL.canParse(location, exchange.request.url) && sameResourceAt(location, exchange.request.url) === null
}

/** A redirect to another spelling of the path, which clients follow by GET: the request itself is lost. A 303 means just that. */
export function isTurnedIntoGet({ answer: { status }, exchange }: ParsedExchange): boolean {
  const { method, url } = exchange.request
  const location = answerHeader(exchange, 'location')
  if (location === undefined || status === null || status === 303) return false
  return becomesGet(status, method) && sameResourceAt(location, url) !== null
}

/** Whether it runs a thread, whole or streamed. */
export const isRun = ({ operation }: ParsedExchange): boolean => runs.has(operation)

const runs: ReadonlySet<OperationId | null> = new Set(bothRuns)

export const isAccepted = ({ answer }: ParsedExchange): boolean => answer.kind === 'accepted'

function keyState(exchange: Exchange, query: ParsedExchange['query'], context: ParseContext): KeyState {
  const keys = headerValues(exchange, 'api-key')
  if (keys.length === 0) {
    const elsewhere = headerValues(exchange, 'authorization').length > 0 || query.some(([name]) => /key/i.test(name))
    return elsewhere ? 'elsewhere' : 'missing'
  }
  if (keys.length > 1) return 'elsewhere'
  const isNamed = exchange.credential !== null || context.provokingKeys.has(keys[0] ?? '')
  return isNamed || context.source !== 'suite' ? 'sent' : 'unknown'
}

function uploadOperation({ request }: Exchange, context: ParseContext): OperationId | null {
  return request.method === 'PUT' && context.uploadUrls.has(request.url) ? 'uploadFile' : null
}

/** The URL of a grant as a request to it names it: a fragment never goes over the wire (RFC 9110, 7.1). */
export function uploadUrl(grant: unknown): string | null {
  return textField(grant, 'file_url')?.replace(/#.*/s, '') ?? null
}

function rememberUrl({ kind, body }: Answer, context: ParseContext): void {
  const url = kind === 'accepted' && body.kind === 'json' ? uploadUrl(body.value) : null
  if (url !== null) context.uploadUrls.add(url)
}

/** Records and answers show ids; a page of messages shows none that a request could name. */
function rememberSpellings(operation: OperationId | null, answer: Answer, { ownSpellings }: ParseContext): void {
  if (answer.kind !== 'accepted') return
  const { body, stream } = answer
  const document = body.kind === 'json' ? body.value : stream?.lines[0]?.value
  const remember = (id: string | null): void => {
    if (id !== null && uuidForm(id) === 'lenient') ownSpellings.add(id)
  }
  // Where threads come from the contract does not show, so an id may stand anywhere in the answer.
  const isOutside = operation === null || operation === 'createThread'
  if (isOutside) for (const id of textsIn(document)) remember(id)
  else
    for (const record of Array.isArray(document) ? document : [document])
      for (const name of named) remember(textField(record, name))
}

const named = ['id', 'thread_id'] as const

const textsIn = (document: unknown): readonly string[] =>
  Array.from((JSON.stringify(document) ?? '').matchAll(/"([^"\\]{32,48})"/g), ([, text]) => text ?? '')
