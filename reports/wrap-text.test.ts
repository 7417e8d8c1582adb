/** Long lines are wrapped at blanks, below the beginning of their text. */
import { expect, test } from 'vitest'
import { wrapText } from './wrap-text.ts'

const words = Array.from({ length: 20 }, (_, index) => `word${index}`).join(' ')

test('no line is longer than the terminal is wide, and no word is lost', () => {
  const wrapped = wrapText(`  rule       ${words}`, 60)
  expect(Math.max(...wrapped.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
  expect(wrapped.match(/word\d+/g)).toEqual(words.split(' '))
})

test('the lines that follow begin below the text of the first', () => {
  const [, second] = wrapText(`  rule       ${words}`, 60).split('\n')
  expect(second).toMatch(/^ {13}word/)
})

test('colours take no columns, and a long word stays whole', () => {
  const painted = `\u001b[31m${'x'.repeat(30)}\u001b[39m ${'y'.repeat(9)}`
  expect(wrapText(painted, 40)).toBe(painted)
  expect(wrapText(`a ${'z'.repeat(80)}`, 40)).toContain('z'.repeat(80))
})

test('a command stays one line, so that it can be copied, without its label when both do not fit', () => {
  const long = `acs replay ${'x '.repeat(60)}`
  expect(wrapText(`   reproduce: ${long}`, 60)).toBe(`   ${long}`)
  expect(wrapText(`  reproduce   acs replay ${words}`, 60)).toBe(`  acs replay ${words}`)
  expect(wrapText(`             curl -i ${words}`, 60)).toBe(`             curl -i ${words}`)
  const chained = `              E2=$(curl -sS ${words}); V1=$(printf %s "$E2" | node -p 'x')`
  expect(wrapText(chained, 60)).toBe(chained)
  const short = '   reproduce: acs replay acs-report/report.json'
  expect(wrapText(short, 60)).toBe(short)
})
