/** The decoder gives the same lines however the bytes were cut, and names every fault of the framing. */
import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesFrom } from '../bytes.ts'
import { decodeStream } from './ndjson.ts'

const piecesOf = (body: Uint8Array, cuts: readonly number[] = []) => {
  const borders = [0, ...[...cuts].sort((left, right) => left - right), body.length]
  return borders
    .slice(1)
    .map((end, index) => ({ atMs: index + 1, bytes: bytesFrom(body.subarray(borders[index], end)) }))
}
const decode = (text: string | Uint8Array, options = {}) => decodeStream(piecesOf(Buffer.from(text)), options)
const kinds = (text: string | Uint8Array, options = {}) => decode(text, options).problems.map((problem) => problem.kind)

const lineText = fc.oneof(
  fc.json(),
  fc.constantFrom(
    '{"a":"\u2028\u2029\u0085"}',
    '{"a":"😀\u{10ffff}é"}',
    '',
    '{',
    '[1]',
    'null',
    '\uFEFF{}',
    '{"a":1,"a":2}',
  ),
)
const streamText = fc
  .array(fc.tuple(lineText, fc.constantFrom('\n', '\r\n', '')), { maxLength: 8 })
  .map((parts) => parts.flat().join(''))

test('any cutting of any stream gives the same lines and problems', () => {
  const bytes = fc.oneof(
    streamText.map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 60 }).map((raw) => Buffer.from(raw)),
  )
  const withoutTime = (stream: ReturnType<typeof decodeStream>) => ({
    ...stream,
    lines: stream.lines.map((line) => ({ ...line, atMs: 0 })),
  })
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(), { maxLength: 12 }), (body, cuts) => {
      const whole = decodeStream(piecesOf(body))
      const places = cuts.map((cut) => cut % (body.length + 1))
      expect(withoutTime(decodeStream(piecesOf(body, places)))).toEqual(withoutTime(whole))
    }),
    { numRuns: 500 },
  )
})

test('what was written as lines of JSON is read back, U+2028 and astral characters included', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.dictionary(fc.string({ unit: 'binary', maxLength: 4 }), fc.string({ unit: 'binary', maxLength: 4 }), {
          maxKeys: 3,
        }),
        { maxLength: 5 },
      ),
      (values) => {
        const stream = decode(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
        expect(stream.lines.map((line) => line.value)).toEqual(values.map((value) => JSON.parse(JSON.stringify(value))))
        expect(stream.problems).toEqual([])
      },
    ),
    { numRuns: 30 },
  )
})

test('a line has the position of its first byte and the arrival of the piece that ended it', () => {
  const { lines } = decodeStream(piecesOf(Buffer.from('{"a":"é"}\n{"b":2}\n'), [3, 12]))
  expect(lines.map(({ index, offset, atMs, endsWith }) => ({ index, offset, atMs, endsWith }))).toEqual([
    { index: 0, offset: 0, atMs: 2, endsWith: 'lf' },
    { index: 1, offset: 11, atMs: 3, endsWith: 'lf' },
  ])
})

test.each([
  ['{"a":1}', ['missing-final-newline']],
  ['{"a":1}\r\n', ['cr-before-lf']],
  ['\uFEFF{"a":1}\n', ['byte-order-mark']],
  ['{"a":1}\n\n{"b":2}\n', ['blank-line']],
  ['{"a":1}\n[]\n', ['not-an-object']],
  ['data: {"a":1}\n', ['not-json']],
  ['{"a":{"b":1,"\\u0062":2}}\n', ['duplicate-key']],
  ['{"a":[{"b":1},{"b":2}],"b":"\\"a\\":{"}\n', []],
  ['', []],
  ['\n', ['blank-line']],
])('%j has the problems %j', (text, expected) => {
  expect(kinds(text)).toEqual(expected)
})

test('invalid UTF-8 is named with its offset, and the lines after it are still read', () => {
  const body = Buffer.concat([Buffer.from('{"a":1}\n{"a":"'), Buffer.from([0xe2, 0x82]), Buffer.from('"}\n{"b":2}\n')])
  const { lines, problems } = decodeStream(piecesOf(body))
  expect(problems).toEqual([{ kind: 'invalid-utf8', line: 1, offset: 14, text: 'not UTF-8 at byte 14' }])
  expect(lines.map((line) => line.value)).toEqual([{ a: 1 }, undefined, { b: 2 }])
})

test('every sequence that the strict decoder refuses is located', () => {
  const bad = [
    [0x80],
    [0xc0, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xf0, 0x80, 0x80, 0x80],
    [0xff],
    [0xe2, 0x28],
  ]
  for (const bytes of bad) expect(decode(Buffer.from([0x61, ...bytes])).problems[0]?.offset).toBe(1)
})

test('a line above the cap is not parsed and shows only its beginning', () => {
  const { lines, problems } = decode(`{"a":"${'x'.repeat(5000)}"}\n{"b":2}\n`, { maxLineBytes: 1000 })
  expect(problems.map((problem) => problem.kind)).toEqual(['line-too-long'])
  expect(lines.map((line) => line.value)).toEqual([undefined, { b: 2 }])
  expect(lines[0]?.text).toHaveLength(1024)
})
