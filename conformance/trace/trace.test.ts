/** A trace survives writing and reading to the byte, and a broken one names its line. */
import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesFrom, bytesOf, joinPieces, textOfPieces } from './bytes.ts'
import type { Exchange, ProbeNote, Trace, TraceFooter, TraceHeader } from './exchange.ts'
import { decodeTrace, encodeRecord, encodeTrace, recordsOf, TraceError } from './trace.ts'

const header: TraceHeader = {
  kind: 'header',
  format: 'acs-trace/1',
  suiteVersion: '0.0.0',
  contractDigest: 'c',
  profileDigest: 'p',
  profile: { assistants: { '2': {}, '1': {} } },
  seed: 1,
  startedAt: '2026-01-02T03:04:05.000Z',
  target: 'http://127.0.0.1:1',
  source: 'suite',
}
const exchange: Exchange = {
  kind: 'exchange',
  id: 'E1',
  credential: 'primary',
  sentAtMs: 0.5,
  endedAtMs: 2,
  request: { method: 'GET', url: 'http://127.0.0.1:1/v1/assistants', headers: [['host', 'x']], body: null },
  response: { status: 200, headers: [], headAtMs: 1, pieces: [{ atMs: 1.5, bytes: { utf8: '[]\u2028' } }] },
  ending: 'complete',
  intent: null,
}
const note: ProbeNote = { kind: 'note', probe: 'x', requirements: [], operation: null, reason: 'budget', text: 'no' }
const footer: TraceFooter = { kind: 'footer', exchanges: 1, modelCalls: 0, durationMs: 2, complete: true }
const trace: Trace = { header, exchanges: [exchange], notes: [note], footer }

/** The same value with the keys of every object in another order. */
const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, shuffled(inner)]),
  )
}

test('bytes go through JSON unchanged, and readable text stays readable', () => {
  expect(bytesFrom(Buffer.from('\uFEFFé'))).toEqual({ utf8: '\uFEFFé' })
  expect(bytesFrom(Uint8Array.of(0xff))).toEqual({ base64: '/w==' })
  fc.assert(
    fc.property(fc.uint8Array(), (raw) => {
      expect(Buffer.from(bytesOf(JSON.parse(JSON.stringify(bytesFrom(raw))))).equals(raw)).toBe(true)
    }),
  )
})

test('a character that is split over two pieces is whole in the text', () => {
  const pieces = [bytesFrom(Uint8Array.of(0x61, 0xc3)), bytesFrom(Uint8Array.of(0xa9))].map((bytes) => ({ bytes }))
  expect(textOfPieces(pieces)).toBe('aé')
  expect([...joinPieces(pieces)]).toEqual([0x61, 0xc3, 0xa9])
})

test('a trace that was read and written again is the same bytes', () => {
  const text = encodeTrace(trace)
  expect(encodeTrace(decodeTrace(text))).toBe(text)
})

test('the order in which a record was put together does not show in the file', () => {
  const inOneOrder = encodeRecord(exchange)
  expect(encodeRecord(shuffled(exchange) as Exchange)).toBe(inOneOrder)
  expect(Object.keys(JSON.parse(encodeRecord(shuffled(footer) as TraceFooter)))).toEqual(Object.keys(footer))
})

test('a trace without a footer says so and nothing is made up', () => {
  const text = recordsOf({ ...trace, footer: null })
    .map(encodeRecord)
    .join('')
  expect(decodeTrace(text).footer).toBeNull()
})

const lines = recordsOf(trace).map(encodeRecord)
const [headerLine = '', exchangeLine = '', noteLine = '', footerLine = ''] = lines

test.each([
  ['', 'the trace is empty'],
  [exchangeLine, 'line 1: a trace opens with its header, not with: exchange'],
  [headerLine + headerLine, 'line 2: a second header'],
  [`${headerLine}{"kind":"exch`, 'line 2: not JSON'],
  [`${headerLine}{"kind":"verdict"}\n`, 'line 2: /kind is not one of header, exchange, note, footer'],
  [
    headerLine + exchangeLine.replace('"status":200', '"status":"200"'),
    'line 2: /response/status is not a finite number',
  ],
  [headerLine + exchangeLine.replace('["host","x"]', '["host"]'), 'line 2: /request/headers/0 is not a pair'],
  [headerLine + exchangeLine.replace('complete', 'finished'), 'line 2: /ending is not one of complete, cut'],
  [headerLine + exchangeLine + exchangeLine, 'line 3: a second exchange E1'],
  [`${headerLine}\n${exchangeLine}`, 'line 2: a blank line'],
  [headerLine + footerLine + noteLine, 'line 3: nothing may follow the footer'],
  [headerLine + footerLine, 'the footer counts 1 exchanges, the trace holds 0'],
  [headerLine.replace('acs-trace/1', 'acs-trace/9'), 'line 1: /format is not one of acs-trace/1'],
])('a broken trace names the line and the reason (%#)', (text, message) => {
  expect(() => decodeTrace(text)).toThrow(TraceError)
  expect(() => decodeTrace(text)).toThrow(message)
})
