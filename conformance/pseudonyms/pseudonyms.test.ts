/** No encoding of a secret survives, equality does, and the format of what surrounds it too. */
import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodings, splitOverDeltas } from '../../test/secrets/encodings.ts'
import { createPseudonyms } from './pseudonyms.ts'

const key = new Uint8Array(32).fill(7)
const secret = 'sk-live-4f9Qz/81+xY=="&7'
const plainSecret = 'sk-live-4f9Qz81xYk27'
const make = (...secrets: string[]) => createPseudonyms({ secrets, key })
const redactBody = (body: string, ...secrets: string[]): string =>
  Buffer.concat(make(...secrets).pieces([Buffer.from(body)])).toString()

const decimalEntities = (text: string): string => Array.from(text, (char) => `&#${char.charCodeAt(0)};`).join('')

const { 'base64 twice, after some bytes': twiceShifted, ...others } = encodings

for (const [name, encode] of Object.entries(others))
  test(`a secret in ${name} becomes its pseudonym in the same encoding`, () => {
    const expected = encode(make(secret).of(secret))
    const found = redactBody(`<<${encode(secret)}>>`, secret).replaceAll(/&#0+/g, '&#')
    if (name === 'list of codes') expect(found).toMatch(/^<<(?:\d+,){23}\d+>>$/)
    else expect(found.toLowerCase()).toBe(`<<${expected}>>`.replaceAll(/&#0+/g, '&#').toLowerCase())
    expect(expected).not.toBe(encode(secret))
  })

test('a secret in base64 twice, after some bytes, is gone but for bits of its first and last character', () => {
  const found = redactBody(`<<${twiceShifted?.(secret)}>>`, secret)
  const twice = Buffer.from(found.slice(2, -2), 'base64').toString().slice(2)
  expect(Buffer.from(twice, 'base64').toString().slice(2, -1)).toBe(make(secret).of(secret).slice(1, -1))
})

test('a secret in lines of base64 is found in JSON of JSON', () => {
  const lines = encodings['base64 in lines of 76, in json']
  expect(redactBody(JSON.stringify(lines?.(secret)), secret)).toBe(JSON.stringify(lines?.(make(secret).of(secret))))
})

const contentOf = (lines: string): string =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).delta.content)
    .join('')

test('a secret that is cut up by the fragments of a stream becomes its pseudonym, as in the message that is stored', () => {
  for (const spelled of [
    secret,
    secret.toUpperCase(),
    Buffer.from(secret).toString('base64'),
    encodeURIComponent(secret),
  ])
    for (const length of [1, 3, 7, 20]) {
      const content = `é Your key is "${spelled}", they say`
      const stored = redactBody(JSON.stringify({ content }), secret)
      const streamed = redactBody(splitOverDeltas(content, length), secret)
      expect(contentOf(streamed)).toBe(JSON.parse(stored).content)
      expect(JSON.parse(stored).content).not.toBe(content)
    }
})

test('a secret that looks like an escape of another kind is found, also cut up', () => {
  const tricky = 'kE\\!Cf4%d1Vv&lt;T\\Nd%41'
  for (const [name, encode] of Object.entries(others)) {
    const encoded = encode(tricky)
    for (const text of [`€ ${encoded}`, contentOf(redactBody(splitOverDeltas(`€ ${encoded}`, 5), tricky))])
      expect(redactBody(text, tricky), name).not.toContain(encoded.slice(Math.floor(encoded.length / 2)))
  }
})

test('a secret at the end of a stream that was cut off does not stay, and lines without one stay as they are', () => {
  const lines = splitOverDeltas(`say ${plainSecret.slice(0, 14)}`, 3)
  expect(contentOf(redactBody(lines, plainSecret))).not.toContain(plainSecret.slice(0, 8))
  const others = splitOverDeltas('nothing of note is said in here, "really"\n', 5)
  expect(redactBody(others, plainSecret)).toBe(others)
})

test('a key of many thousand characters is found like any other', () => {
  const long = plainSecret.repeat(400)
  expect(redactBody(`{"a":"${long}","b":"${encodeURIComponent(long)}"}`, long)).not.toContain(plainSecret)
})

test.each([
  ['fragments', '{"delta":{"content":"\\"\\""}}\n'],
  ['hex digits', 'aa:bb:cc:'],
  ['escapes', '\\u0041%41=41'],
  ['open strings', '"\\"\\"\\"\\"'],
  ['lines of base64', `${'QUJD'.repeat(16)}\n`],
])('a hostile body of very many %s takes linear time', (_, piece) => {
  const body = `{"a":1}\n{"b":2}\n${piece.repeat(Math.ceil(1_000_000 / piece.length))}`
  expect(redactBody(body, plainSecret)).toBe(body)
})

test('a pseudonym keeps the length and the class of every character', () => {
  const shape = (text: string): string => text.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '0')
  expect(shape(make().of(secret))).toBe(shape(secret))
})

test('a UUID becomes a UUID of the same version and variant', () => {
  expect(make().of('1b4e28ba-2fa1-41d2-883f-0016d3cca427')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  )
})

test('equal secrets are equal after it and different ones are different', () => {
  const pseudonyms = make(plainSecret)
  expect(pseudonyms.of(plainSecret)).toBe(pseudonyms.of(plainSecret))
  expect(pseudonyms.of('made-up-key-1')).not.toBe(pseudonyms.of('made-up-key-2'))
  expect(createPseudonyms({ secrets: [] }).of(plainSecret)).not.toBe(createPseudonyms({ secrets: [] }).of(plainSecret))
})

test('a secret that is split over pieces is found wherever the borders are, and the borders stay', () => {
  const body = Buffer.from(`{"content":"é ${plainSecret} and ${decimalEntities(plainSecret)}"}\n`)
  const whole = Buffer.from(redactBody(body.toString(), plainSecret))
  fc.assert(
    fc.property(fc.array(fc.nat(body.length), { maxLength: 6 }), (cuts) => {
      const borders = [0, ...cuts.sort((left, right) => left - right), body.length]
      const pieces = borders.slice(1).map((end, index) => body.subarray(borders[index], end))
      const redacted = make(plainSecret).pieces(pieces)
      expect(Buffer.concat(redacted).equals(whole)).toBe(true)
      expect(redacted).toHaveLength(pieces.length)
    }),
  )
})

test('an identifier that ends as a secret begins is none', () => {
  const secret = 'e8ce8b0a17f64d2c'
  const id = '1fdf1f62-64e8-4628-b94b-43e8ce8b0a17'
  const lines = [1, 2, 3].map((number) => `{"id":"${id}","text":"piece ${number}"}\n`).join('')
  expect(redactBody(lines, secret)).toBe(lines)
  expect(redactBody('signature=e8ce8b0a17', secret)).not.toContain('e8ce8b')
})

test('the beginning of a secret at the end of a cut body does not stay', () => {
  expect(redactBody(`{"a":"${plainSecret.slice(0, 14)}`, plainSecret)).not.toContain(plainSecret.slice(0, 8))
})

test('string values under api_key are replaced in any JSON, known or not, and nothing else is', () => {
  const record = {
    id: '1b4e28ba-2fa1-41d2-883f-0016d3cca427',
    api_key: 'unknown "quoted" Key-77',
    created_at: '2026-01-02T03:04:05.000006Z',
  }
  const redacted = JSON.parse(redactBody(JSON.stringify({ name: 'Tenant', api_keys: [record] })))
  expect(redacted.api_keys[0]).toEqual({ ...record, api_key: make().of(record.api_key) })
  expect(redacted.api_keys[0].api_key).not.toBe(record.api_key)
  expect(redacted.name).toBe('Tenant')
})

test.each([
  ['{"api_keys":["Secret-Value-1"],"name":"x"}', 'Secret-Value-1'],
  ['{"api_keys":[{"id":"x","value":"Secret-Value-1"}]}', 'Secret-Value-1'],
  ['{"api\\u005fkey" : "Secret-Value-1"}', 'Secret-Value-1'],
  ['{"api_key":{"deep":["Secret-Value-1"]}}', 'Secret-Value-1'],
  ['{"api_key":"Secret-Value-1', 'Secret-Value-1'],
])('a misshapen key record does not leak: %s', (body, leak) => {
  expect(redactBody(body)).not.toContain(leak)
  expect(redactBody(body)).toHaveLength(body.length)
})

test('an API key that was learned from an answer is replaced in later ones', () => {
  const pseudonyms = make()
  const of = (body: string): string => Buffer.concat(pseudonyms.pieces([Buffer.from(body)])).toString()
  of('{"api_key":"other-Tenant-Key-0099"}')
  expect(of('the key other-Tenant-Key-0099 was used')).not.toContain('Tenant')
})

test('a header that was harmless loses its value when that is learned as a key later', () => {
  const pseudonyms = make()
  const header = [['x-trace', 'learned-4711-key']] as const
  expect(pseudonyms.headers(header)).toEqual(header)
  pseudonyms.pieces([Buffer.from('{"api_key":"learned-4711-key"}')])
  expect(pseudonyms.headers(header)).toEqual([['x-trace', pseudonyms.of('learned-4711-key')]])
})

test('credential headers lose unknown values too, and the scheme stays', () => {
  const pseudonyms = make(plainSecret)
  expect(
    pseudonyms.headers([
      ['api-key', plainSecret],
      ['API-Key', 'made-up-77'],
      ['authorization', 'Bearer made-up-77'],
      ['cookie', 'session=abc123; theme=dark'],
      ['x-note', `uses ${plainSecret}`],
      ['accept', '*/*'],
    ]),
  ).toEqual([
    ['api-key', pseudonyms.of(plainSecret)],
    ['API-Key', pseudonyms.of('made-up-77')],
    ['authorization', `Bearer ${pseudonyms.of('made-up-77')}`],
    ['cookie', `session=${pseudonyms.of('abc123')}; theme=${pseudonyms.of('dark')}`],
    ['x-note', `uses ${pseudonyms.of(plainSecret)}`],
    ['accept', '*/*'],
  ])
})

test('a signature in a pre-signed URL is replaced, in a body as in a request line, and can be undone for sending', () => {
  const pseudonyms = make()
  const url = 'https://files.example/u/1?X-Amz-Expires=900&X-Amz-Signature=abc%2Fdef123%3D&name=a.txt'
  const redacted = pseudonyms.text(url)
  expect(redacted).toMatch(
    /^https:\/\/files\.example\/u\/1\?X-Amz-Expires=900&X-Amz-Signature=[a-z]{3}%2F[a-z]{3}\d{3}%3D&name=a\.txt$/,
  )
  expect(redacted).not.toContain('def123')
  expect(pseudonyms.reveal(redacted)).toBe(url)
  const body = Buffer.concat(pseudonyms.pieces([Buffer.from(JSON.stringify({ file_url: url }))])).toString()
  expect(JSON.parse(body).file_url).toBe(redacted)
})

test.each([
  ['JSON escapes', (text: string) => text.replace(/[a-z]/gi, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)],
  ['a JSON escape in the name', (text: string) => text.replace('nat', 'n\\u0061t')],
  [
    'JSON escapes of all but letters',
    (text: string) => text.replace(/[=&?-]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`),
  ],
  ['a percent escape in the name', (text: string) => text.replace('nat', 'n%61t')],
  ['an entity in the name', (text: string) => text.replace('nat', 'n&#x61;t')],
])('a signature whose URL has %s gets the same pseudonym, and can be undone', (_, spell) => {
  const pseudonyms = make()
  const url = 'https://files.example/u/1?X-Amz-Signature=abcdef123456789&name=a.txt'
  const signatureOf = (text: string): string => /=([a-z]+\d+)&/.exec(text)?.[1] ?? ''
  const pseudonym = signatureOf(pseudonyms.text(url))
  const body = `{"file_url":"${spell(url)}"}`
  const redacted = pseudonyms.text(body)
  expect(redacted).toBe(`{"file_url":"${spell(url.replace('abcdef123456789', pseudonym))}"}`)
  expect(redacted).not.toBe(body)
  expect(pseudonyms.reveal(redacted)).toBe(body)
})

test('a made-up key that was derived from a real one is not left in an answer that echoes it', () => {
  const pseudonyms = make(plainSecret)
  pseudonyms.headers([['api-key', plainSecret.slice(0, -1)]])
  expect(pseudonyms.text(`unknown key ${plainSecret.slice(0, -1)}!`)).not.toContain('4f9Qz')
})

test('a short key is replaced only where it stands as a word of its own', () => {
  expect(redactBody('{"a":"demo12 xdemo12x"}', 'demo12')).toBe(`{"a":"${make().of('demo12')} xdemo12x"}`)
  expect(redactBody('{"role":"user"}', 'user')).toBe('{"role":"user"}')
})

test('JSON stays JSON with the same keys for any value and secret', () => {
  fc.assert(
    fc.property(fc.json(), fc.string({ minLength: 6, maxLength: 20 }), fc.string(), (json, random, around) => {
      const pseudonyms = make(random)
      const body = JSON.stringify({ wrapped: json, api_key: random, content: around + random })
      const redacted = Buffer.concat(pseudonyms.pieces([Buffer.from(body)])).toString()
      expect(JSON.parse(redacted).api_key).toBe(pseudonyms.of(random))
    }),
  )
})

test('a secret right after a JSON escape does not break the escape', () => {
  const body = JSON.stringify({ content: '\nabcdefgh12 \u0001bcdefgh12' })
  const redacted = redactBody(body, 'nabcdefgh12', '1bcdefgh12')
  expect(Object.keys(JSON.parse(redacted))).toEqual(['content'])
  expect(redacted).not.toContain('bcdefgh')
})

test('a hostile body with very many keys takes linear time', () => {
  const body = '{"api_key":"a1"},'.repeat(100_000)
  expect(redactBody(body)).toHaveLength(body.length)
  const urls = '"?s\\u0069g=a1b2",'.repeat(20_000)
  expect(redactBody(urls)).toHaveLength(urls.length)
})
