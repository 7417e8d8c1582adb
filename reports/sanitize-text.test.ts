/** Text of a target becomes visible: nothing in it is obeyed, nothing is lost. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileStrings } from '../test/reports/hostile-text.ts'
import { cellText, visibleLine, visiblePair, visibleText } from './sanitize-text.ts'

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

test('a line has no invisible character, whatever came in', () => {
  const anyText = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map((units) => String.fromCharCode(...units))
  fc.assert(fc.property(anyText, (text) => !invisible.test(visibleLine(text, 2000))))
  for (const text of hostileStrings) expect(visibleLine(text, 2000)).not.toMatch(invisible)
})

test('text without invisible characters stays as it is', () => {
  for (const text of ['plain', 'naïve café', '日本語', '👍🏽', 'a\nb\tc']) expect(visibleText(text)).toBe(text)
})

test('invisible characters are spelled out', () => {
  expect(visibleLine('a\u001b[31m\u202e\ufeff\ud800\n\r\t\u{e0041}')).toBe(
    'a\\u001b[31m\\u202e\\ufeff\\ud800\\n\\r\\t\\u{e0041}',
  )
})

test('a cut line is not longer than asked, says that it was cut, and keeps characters whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.integer({ min: 4, max: 40 }), (text, limit) => {
      const line = visibleLine(text, limit)
      expect(line.length).toBeLessThanOrEqual(limit)
      expect(line).not.toMatch(/\p{Cs}/u)
    }),
  )
  expect(visibleLine('x'.repeat(50), 10)).toBe('xxxxxxxxx…')
})

test('a cell never starts like a formula', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1']) expect(cellText(text)).not.toMatch(/^\s*[=+\-@]/)
  expect(cellText('plain')).toBe('plain')
})

test('no text is a command of a CI runner', () => {
  for (const text of ['##vso[task.setvariable variable=A]b', 'x ##[set-output name=a;]b', '##VSO[a]', '###[a]']) {
    for (const told of [visibleText(text), visibleLine(text)]) expect(told).not.toMatch(/##(?:vso)?\[/i)
  }
  expect(visibleText('a\n  ::set-env name=A::b')).toBe('a\n  \\u003a:set-env name=A::b')
  expect(visibleLine('::error::x')).toBe('\\u003a:error::x')
  expect(visibleLine('a ## title [b] :: c')).toBe('a ## title [b] :: c')
})

test('two texts that differ far behind are not cut to the same line', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200 }), fc.nat(400), (start, more) => {
      const shared = start.repeat(1 + more)
      const [left, right] = visiblePair(`${shared}one`, `${shared}two`, 80)
      expect(left).not.toBe(right)
      expect(left.length).toBeLessThanOrEqual(80)
    }),
  )
  expect(visiblePair('short', 'text', 80)).toEqual(['short', 'text'])
  expect(visiblePair(`${'a'.repeat(90)}b tail`, `${'a'.repeat(90)}c tail`, 60)).toEqual([
    `…${'a'.repeat(20)}b tail`,
    `…${'a'.repeat(20)}c tail`,
  ])
})
