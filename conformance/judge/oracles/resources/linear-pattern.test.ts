/** A pattern decides in linear time what the engine of the language decides. */
import { expect, test } from 'vitest'
import { linearPattern } from './linear-pattern.ts'

const texts = [
  ...['', 'a', 'b', 'ab', 'aa', 'A', '\n', '\r', '\u2028', '\u00a0', '\ufeff', '\v', '😀', '😅', '\b', '\x01', '\0'],
  ...['/', '-', 'foo', 'a foo b', 'x', 'xx', '}', '{', '2', '{2}', 'a]', '[', '(', '?', ':', '\\', ']', ']x', '.', '&'],
  ...['a@b.de', '123-4567', 'ä', 'é', '١', 'a{,5}', 'cc', 'abc', 'a\n', '+1.5', ',', '_', 'undefined', 'ABC'],
]

test.each([
  ...[
    '^[a-z]+$',
    '^\\s*$',
    '\\S',
    '.',
    '^.$',
    '[\\s\\d]',
    '[^\\s]',
    '\\u0041',
    '\\u{1F600}',
    '\\ud83d\\ude00',
    '[\\b]',
  ],
  ...['[]', '[^]', 'a{2}', 'a{,5}', '[[a]', '[a(?:b]', '(?<n>a)b', '\\cA', '\\0', '\\/', '\\-', '[\\-a]', '\\p{L}'],
  ...[
    '\\p{Lu}',
    '$',
    '^',
    'a$',
    'a|b',
    '(a|b)*c',
    '[{2}]',
    'x{1,2}',
    '^[^\\\\]$',
    '[\\]]',
    '[^\\]]x',
    'a]',
    '}',
    '\\.',
  ],
  ...['^\\d{3}-\\d{4}$', '[\\w.-]+@', '\\bfoo\\b', '(?:a|)b', '\\x41', '^[a-z0-9_.+-]+@[a-z0-9-]+\\.[a-z0-9-.]+$'],
  ...[
    '[\u{1f600}-\u{1f610}]',
    '\\W',
    '\\D',
    '[\\W]',
    '[+--]',
    '[&&a]',
    '[a-]',
    '^(?:\\+|-)?\\d+(?:\\.\\d+)?$',
    '(a+)+$',
  ],
])('%s matches what it matches in ECMAScript', (pattern) => {
  const linear = linearPattern(pattern)
  const found = texts.filter((text) => linear?.test(text))
  expect(found).toEqual(texts.filter((text) => expressionOf(pattern).test(text)))
})

test.each([
  '(?=a)',
  '(?!a)',
  '(?<=a)b',
  '(a)\\1',
  '(?i)a',
  '\\Aa',
  '[\\S]',
  'a++',
  '(',
  '\\ud83d',
  '\\p{Script=Greek}',
])('%s has no matcher here', (pattern) => expect(linearPattern(pattern)).toBeNull())

function expressionOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}
