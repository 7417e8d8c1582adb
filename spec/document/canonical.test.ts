/** Tests canonical JSON: the same data gives the same text. */
import { expect, test } from 'vitest'
import { canonicalJson, digestOf } from './canonical.ts'

test('the order of keys does not change the text, the order of elements does', () => {
  expect(canonicalJson({ b: [2, 1], a: { d: null, c: 'x' } })).toBe('{"a":{"c":"x","d":null},"b":[2,1]}')
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]))
})

test('keys are sorted by UTF-16 code units, numbers among them, as RFC 8785 requires', () => {
  expect(canonicalJson({ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u00f6': 6 })).toBe(
    '{"\\r":2,"1":4,"\u00f6":6,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
  )
})

test('an undefined field is treated as absent', () => {
  expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}')
})

test('a digest is the SHA-256 of the canonical text', () => {
  expect(digestOf({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a')
  expect(digestOf({ a: 1, b: 2 })).toBe(digestOf({ b: 2, a: 1 }))
})
