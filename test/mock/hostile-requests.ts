/**
 * Seeded hostile requests for the mock's engine: broken bodies, absurd parameters, tricks with paths and headers,
 * mixed with enough valid ones that there is a state to be damaged. A function of the seed alone.
 */
import { derive, drawsFrom, rootKey } from '../../mock-server/randomness/key.ts'

export interface HostileRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
}

/** What earlier answers gave away: the fuzz uses real ids half of the time. */
export interface Loot {
  readonly threads: readonly string[]
  readonly assistants: readonly string[]
  readonly cursors: readonly string[]
}

type Draw = () => number

/** The nth hostile request of a seed. */
export function hostileRequest(seed: number, ordinal: number, loot: Loot): HostileRequest {
  const draw = drawsFrom(derive(rootKey(seed), 'hostile', ordinal))
  const [fitting, target] = targetOf(draw, loot)
  const method =
    draw() < 0.85 ? fitting : pick(draw, ['HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'BREW', 'GET', 'POST'])
  const body = method === 'POST' || draw() < 0.1 ? bodyOf(draw, loot) : null
  return { method, target, headers: headersOf(draw), body }
}

function pick<Item>(draw: Draw, items: readonly Item[]): Item {
  return items[Math.floor(draw() * items.length)] as Item
}

function targetOf(draw: Draw, loot: Loot): readonly [method: string, target: string] {
  const id = draw() < 0.6 ? (pick(draw, loot.threads) ?? 'x') : encodeURIComponent(nastyText(draw))
  const assistant = draw() < 0.5 ? (pick(draw, loot.assistants) ?? 'x') : nastySegment(draw)
  const [method, path] = pick<readonly [string, string]>(draw, [
    ['POST', '/v1/chat/completions'],
    ['POST', '/v1/chat/completions/stream'],
    ['POST', '/v1/chat/completions/events/stream'],
    ['POST', '/v1/threads'],
    ['POST', `/v1/threads/${id}/messages`],
    ['POST', `/v1/threads/${id}/messages`],
    ['GET', `/v1/threads/${id}/messages`],
    ['GET', `/v1/threads/${id}/messages`],
    ['POST', `/v1/threads/${id}/run`],
    ['POST', `/v1/threads/${id}/run/stream`],
    ['GET', '/v1/assistants'],
    ['GET', `/v1/assistants/${assistant}`],
    ['GET', '/v1/files/signed-url'],
    ['GET', `/v1/files/${id}/status`],
    ['PUT', `/v1/uploads/${id}`],
    ['GET', '/v1/tenants/my-api-keys'],
    ['GET', `/${nastySegment(draw)}`],
    ['GET', `/v1/${nastySegment(draw)}/${nastySegment(draw)}`],
  ])
  const world = draw() < 0.05 ? `/w/${pick(draw, ['a', 'b', nastySegment(draw)])}` : ''
  return [method, world + path + queryOf(draw, loot)]
}

function queryOf(draw: Draw, loot: Loot): string {
  if (draw() < 0.4) return ''
  const names = ['limit', 'cursor', 'thread_id', 'filename', 'persist', '__proto__', 'expires', 'signature', 'limit']
  const parts = Array.from({ length: 1 + Math.floor(draw() * 4) }, () => {
    const name = pick(draw, names)
    const value = pick(draw, [
      () =>
        pick(draw, ['1', '100', '1000', '0', '-1', '1e309', 'NaN', '9'.repeat(400), '١', '', 'null', 'true', 'FALSE']),
      () => pick(draw, loot.cursors) ?? 'x',
      () => damaged(draw, pick(draw, loot.cursors) ?? 'cursor'),
      () => encodeURIComponent(nastyText(draw)),
      () => nastySegment(draw),
    ])()
    return draw() < 0.1 ? name : `${name}=${value}`
  })
  return `?${parts.join(pick(draw, ['&', '&', '&', '&&', ';', '&=']))}`
}

function damaged(draw: Draw, text: string): string {
  const at = Math.floor(draw() * text.length)
  return text.slice(0, at) + pick(draw, ['', 'A', '_', '%00']) + text.slice(at + 1)
}

function nastySegment(draw: Draw): string {
  return pick(draw, [
    '..',
    '.',
    '%2e%2e',
    '%2F',
    '%',
    '%zz',
    '%00',
    '%c3%28',
    '%E2%80%AE',
    '',
    '*',
    '__proto__',
    'constructor',
    '{id}',
    'a'.repeat(3000),
    ';x=1',
    '%25252f',
    '\\',
    '<script>',
    '👾',
  ])
}

function nastyText(draw: Draw): string {
  return pick(draw, [
    '',
    ' ',
    '\u0000',
    '\ud83d\ude00',
    '\u2028\u2029',
    '\u202e',
    'a'.repeat(Math.floor(draw() * 5000)),
    "' OR 1=1 --",
    '__proto__',
    'weather',
    '{{user}}{{tool}}',
    '\r\n',
    '𝒳'.repeat(40),
    '$&$1',
  ])
}

function headersOf(draw: Draw): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { host: 'acs.mock' }
  const key = draw()
  if (key < 0.85) headers['api-key'] = 'acs-demo-primary'
  else if (key < 0.9) headers['api-key'] = 'acs-demo-secondary'
  else if (key < 0.97)
    headers['api-key'] = pick(draw, [
      '',
      'acs-demo-primary@',
      'acs-demo-primary@@',
      '@',
      '__proto__',
      'constructor',
      'a'.repeat(5000),
    ])
  if (draw() < 0.3)
    headers['user-id'] = pick(draw, [
      'ann',
      'a b',
      '',
      'u'.repeat(255),
      'u'.repeat(256),
      'u'.repeat(60_000),
      'ü',
      '\u007f',
      'a\tb',
      'x;y',
      '__proto__',
    ])
  if (draw() < 0.05) headers['x-acs-world'] = pick(draw, ['a', 'b', '', '..', '__proto__', 'x'.repeat(65), 'a/b'])
  if (draw() < 0.3)
    headers['content-type'] = pick(draw, [
      'application/json',
      'text/plain',
      '',
      ';;;',
      'application/json; charset=utf-16',
      'multipart/form-data',
      'x'.repeat(9000),
    ])
  return headers
}

function bodyOf(draw: Draw, loot: Loot): Uint8Array {
  const kind = draw()
  if (kind < 0.06) return Buffer.from(Array.from({ length: Math.floor(draw() * 200) }, () => Math.floor(draw() * 256)))
  if (kind < 0.08) return Buffer.from(pick(draw, ['[', '{"a":']).repeat(Math.floor(draw() * 100_000)))
  const text = JSON.stringify(oddBody(draw, loot, 0)) ?? ''
  if (kind < 0.16) return Buffer.from(text.slice(0, Math.floor(draw() * text.length)))
  if (kind < 0.2) return Buffer.from(text + pick(draw, [',', '}', ' {}', '//', '\u0000']))
  if (kind < 0.22) return Buffer.from(text, 'utf16le')
  if (kind < 0.24) return Buffer.from(text.replace(/"content"/, '"__proto__":{"polluted":1},"content"'))
  return Buffer.from(text)
}

/** A body that is about right, with some of its parts exchanged for something else. */
function oddBody(draw: Draw, loot: Loot, depth: number): unknown {
  const message = () => messageOf(draw, loot, depth)
  const body: Record<string, unknown> = {
    ...(draw() < 0.5 ? messageOf(draw, loot, depth) : {}),
    assistant_id: draw() < 0.8 ? pick(draw, loot.assistants) : oddValue(draw),
    messages: draw() < 0.8 ? Array.from({ length: Math.floor(draw() * 4) }, message) : oddValue(draw),
  }
  if (draw() < 0.5) body.user_data = draw() < 0.5 ? { licence: 'A-1' } : oddValue(draw)
  if (draw() < 0.2) body.user_id = oddValue(draw)
  if (draw() < 0.2) body.tools = draw() < 0.5 ? [{ type: 'function' }] : oddValue(draw)
  if (draw() < 0.1) body[pick(draw, ['__proto__', 'constructor', 'toString', 'then', '', '\ud800'])] = oddValue(draw)
  if (draw() < 0.3) delete body[pick(draw, Object.keys(body))]
  return draw() < 0.05 ? oddValue(draw) : body
}

function messageOf(draw: Draw, loot: Loot, depth: number): Record<string, unknown> {
  const message: Record<string, unknown> = {
    role: draw() < 0.9 ? pick(draw, ['user', 'user', 'user', 'system', 'tool', 'assistant']) : oddValue(draw),
    content: draw() < 0.9 ? nastyText(draw) : oddValue(draw),
  }
  if (draw() < 0.1) message.tool_call_id = draw() < 0.7 ? pick(draw, ['c1', 'c2', '__proto__']) : oddValue(draw)
  if (draw() < 0.1) {
    const call = {
      id: pick(draw, ['c1', 'c2', '__proto__']),
      type: 'function',
      function: { name: 'f', arguments: '{}' },
    }
    message.tool_calls = draw() < 0.7 ? [call] : oddValue(draw)
  }
  if (draw() < 0.1) message.file_ids = draw() < 0.5 ? [pick(draw, loot.threads)] : oddValue(draw)
  if (draw() < 0.1) message.sources = draw() < 0.3 && depth < 2 ? oddBody(draw, loot, depth + 1) : oddValue(draw)
  if (draw() < 0.1) message.meta_data = oddValue(draw)
  return message
}

function oddValue(draw: Draw): unknown {
  return pick<unknown>(draw, [
    null,
    true,
    0,
    -0,
    1e308,
    '',
    '\ud800',
    'x',
    [],
    {},
    [[[[]]]],
    [null, 1, 'x'],
    { length: 1e9 },
    { toString: 1, valueOf: 2 },
    Array.from({ length: Math.floor(draw() * 300) }, () => 0),
    'b5b1a0e4-2f0e-4f5c-9d38-0d3b7f4a0000',
  ])
}
