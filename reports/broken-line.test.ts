/** A line feed inside of a string is shown at its place, not by the beginning of its line. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../test/reports/sample-exchanges.ts'
import { brokenLineText } from './broken-line.ts'

const streamOf = (text: string) => {
  const at = { id: 'E1', operation: 'streamThreadRun', path: '/', status: 200, answer: {}, sentAtMs: 0 } as const
  const exchange = sampleExchange({ ...at, tookMs: 1 })
  const { response } = exchange
  return { ...exchange, response: response && { ...response, pieces: [{ atMs: 1, bytes: { utf8: text } }] } }
}

test('about 30 characters on both sides of the break are shown', () => {
  const broken = `{}\n{"id":"${'x'.repeat(80)}","content":"the first\nand the second ${'y'.repeat(40)}"}\n`
  const shown = brokenLineText(streamOf(broken), 'line 2') ?? ''
  expect(shown).toMatch(/^…x+","content":"the first␊and the second y+…$/)
  expect(shown.length).toBe(30 + 30 + 3)
})

test('a line without such a break has none', () => {
  expect(brokenLineText(streamOf('{"a":"b"}\n{}\n'), 'line 1')).toBeNull()
  expect(brokenLineText(streamOf('data: "x\n\n'), 'line 1')).toBeNull()
  expect(brokenLineText(streamOf('{"a":"\\""\n}\n'), 'line 1')).toBeNull()
  expect(brokenLineText(streamOf('{"a":"b'), 'line 1')).toBeNull()
  expect(brokenLineText(streamOf('{"a":"b\n"}\n'), '/a')).toBeNull()
})
