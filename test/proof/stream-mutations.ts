/** Mutates an NDJSON stream: its lines, bytes, end and chunks. */
import type { RequirementId } from '../../spec/index.ts'
import { fieldMutations, otherId, timestampRules } from './document-mutations.ts'
import { changedAt, ends, placesOf } from './json-places.ts'
import type { Mutation, Site } from './mutation.ts'

type Chunk = Readonly<Record<string, unknown>>

/** The mutations of a site that holds a stream. */
export function* streamMutations(site: Site): Generator<Mutation> {
  if (!isStream(site)) return
  const lines = site.text.trimEnd().split('\n')
  yield* byteMutations(lines)
  yield* orderMutations(site, lines)
  for (const index of ends(lines)) yield* chunkMutations(site, lines, index)
}

const isStream = ({ operation, status, text }: Site): boolean =>
  operation.startsWith('stream') && status < 300 && text.includes('"delta"')

const joined = (lines: readonly string[]): string => `${lines.join('\n')}\n`

function* byteMutations(lines: readonly string[]): Generator<Mutation> {
  const whole = joined(lines)
  const [first = ''] = lines
  const broken = (operator: string, body: Mutation['body'], requirement: RequirementId = 'streams.ndjson-lines') =>
    ({ operator, at: 'stream', requirement, body }) as const
  yield broken('split line', joined([first.slice(0, 20), first.slice(20), ...lines.slice(1)]))
  if (lines.length > 1) yield broken('merged lines', whole.replace('\n', ''))
  yield broken('events of SSE', lines.map((line) => `data: ${line}\n\n`).join(''))
  yield broken('one array', `[${lines.join(',')}]`)
  yield broken('trailing comma', `${lines.join(',\n')},\n`)
  yield broken('indented', lines.map((line) => `${JSON.stringify(JSON.parse(line), null, 2)}\n`).join(''))
  yield broken('a line that is no object', `${whole}"done"\n`)
  yield broken('end mark', `${whole}[DONE]\n`)
  yield broken(
    'invalid UTF-8',
    Buffer.concat([Buffer.from(first.slice(0, -3)), Buffer.from([0xff]), Buffer.from(whole.slice(first.length - 3))]),
    'streams.utf8',
  )
  yield broken('nothing', '', 'streams.not-empty')
  if (lines.length > 1) yield broken('cut stream', whole.slice(0, -8), 'streams.ends-whole')
}

/** Chunks out of order, twice or gone: the joined text is then another than the stored one. */
function* orderMutations({ operation, slice }: Site, lines: readonly string[]): Generator<Mutation> {
  const isListed = slice.some(({ request }) => request.method === 'GET' && request.url.includes('/messages'))
  if (operation === 'streamChatCompletionEvents' || !isListed) return
  const contents = lines.map((line) => String(placesOf(JSON.parse(line), '/delta/content')[0]?.value))
  for (const [index, content] of contents.entries()) {
    if (content === '' || lines.length < 2) continue
    const wrong = (operator: string, body: readonly string[]): Mutation => ({
      operator,
      at: `line ${index + 1}`,
      requirement: 'streams.joined-equals-stored',
      body: joined(body),
    })
    yield wrong('duplicate chunk', lines.toSpliced(index, 0, lines[index] ?? ''))
    yield wrong('lost chunk', lines.toSpliced(index, 1))
    const next = contents[index + 1]
    if (next === undefined || content + next === next + content) continue
    yield wrong('swapped chunks', lines.toSpliced(index, 2, lines[index + 1] ?? '', lines[index] ?? ''))
  }
}

function* chunkMutations({ operation }: Site, lines: readonly string[], index: number): Generator<Mutation> {
  const chunk = JSON.parse(lines[index] ?? '') as Chunk
  const at = (mutation: Mutation): Mutation => ({
    ...mutation,
    at: `line ${index + 1} ${mutation.at}`,
    body: joined(lines.toSpliced(index, 1, String(mutation.body))),
  })
  const changed = (operator: string, pointer: string, requirement: RequirementId, value: unknown): Mutation =>
    at({ operator, at: pointer, requirement, body: JSON.stringify(changedAt(chunk, pointer, value)) })
  for (const mutation of fieldMutations(chunk, fieldsOf(operation))) yield at(mutation)
  yield changed('unknown role', '/delta/role', 'streams.delta-role', 'bot')
  for (const [operator, pattern, requirement, wrong] of timestampRules('/created_at'))
    yield changed(operator, pattern, requirement, wrong(String(chunk.created_at)))
  if (lines.length < 2) return
  yield changed('foreign message_id', '/message_id', 'streams.one-message', otherId(String(chunk.message_id)))
  yield changed('foreign thread_id', '/thread_id', 'streams.one-thread', otherId(String(chunk.thread_id)))
  if (index > 0)
    yield changed('earlier stamp', '/created_at', 'streams.created-at-order', '2001-01-01T00:00:00.000000Z')
}

const fieldsOf = (operation: Site['operation']) => [
  ...['created_at', 'message_id', 'thread_id', 'delta'].map((name) => [`/${name}`, 'resources.chunk-fields'] as const),
  ...['role', 'sources'].map((name) => [`/delta/${name}`, 'resources.delta-fields'] as const),
  operation === 'streamChatCompletionEvents'
    ? (['/delta/content_blocks', 'streams.blocks-delta'] as const)
    : (['/delta/content', 'streams.text-delta'] as const),
  ['/delta/content_blocks/*/type', 'streams.block-has-type'] as const,
]
