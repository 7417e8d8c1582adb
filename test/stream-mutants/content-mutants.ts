/** Changes the contents of stream lines: separators inside strings, repeated keys, non-objects, unusual deltas. */
import { isJsonObject, type Json, type JsonObject } from '../../spec/index.ts'
import type { StreamMutant } from './stream-mutant.ts'

const encoder = new TextEncoder()

/** Every change of the contents of a stream of chunks. */
export function contentMutants(values: readonly Json[]): readonly StreamMutant[] {
  return [...separators(values), ...oddLines(values), ...brokenBytes(values), ...oddDeltas(values)]
}

/** Characters that some readers treat as a line end; unescaped in a JSON string they are legal. */
function separators(values: readonly Json[]): readonly StreamMutant[] {
  const marks = [
    ['U+2028', '\u2028'],
    ['U+2029', '\u2029'],
    ['U+0085', '\u0085'],
    ['an astral character', '\u{1f600}'],
    ['a combining mark', 'e\u0301'],
  ] as const
  return marks.map(([name, mark]) => {
    const changed = [...values, { acs_unknown_field: `one${mark}two` }]
    return stream(
      'S-LSEP',
      `raw ${name} inside a string`,
      changed.map((value) => JSON.stringify(value)),
      'legal',
      changed,
    )
  })
}

function oddLines(values: readonly Json[]): readonly StreamMutant[] {
  const lines = values.map((value) => JSON.stringify(value))
  const first = values[0]
  const foreign = ['[]', '1', 'null', 'true', '"text"', '{}x', "{'a':1}", 'not json', '{"a":NaN}', '{"a":1,}']
  const error = {
    error_code: 'internal_service_error',
    detail: 'An internal required service is unavailable; try again later',
  }
  const doubled = isJsonObject(first)
    ? [`{"acs_unknown_field":1,${JSON.stringify({ acs_unknown_field: 1, ...first }).slice(1)}`]
    : []
  return [
    ...foreign.map((line) => stream('S-NONOBJ', `a line ${line}`, [...lines, line], 'broken', values)),
    ...doubled.map((line) =>
      stream('S-DUPKEY', 'repeated key', [line, ...lines.slice(1)], 'grey', [
        { acs_unknown_field: 1, ...(first as JsonObject) },
        ...values.slice(1),
      ]),
    ),
    stream('S-ERRLINE', 'an error body as the last line', [...lines, JSON.stringify(error)], 'grey', [
      ...values,
      error,
    ]),
  ]
}

/** Bytes that are not UTF-8: stray, overlong, surrogate, incomplete. */
function brokenBytes(values: readonly Json[]): readonly StreamMutant[] {
  const lines = values.map((value) => encoder.encode(`${JSON.stringify(value)}\n`))
  const sequences = [[0xff], [0xc3, 0x28], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98]]
  return sequences.map((bytes) => {
    const line = Uint8Array.from([...encoder.encode('{"a":"'), ...bytes, ...encoder.encode('"}\n')])
    const pieces = [...lines, line].map((piece) => ({ bytes: piece, pauseMs: 0 }))
    const name = `bytes ${bytes.map((byte) => byte.toString(16)).join(' ')}`
    return { operator: 'S-UTF8', name, pieces, ending: 'complete', legality: 'broken', values }
  })
}

/** Unusual deltas: empty fragments and unknown blocks are legal, both variants in one delta are grey. */
function oddDeltas(values: readonly Json[]): readonly StreamMutant[] {
  const chunk = values.findLast((value): value is JsonObject => isJsonObject(value) && isJsonObject(value.delta))
  if (chunk === undefined || !isJsonObject(chunk.delta)) return []
  const { content, content_blocks: blocks, ...rest } = chunk.delta
  const text = { ...chunk, delta: { ...rest, content: '' } }
  const block = { type: 'acs_unknown_block', text: 'x' }
  const unknown = { ...chunk, delta: { ...rest, content_blocks: [block] } }
  const both = { ...chunk, delta: { ...rest, content: content ?? '', content_blocks: blocks ?? [] } }
  const variant = content === undefined ? unknown : text
  return [
    one(
      'S-EMPTYDELTA',
      'an empty fragment',
      values,
      content === undefined ? { ...chunk, delta: { ...rest, content_blocks: [] } } : text,
    ),
    one('S-UNKBLOCK', 'an unknown block or field', values, { ...variant, acs_unknown_field: null }),
    { ...one('S-MIXED', 'both variants in one delta', values, both), legality: 'grey' },
  ]
}

function one(operator: string, name: string, values: readonly Json[], added: JsonObject): StreamMutant {
  const all = [...values, added]
  return stream(
    operator,
    name,
    all.map((value) => JSON.stringify(value)),
    'legal',
    all,
  )
}

function stream(
  operator: string,
  name: string,
  lines: readonly string[],
  legality: StreamMutant['legality'],
  values: readonly Json[],
): StreamMutant {
  const pieces = lines.map((line) => ({ bytes: encoder.encode(`${line}\n`), pauseMs: 0 }))
  return { operator, name, pieces, ending: 'complete', legality, values }
}
