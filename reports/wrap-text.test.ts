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

test('a command stays one line, so that it can be copied', () => {
  const first = `   reproduce: acs replay ${'x '.repeat(60)}`
  expect(wrapText(first, 60)).toBe(first)
  for (const line of [`  reproduce   acs replay ${words}`, `             curl -i ${words}`])
    expect(wrapText(line, 60)).toBe(line)
})
