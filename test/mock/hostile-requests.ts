/**
 * Makes seeded hostile requests for the engine of the mock.
 * Broken bodies, absurd parameters, tricks with paths and headers, mixed with enough valid ones that there is a state to be
 * damaged. A function of the seed alone.
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

type SeededRandom = () => number

/** The nth hostile request of a seed. */
export function hostileRequest(seed: number, ordinal: number, loot: Loot): HostileRequest {
  const random = drawsFrom(derive(rootKey(seed), 'hostile', ordinal))
  const [fitting, target] = targetOf(random, loot)
  const method =
    random() < 0.85 ? fitting : pick(random, ['HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'BREW', 'GET', 'POST'])
  const body = method === 'POST' || random() < 0.1 ? bodyOf(random, loot) : null
  return { method, target, headers: headersOf(random), body }
}

function pick<Item>(random: SeededRandom, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item
}

function targetOf(random: SeededRandom, loot: Loot): readonly [method: string, target: string] {
  const id = random() < 0.6 ? (pick(random, loot.threads) ?? 'x') : encodeURIComponent(nastyText(random))
  const assistant = random() < 0.5 ? (pick(random, loot.assistants) ?? 'x') : nastySegment(random)
  const [method, path] = pick<readonly [string, string]>(random, [
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
    ['GET', `/${nastySegment(random)}`],
    ['GET', `/v1/${nastySegment(random)}/${nastySegment(random)}`],
  ])
  const world = random() < 0.05 ? `/w/${pick(random, ['a', 'b', nastySegment(random)])}` : ''
  return [method, world + path + queryOf(random, loot)]
}

function queryOf(random: SeededRandom, loot: Loot): string {
  if (random() < 0.4) return ''
  const names = ['limit', 'cursor', 'thread_id', 'filename', 'persist', '__proto__', 'expires', 'signature', 'limit']
  const parts = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
    const name = pick(random, names)
    const value = pick(random, [
      () =>
        pick(random, [
          '1',
          '100',
          '1000',
          '0',
          '-1',
          '1e309',
          'NaN',
          '9'.repeat(400),
          '١',
          '',
          'null',
          'true',
          'FALSE',
        ]),
      () => pick(random, loot.cursors) ?? 'x',
      () => damaged(random, pick(random, loot.cursors) ?? 'cursor'),
      () => encodeURIComponent(nastyText(random)),
      () => nastySegment(random),
    ])()
    return random() < 0.1 ? name : `${name}=${value}`
  })
  return `?${parts.join(pick(random, ['&', '&', '&', '&&', ';', '&=']))}`
}

function damaged(random: SeededRandom, text: string): string {
  const at = Math.floor(random() * text.length)
  return text.slice(0, at) + pick(random, ['', 'A', '_', '%00']) + text.slice(at + 1)
}

function nastySegment(random: SeededRandom): string {
  return pick(random, [
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

function nastyText(random: SeededRandom): string {
  return pick(random, [
    '',
    ' ',
    '\u0000',
    '\ud83d\ude00',
    '\u2028\u2029',
    '\u202e',
    'a'.repeat(Math.floor(random() * 5000)),
    "' OR 1=1 --",
    '__proto__',
    'weather',
    '{{user}}{{tool}}',
    '\r\n',
    '𝒳'.repeat(40),
    '$&$1',
  ])
}

function headersOf(random: SeededRandom): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { host: 'acs.mock' }
  const key = random()
  if (key < 0.85) headers['api-key'] = 'acs-demo-primary'
  else if (key < 0.9) headers['api-key'] = 'acs-demo-secondary'
  else if (key < 0.97)
    headers['api-key'] = pick(random, [
      '',
      'acs-demo-primary@',
      'acs-demo-primary@@',
      '@',
      '__proto__',
      'constructor',
      'a'.repeat(5000),
    ])
  if (random() < 0.3)
    headers['user-id'] = pick(random, [
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
  if (random() < 0.05) headers['x-acs-world'] = pick(random, ['a', 'b', '', '..', '__proto__', 'x'.repeat(65), 'a/b'])
  if (random() < 0.3)
    headers['content-type'] = pick(random, [
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

function bodyOf(random: SeededRandom, loot: Loot): Uint8Array {
  const kind = random()
  if (kind < 0.06)
    return Buffer.from(Array.from({ length: Math.floor(random() * 200) }, () => Math.floor(random() * 256)))
  if (kind < 0.08) return Buffer.from(pick(random, ['[', '{"a":']).repeat(Math.floor(random() * 100_000)))
  const text = JSON.stringify(oddBody(random, loot, 0)) ?? ''
  if (kind < 0.16) return Buffer.from(text.slice(0, Math.floor(random() * text.length)))
  if (kind < 0.2) return Buffer.from(text + pick(random, [',', '}', ' {}', '//', '\u0000']))
  if (kind < 0.22) return Buffer.from(text, 'utf16le')
  if (kind < 0.24) return Buffer.from(text.replace(/"content"/, '"__proto__":{"polluted":1},"content"'))
  return Buffer.from(text)
}

/** A body that is about right, with some of its parts exchanged for something else. */
function oddBody(random: SeededRandom, loot: Loot, depth: number): unknown {
  const message = () => messageOf(random, loot, depth)
  const body: Record<string, unknown> = {
    ...(random() < 0.5 ? messageOf(random, loot, depth) : {}),
    assistant_id: random() < 0.8 ? pick(random, loot.assistants) : oddValue(random),
    messages: random() < 0.8 ? Array.from({ length: Math.floor(random() * 4) }, message) : oddValue(random),
  }
  if (random() < 0.5) body.user_data = random() < 0.5 ? { licence: 'A-1' } : oddValue(random)
  if (random() < 0.2) body.user_id = oddValue(random)
  if (random() < 0.2) body.tools = random() < 0.5 ? [{ type: 'function' }] : oddValue(random)
  if (random() < 0.1)
    body[pick(random, ['__proto__', 'constructor', 'toString', 'then', '', '\ud800'])] = oddValue(random)
  if (random() < 0.3) delete body[pick(random, Object.keys(body))]
  return random() < 0.05 ? oddValue(random) : body
}

function messageOf(random: SeededRandom, loot: Loot, depth: number): Record<string, unknown> {
  const message: Record<string, unknown> = {
    role: random() < 0.9 ? pick(random, ['user', 'user', 'user', 'system', 'tool', 'assistant']) : oddValue(random),
    content: random() < 0.9 ? nastyText(random) : oddValue(random),
  }
  if (random() < 0.1) message.tool_call_id = random() < 0.7 ? pick(random, ['c1', 'c2', '__proto__']) : oddValue(random)
  if (random() < 0.1) {
    const call = {
      id: pick(random, ['c1', 'c2', '__proto__']),
      type: 'function',
      function: { name: 'f', arguments: '{}' },
    }
    message.tool_calls = random() < 0.7 ? [call] : oddValue(random)
  }
  if (random() < 0.1) message.file_ids = random() < 0.5 ? [pick(random, loot.threads)] : oddValue(random)
  if (random() < 0.1)
    message.sources = random() < 0.3 && depth < 2 ? oddBody(random, loot, depth + 1) : oddValue(random)
  if (random() < 0.1) message.meta_data = oddValue(random)
  return message
}

function oddValue(random: SeededRandom): unknown {
  return pick<unknown>(random, [
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
    Array.from({ length: Math.floor(random() * 300) }, () => 0),
    'b5b1a0e4-2f0e-4f5c-9d38-0d3b7f4a0000',
  ])
}
