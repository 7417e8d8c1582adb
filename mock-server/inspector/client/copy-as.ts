/** An exchange as something to paste elsewhere: a curl command, a fetch call, a test, a seed for another world. */
import type { ExplainedEntry, MessageView, TenantView, WholeThread } from './wire.ts'

/** The input of a copy. */
export interface CopySource {
  readonly entry: ExplainedEntry
  readonly origin: string
  readonly tenants: readonly TenantView[]
  /** The thread that the exchange is about, `null` for none. */
  readonly thread: WholeThread | null
}

export const copyForms = {
  curl: { label: 'curl', make: curlOf },
  fetch: { label: 'fetch', make: fetchOf },
  test: { label: 'vitest test', make: testOf },
  seed: { label: 'seed', make: seedOf },
} as const

/** Headers that curl and fetch set themselves, or that belong to the connection. */
const ownHeaders = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'user-agent', 'accept', 'origin'],
  ...['referer', 'accept-language', 'priority', 'pragma', 'cache-control', 'dnt'],
])

function headersOf({ entry, tenants }: CopySource): readonly (readonly [string, string])[] {
  const key = tenants.find(({ name }) => name === entry.tenant)?.keys[0]?.key
  return entry.request.headers
    .filter(([name]) => !ownHeaders.has(name) && !name.startsWith('sec-'))
    .map(([name, value]) => {
      if (name !== 'api-key' || key === undefined) return [name, value]
      const at = value.lastIndexOf('@')
      return [name, at < 0 ? key : key + value.slice(at)]
    })
}

function bodyOf({ entry }: CopySource): string | null {
  const { body } = entry.request
  return body !== null && 'utf8' in body && body.utf8 !== '' ? body.utf8 : null
}

function curlOf(source: CopySource): string {
  const { method, target } = source.entry.request
  const body = bodyOf(source)
  return [
    method === 'HEAD' ? 'curl --head' : `curl -N -X ${method}`,
    quoted(source.origin + target),
    ...headersOf(source).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' ')
}

function fetchOf(source: CopySource): string {
  const { target } = source.entry.request
  return `const response = await fetch(${text(source.origin + target)}, ${initOf(source)})\nconsole.log(response.status, await response.text())\n`
}

function initOf(source: CopySource, indent = ''): string {
  const body = bodyOf(source)
  const fields = [
    `method: ${text(source.entry.request.method)}`,
    `headers: ${JSON.stringify(Object.fromEntries(headersOf(source)))}`,
    ...(body === null ? [] : [`body: ${bodyText(body)}`]),
  ]
  return `{\n${fields.map((field) => `${indent}  ${field},\n`).join('')}${indent}}`
}

/** A body of JSON as an object, which is easier to change. */
function bodyText(body: string): string {
  try {
    return `JSON.stringify(${JSON.stringify(JSON.parse(body))})`
  } catch {
    return text(body)
  }
}

function testOf(source: CopySource): string {
  const { entry, thread } = source
  const { method } = entry.request
  const target = entry.request.target.replace(/^\/w\/[^/]+/, '')
  const before = thread === null ? [] : messagesBefore(thread, entry.started_at)
  const seeded = thread !== null && target.includes(thread.id)
  const path = seeded ? `\`${target.replace(thread.id, '$'.concat('{id}'))}\`` : text(target)
  const status = entry.response?.status ?? 0
  const lines = [
    'await using mock = await createMock()',
    ...(seeded ? [`const { id } = mock.main.seedThread(${seedText(thread, before)})`] : []),
    `const response = await mock.main.fetch(${path}, ${initOf(source, '  ')})`,
    `expect(response.status).toBe(${status})`,
    ...(entry.reason === null ? [] : [`expect(response.headers.get('x-acs-reason')).toBe(${text(entry.reason)})`]),
  ]
  const name = `${entry.operation ?? `${method} ${target}`} answers ${status}${entry.reason === null ? '' : `: ${entry.reason}`}`
  return `import { createMock } from 'acs-kit/mock'\nimport { expect, test } from 'vitest'\n\ntest(${text(name)}, async () => {\n${lines.map((line) => `  ${line}\n`).join('')}})\n`
}

/** The thread as `POST /_acs/worlds/{world}/threads` and `world.seedThread` take it. */
function seedOf({ thread }: CopySource): string {
  return thread === null ? '' : `${seedText(thread, thread.messages)}\n`
}

function seedText({ tenant, assistant }: WholeThread, messages: readonly MessageView[]): string {
  return JSON.stringify({ tenant, assistant, messages: messages.map(draftOf) })
}

function draftOf({ role, content, tool_call_id, tool_calls, sources, meta_data }: MessageView): object {
  const own = role === 'assistant' ? { meta_data, sources } : {}
  return JSON.parse(JSON.stringify({ role, content, tool_call_id, tool_calls, ...own })) as object
}

function messagesBefore({ messages }: WholeThread, startedAt: string): readonly MessageView[] {
  return messages.filter(({ created_at }) => created_at <= startedAt)
}

/** The thread that an exchange is about: in its path, its body or its answer. */
export function threadIdOf({ request, response }: ExplainedEntry): string | null {
  const [first] = response?.pieces ?? []
  const answer = first !== undefined && 'utf8' in first ? first.utf8 : ''
  const inAnswer = /"thread_id":"([^"]+)"/.exec(answer)?.[1]
  const made =
    request.method === 'POST' && /\/threads$/.test(request.target) ? /"id":"([^"]+)"/.exec(answer)?.[1] : undefined
  return /\/threads\/([^/?]+)/.exec(request.target)?.[1]?.toLowerCase() ?? made ?? inAnswer ?? null
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`
}

/** A literal of TypeScript in single quotes. */
function text(value: string): string {
  return `'${JSON.stringify(value).slice(1, -1).replaceAll("'", "\\'").replaceAll('\\"', '"')}'`
}
