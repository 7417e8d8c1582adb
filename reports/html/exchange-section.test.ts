/** Streams that arrived oddly are drawn, the others are one sentence. */
import { expect, test } from 'vitest'
import { sampleStream } from '../../test/reports/sample-exchanges.ts'
import type { ReportedExchange } from '../report.ts'
import { exchangeSection } from './exchange-section.ts'

const even = sampleStream('E1', 0, 5, 10)
const section = (...exchanges: readonly ReportedExchange[]): string => exchangeSection(exchanges, []).markup

/** The same stream, held back and sent in one piece. */
const heldBack = (stream: ReportedExchange): ReportedExchange => {
  const pieces = stream.response?.pieces ?? []
  const utf8 = pieces.map(({ bytes }) => ('utf8' in bytes ? bytes.utf8 : '')).join('')
  return stream.response === null
    ? stream
    : { ...stream, response: { ...stream.response, pieces: [{ atMs: 500, bytes: { utf8 } }] } }
}

test('a stream that came piece by piece is a sentence', () => {
  expect(section(even)).toContain('1 stream arrived piece by piece (longest pause 10 ms')
  expect(section(even)).not.toContain('Streams to look at')
})

test('a stream that was held back is drawn, though it came in one piece', () => {
  const markup = section(even, { ...heldBack(even), id: 'E2' })
  expect(markup).toContain('Streams to look at')
  expect(markup).toMatch(/E2<\/a> streamThreadRun.*one piece of \d+ bytes after 500 ms/s)
})

test('a stream that broke off is drawn, one that the suite left is not', () => {
  expect(section({ ...even, ending: 'cut' })).toContain('Streams to look at')
  expect(section({ ...even, ending: 'aborted' })).not.toContain('Streams to look at')
})
