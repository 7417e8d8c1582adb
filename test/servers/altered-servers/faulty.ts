/**
 * Lists servers with one fault each, as real teams ship them, and the requirement that each violates.
 * The server behind is faithful; many faults show only in one form, for one tenant, in the last chunk or after the first page.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isJson, type Json } from '../wire.ts'
import {
  emptyKey,
  eventsOfAnyTenant,
  ownerWithPersist,
  runsInsteadOf,
  streamsInAnyThread,
  threadsLendAssistants,
} from './isolation-bugs.ts'
import { pagesBelowStamp } from './page-bugs.ts'
import type { Reply, RequestSpec, Rewrite } from './proxy.ts'
import {
  answers,
  chunks,
  errors,
  fieldErrors,
  listAt,
  type MakeRewrite,
  objectAt,
  withDelta,
  withItems,
} from './rewrites.ts'

/** A server that breaks one requirement. */
export interface FaultyServer {
  readonly rule: string
  readonly behind: 'atrium' | 'basalt'
  readonly violates: string
  readonly rewrite: MakeRewrite
}

const altered = (behind: FaultyServer['behind'], violates: string, rule: string, rewrite: MakeRewrite) => ({
  behind,
  violates,
  rule,
  rewrite,
})

/** An hour behind, as a service that forgets its zone. */
const hourLater = (timestamp: unknown): string =>
  new Date(Date.parse(String(timestamp)) + 3_600_000).toISOString().slice(0, -1) + String(timestamp).slice(-4)

/** Stamps lose the zeros at their end, as in Go. */
const trimmedStamps: MakeRewrite = () => ({
  reply(reply) {
    if (reply.status < 300) reply.json = parsedAgain(reply.json, /(\.\d*?)0+Z"/g, '$1Z"')
  },
})
const parsedAgain = (json: unknown, pattern: RegExp, by: string): unknown =>
  json === undefined ? undefined : JSON.parse(JSON.stringify(json).replace(pattern, by))

/** A list whose store is unavailable is told as an empty one. */
const emptyWhenUnavailable = errors(['list'], (body, reply) => {
  if (body.error_code !== 'internal_service_error') return body
  reply.status = 200
  return { items: [], cursor: '' }
})

/** A message fails in the words of the framework when the store is unavailable. */
const ownWordsWhenUnavailable = errors(['create'], (body, reply) => {
  if (body.error_code !== 'internal_service_error') return body
  reply.status = 500
  return { error_code: 'internal_server_error', detail: 'Internal Server Error' }
})

/** Two neighbouring chunks change places. */
const swappedChunks: MakeRewrite = () => {
  const held = new Map<unknown, Json>()
  return {
    chunk(chunk, isLast, { place }) {
      const before = held.get(chunk.message_id)
      if (place !== 'completeStream' || isLast) return before === undefined ? [chunk] : [before, chunk]
      if (before === undefined) held.set(chunk.message_id, chunk)
      return before === undefined ? [] : [chunk, ...(held.delete(chunk.message_id) ? [before] : [])]
    },
  }
}

/** A proxy of another team counts the requests. */
const proxyCounts: MakeRewrite = () => ({
  reply(reply) {
    if (reply.status === 429) Object.assign(reply, { json: undefined, text: 'Too Many Requests' })
  },
})

/** Every call shows the keys of all tenants that were seen. */
const keysOfAll: MakeRewrite = () => {
  const seen = new Map<unknown, Json>()
  return answers(['keys'], (tenant) => {
    for (const key of listAt(tenant, 'api_keys')) seen.set(key.id, key)
    return { ...tenant, api_keys: [...seen.values()] }
  })()
}

/** The header is looked up in lower case only. */
const lowerCaseHeader: MakeRewrite = () => ({
  ask(ask) {
    ask.headers = ask.headers.filter(([name]) => name === 'api-key' || name.toLowerCase() !== 'api-key')
    return undefined
  },
})

/** A message that comes while another is being stored is acknowledged, and lost. */
const lostWhenBusy: MakeRewrite = (): Rewrite => {
  let busy = 0
  return {
    async ask(ask) {
      if (ask.place !== 'create') return undefined
      busy += 1
      await pause(3)
      const isLost = busy > 1
      busy -= 1
      return isLost ? pretended(ask) : undefined
    },
  }
}

function pretended({ text, path }: RequestSpec): Reply | undefined {
  const sent: unknown = JSON.parse(text)
  if (!isJson(sent) || sent.role !== 'user' || sent.content === '') return undefined
  const created_at = new Date().toISOString().replace('Z', '000Z')
  const json = { id: randomUUID(), thread_id: path.split('/').at(-2), role: 'user', content: sent.content, created_at }
  return { status: 200, headers: { 'content-type': 'application/json' }, json, text: '' }
}

const cut = (message: Json): Json => ({ ...message, content: String(message.content).slice(0, 65_500) })
const blockText = (chunk: Json): string =>
  listAt(objectAt(chunk, 'delta'), 'content_blocks')
    .map(({ text }) => text)
    .join('')

/** All faulty servers. */
export const faultyServers: readonly FaultyServer[] = [
  altered('atrium', 'resources.timestamp-format', 'stamps lose the zeros at their end', trimmedStamps),
  altered(
    'basalt',
    'resources.timestamp-format',
    'the last chunk of a run has a stamp in milliseconds',
    chunks('runStream', (chunk, isLast) =>
      isLast ? [{ ...chunk, created_at: String(chunk.created_at).replace(/\d{3}Z$/, 'Z') }] : [chunk],
    ),
  ),
  altered(
    'atrium',
    'threads.listed-as-created',
    'lists show local time',
    answers(['list'], (page) => withItems(page, (item) => ({ ...item, created_at: hourLater(item.created_at) }))),
  ),
  altered(
    'basalt',
    'resources.id-is-uuid',
    'message ids of the events stream have a prefix',
    chunks('completeEvents', (chunk) => [{ ...chunk, message_id: `msg_${chunk.message_id}` }]),
  ),
  altered(
    'atrium',
    'resources.source-fields',
    'a section that looks like a number is one, in the second source',
    answers(['complete'], (answer) => ({
      ...answer,
      sources: listAt(answer, 'sources').map((source, index) =>
        index === 1 ? { ...source, meta_data: { ...objectAt(source, 'meta_data'), section: 2 } } : source,
      ),
    })),
  ),
  altered(
    'atrium',
    'resources.assistant-message-fields',
    'listed answers have their metadata as a text',
    answers(['list'], (page) =>
      withItems(page, (item) => {
        const hasData = Object.keys(objectAt(item, 'meta_data')).length > 0
        return hasData ? { ...item, meta_data: JSON.stringify(item.meta_data) } : item
      }),
    ),
  ),
  altered(
    'basalt',
    'resources.meta-data-fits-schema',
    'metadata of a run hold a field that the schema rules out',
    answers(['run'], (answer) => ({ ...answer, meta_data: { ...objectAt(answer, 'meta_data'), trace: 'x' } })),
  ),
  altered(
    'atrium',
    'streams.one-message',
    'the last chunk of a run is of another message',
    chunks('runStream', (chunk, isLast) => [isLast ? { ...chunk, message_id: randomUUID() } : chunk]),
  ),
  altered(
    'atrium',
    'streams.joined-equals-stored',
    'fragments lose the blanks at their ends',
    chunks('completeStream', (chunk) => [
      withDelta(chunk, (delta) => ({ ...delta, content: String(delta.content).trim() })),
    ]),
  ),
  altered(
    'basalt',
    'streams.joined-equals-stored',
    'fragments lose what lies beyond the BMP',
    chunks('completeStream', (chunk) => [
      withDelta(chunk, (delta) => ({
        ...delta,
        content: String(delta.content).replace(/[\u{10000}-\u{10ffff}]/gu, '??'),
      })),
    ]),
  ),
  altered('basalt', 'streams.ndjson-lines', 'a stream ends on [DONE]', () => ({
    stream: (text, { place }) => (place === 'completeStream' ? `${text}\r\n[DONE]\n` : text),
  })),
  altered('basalt', 'streams.utf8', 'a run begins with a byte order mark', () => ({
    stream: (text, { place }) => (place === 'runStream' ? `\uFEFF${text}` : text),
  })),
  altered('atrium', 'streams.ends-whole', 'the end of a run is lost', () => ({
    stream: (text, { place }) => (place === 'runStream' ? text.slice(0, -40) : text),
  })),
  altered(
    'basalt',
    'streams.text-delta',
    'a closing chunk has no content',
    chunks('completeStream', (chunk, isLast) => [
      chunk,
      ...(isLast ? [{ ...chunk, delta: { role: 'assistant', sources: [], finish_reason: 'stop' } }] : []),
    ]),
  ),
  altered(
    'atrium',
    'streams.blocks-delta',
    'blocks are sent as text as well',
    chunks('completeEvents', (chunk) => [withDelta(chunk, (delta) => ({ ...delta, content: blockText(chunk) }))]),
  ),
  altered('atrium', 'streams.created-at-order', 'two chunks change places', swappedChunks),
  altered(
    'basalt',
    'errors.validation-detail',
    'the streamed form has msg instead of message',
    fieldErrors(['completeStream'], ({ message, ...entry }) => ({ ...entry, msg: message })),
  ),
  altered(
    'basalt',
    'completions.missing-assistant-id-error',
    'places of errors are in camel case',
    fieldErrors('everywhere', (entry) => ({ ...entry, loc: ['body', 'assistantId'] })),
  ),
  altered(
    'basalt',
    'threads.unknown-thread-error',
    'a streamed run has another code for an unknown thread',
    errors(['runStream'], (body) =>
      body.error_code === 'thread_not_found' ? { ...body, error_code: 'resource_not_found' } : body,
    ),
  ),
  altered('atrium', 'errors.rate-limit', 'the quota is kept by a proxy with words of its own', proxyCounts),
  altered('atrium', 'auth.header-name-any-case', 'API-Key is not found', lowerCaseHeader),
  altered(
    'basalt',
    'files.allowed-types',
    'a sixth type is allowed',
    answers(['grant'], (grant) => {
      const limits = objectAt(grant, 'file_limits')
      return {
        ...grant,
        file_limits: { ...limits, allowed_types: [...Object.values(limits.allowed_types ?? []), 'text/markdown'] },
      }
    }),
  ),
  altered(
    'atrium',
    'threads.create-echoes',
    'a column holds 65,500 characters',
    answers(['create', 'list'], (body) => ('items' in body ? withItems(body, cut) : cut(body))),
  ),
  altered('atrium', 'completions.continues-thread', 'the streamed form makes a thread each time', () => ({
    ask({ place, query }) {
      if (place === 'completeStream') query.delete('thread_id')
      return undefined
    },
  })),
  altered('basalt', 'threads.empty-content-refused', 'an empty system message has another code', () => ({
    reply(reply, { text }) {
      const isMeant = isJson(reply.json) && reply.json.error_code === 'message_content_empty'
      if (isMeant && text.includes('"system"')) reply.json = { error_code: 'invalid_argument', detail: 'No content' }
    },
  })),
  altered('atrium', 'threads.concurrent-creates', 'a message is lost while another is stored', lostWhenBusy),
  altered('atrium', 'tenancy.keys-are-own', 'the keys of all tenants are listed', keysOfAll),
  altered(
    'atrium',
    'pagination.reads-are-pure',
    'a list is empty while its store is unavailable',
    emptyWhenUnavailable,
  ),
  altered(
    'atrium',
    'errors.code-internal-service-error',
    'a message fails in words of its own while its store is unavailable',
    ownWordsWhenUnavailable,
  ),
  altered('atrium', 'pagination.cursor-continues', 'later pages lose their last message', () => ({
    reply(reply, { place, query }) {
      if (place !== 'list' || !query.has('cursor') || reply.status >= 300 || !isJson(reply.json)) return
      reply.json = { ...reply.json, items: listAt(reply.json, 'items').slice(0, -1) }
    },
  })),
  altered('atrium', 'pagination.cursor-continues', 'pages begin below a stamp that many share', pagesBelowStamp),
  altered('atrium', 'auth.unknown-key-refused', 'an empty key is the first caller', emptyKey),
  altered('basalt', 'completions.unknown-assistant-refused', 'events know everybody', eventsOfAnyTenant),
  altered('atrium', 'tenancy.foreign-thread-not-continued', 'a stream goes on anywhere', streamsInAnyThread),
  altered('basalt', 'files.user-id-required', 'an owner is asked for with persist only', ownerWithPersist),
  altered('atrium', 'threads.run-assistant-refused', 'a run lends assistants', runsInsteadOf('run', 'foreign')),
  altered('atrium', 'threads.run-assistant-refused', 'a stream is for anybody', runsInsteadOf('runStream', 'unknown')),
  altered('basalt', 'threads.run-assistant-refused', 'a thread lends assistants', threadsLendAssistants),
  altered(
    'atrium',
    'resources.assistant-message-fields',
    'a request for tools has null for its sources',
    answers(['run'], (answer) => (listAt(answer, 'tool_calls').length > 0 ? { ...answer, sources: null } : answer)),
  ),
]
