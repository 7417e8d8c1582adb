/** Changes the framing of a stream: where bytes are cut, how lines end, what is between lines. */

import { gzipSync } from 'node:zlib'
import type { Json } from '../../spec/index.ts'
import type { StreamMutant, StreamPiece } from './stream-mutant.ts'

const encoder = new TextEncoder()

/** Every framing of the lines of a stream. */
export function framingMutants(values: readonly Json[]): readonly StreamMutant[] {
  const lines = values.map((value) => JSON.stringify(value))
  const text = lines.map((line) => `${line}\n`).join('')
  return [
    ...splits(values, lines, text),
    ...lineEnds(values, lines, text),
    ...otherFormats(values, lines, text),
    ...cuts(values, lines, text),
  ]
}

/** Every cut of a stream into two pieces, one mutant for each byte boundary. */
export function* twoPieceSplits(values: readonly Json[]): Generator<StreamMutant> {
  const bytes = encoder.encode(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
  for (let at = 1; at < bytes.length; at++) {
    yield legal('S-SPLIT', `cut at byte ${at}`, [bytes.slice(0, at), bytes.slice(at)], values)
  }
}

/** A stream with one very long line. */
export function giantLine(value: Json, padBytes = 16 * 1024 * 1024): StreamMutant {
  const line = encoder.encode(`${JSON.stringify({ value, pad: 'x'.repeat(padBytes) })}\n`)
  const pieces = Array.from({ length: Math.ceil(line.length / 65_536) }, (_, at) =>
    line.slice(at * 65_536, (at + 1) * 65_536),
  )
  return legal('S-GIANT', `a line of ${line.length} bytes`, pieces, [{ value, pad: 'x'.repeat(padBytes) }])
}

function splits(values: readonly Json[], lines: readonly string[], text: string): readonly StreamMutant[] {
  const bytes = encoder.encode(text)
  const threes = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, at) => bytes.slice(at * 3, at * 3 + 3))
  return [
    legal(
      'S-SPLIT',
      'one byte at a time',
      [...bytes].map((byte) => Uint8Array.of(byte)),
      values,
    ),
    legal('S-SPLIT', 'three bytes at a time', threes, values),
    legal('S-SPLIT', 'with empty pieces', [new Uint8Array(), bytes, new Uint8Array()], values),
    legal('S-COAL', 'all lines in one piece', [bytes], values),
    legal(
      'S-COAL',
      'a line in each piece',
      lines.map((line) => encoder.encode(`${line}\n`)),
      values,
    ),
    legal(
      'S-SPLIT',
      'newline leads the next piece',
      [lines[0] ?? '', ...lines.slice(1).map((line) => `\n${line}`), '\n'].map(utf8),
      values,
    ),
    legal('S-BLANKS', 'blanks inside a line', [utf8(lines.map((line) => `  ${line} \t\n`).join(''))], values),
    legal('S-ESCAPE', 'every non-ASCII character escaped', [utf8(text.replace(/[^\0-\x7f]/gu, escaped))], values),
  ]
}

function lineEnds(values: readonly Json[], lines: readonly string[], text: string): readonly StreamMutant[] {
  const bytes = utf8(text.replaceAll('\n', '\r\n'))
  return [
    grey('S-CRLF', 'CRLF', [bytes], values),
    grey(
      'S-CRLF',
      'CRLF, one byte at a time',
      [...bytes].map((byte) => Uint8Array.of(byte)),
      values,
    ),
    grey('S-BOM', 'byte order mark first', [utf8(`\ufeff${text}`)], values),
    grey('S-BLANK', 'blank lines', [utf8(`\n${lines.join('\n\n')}\n\n`)], values),
    grey('S-NOEOL', 'no newline at the end', [utf8(lines.join('\n'))], values),
    grey(
      'S-HEARTBEAT',
      'blank line in a pause',
      lines.flatMap((line) => [utf8('\n'), utf8(`${line}\n`)]),
      values,
      20,
    ),
    legal('S-STALL', 'a pause inside a line', halves(text), values, 50),
    grey('S-ZERO', 'no line at all', [], []),
  ]
}

function otherFormats(values: readonly Json[], lines: readonly string[], text: string): readonly StreamMutant[] {
  const pretty = values.map((value) => `${JSON.stringify(value, null, 2)}\n`).join('')
  return [
    broken('S-SSE', 'server-sent events', [utf8(lines.map((line) => `data: ${line}\n\n`).join(''))]),
    broken('S-ARR', 'one JSON array', [utf8(`[${lines.join(',')}]\n`)]),
    broken('S-ARR', 'one JSON array over several lines', [utf8(`[\n${lines.join(',\n')}\n]\n`)]),
    broken('S-PRETTY', 'pretty-printed', [utf8(pretty)]),
    broken('S-GLUED', 'no newline between lines', [utf8(`${lines.join('')}\n`)], lines.length < 2),
    broken('S-CR', 'CR alone', [utf8(text.replaceAll('\n', '\r'))], lines.length < 2),
    broken('S-RS', 'record separators', [utf8(lines.map((line) => `\u001e${line}\n`).join(''))]),
    broken('S-GZIP', 'compressed without saying so', [gzipSync(text)]),
    broken('S-UTF16', 'UTF-16', [Uint8Array.from(Buffer.from(text, 'utf16le'))]),
  ]
}

function cuts(values: readonly Json[], lines: readonly string[], text: string): readonly StreamMutant[] {
  const last = lines.at(-1) ?? ''
  const before = values.slice(0, -1)
  const whole = text.slice(0, text.length - last.length - 1)
  const places = [1, Math.floor(last.length / 2), last.length - 1].filter((at) => at > 0 && at < last.length)
  return places.flatMap((at) => {
    const bytes = utf8(whole + last.slice(0, at))
    return [
      { ...broken('S-TRUNC', `last line ends after ${at} characters`, [bytes]), values: before },
      {
        ...broken('S-RST', `reset after ${at} characters of the last line`, [bytes]),
        values: before,
        ending: 'reset' as const,
      },
    ]
  })
}

function halves(text: string): readonly Uint8Array[] {
  const bytes = encoder.encode(text)
  const middle = Math.floor(bytes.length / 2)
  return [bytes.slice(0, middle), bytes.slice(middle)]
}

function utf8(text: string): Uint8Array {
  return encoder.encode(text)
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}

function legal(
  operator: string,
  name: string,
  pieces: readonly Uint8Array[],
  values: readonly Json[],
  pauseMs = 0,
): StreamMutant {
  return { operator, name, pieces: paced(pieces, pauseMs), ending: 'complete', legality: 'legal', values }
}

function grey(
  operator: string,
  name: string,
  pieces: readonly Uint8Array[],
  values: readonly Json[],
  pauseMs = 0,
): StreamMutant {
  return { ...legal(operator, name, pieces, values, pauseMs), legality: 'grey' }
}

/** Some faults do not affect a stream of a single line; such a mutant is only grey. */
function broken(operator: string, name: string, pieces: readonly Uint8Array[], unharmed = false): StreamMutant {
  return { ...legal(operator, name, pieces, []), legality: unharmed ? 'grey' : 'broken' }
}

function paced(pieces: readonly Uint8Array[], pauseMs: number): readonly StreamPiece[] {
  return pieces.map((bytes, at) => ({ bytes, pauseMs: at === 0 ? 0 : pauseMs }))
}
