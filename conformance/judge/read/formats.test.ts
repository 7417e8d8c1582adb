/** Laws of written forms: what the contract writes, what servers are lenient about, and what is something else. */
import { expect, test } from 'vitest'
import {
  booleanForm,
  instantMs,
  integerForm,
  isLater,
  isOrdinaryUuid,
  isTimestamp,
  isUserIdText,
  isUuid,
  uuidForm,
} from './formats.ts'

const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'

test.each([
  [id, 'exact'],
  [id.toUpperCase(), 'lenient'],
  [id.replaceAll('-', ''), 'lenient'],
  [`urn:uuid:${id}`, 'lenient'],
  [`{${id}}`, 'lenient'],
  [id.replace('f', 'g'), 'wrong'],
  [id.slice(1), 'wrong'],
  [`${id}0`, 'wrong'],
  ['', 'wrong'],
])('the UUID %j is %s', (text, form) => expect(uuidForm(text)).toBe(form))

test.each([
  ['10', 'exact'],
  ['0', 'exact'],
  ['-1', 'exact'],
  ['+5', 'lenient'],
  [' 5', 'lenient'],
  ['05', 'lenient'],
  ['1_000', 'lenient'],
  ['1.0', 'lenient'],
  ['1e2', 'lenient'],
  ['0x10', 'lenient'],
  ['٣', 'lenient'],
  ['', 'lenient'],
  ['1.5', 'wrong'],
  ['ten', 'wrong'],
  ['5;drop', 'wrong'],
])('the integer %j is %s', (text, form) => expect(integerForm(text)).toBe(form))

test.each([
  ['true', 'exact'],
  ['false', 'exact'],
  ['yes', 'lenient'],
  ['TRUE', 'lenient'],
  ['1', 'lenient'],
  ['', 'lenient'],
  ['maybe', 'wrong'],
  ['2', 'wrong'],
])('the boolean %j is %s', (text, form) => expect(booleanForm(text)).toBe(form))

test.each([
  ['2026-01-31T23:59:59.000000Z', true],
  ['2024-02-29T00:00:00.123456Z', true],
  ['2016-12-31T23:59:60.000000Z', true],
  ['2023-02-29T00:00:00.123456Z', false],
  ['2026-04-31T00:00:00.123456Z', false],
  ['2026-01-01T24:00:00.000000Z', false],
  ['2026-01-01T00:00:00.123Z', false],
  ['2026-01-01T00:00:00.1234567Z', false],
  ['2026-01-01 00:00:00.123456Z', false],
  ['2026-01-01T00:00:00.123456z', false],
  ['2026-01-01T00:00:00.123456+00:00', false],
  ['2026-01-01T00:00:00Z', false],
])('%j is a timestamp: %s', (text, is) => expect(isTimestamp(text)).toBe(is))

test('microseconds survive the way to a number', () => {
  expect(instantMs('2026-01-01T00:00:01.000500Z') - instantMs('2026-01-01T00:00:00.000250Z')).toBeCloseTo(1000.25, 5)
})

test('a UUID is known in either case, and only usual versions are ordinary', () => {
  expect([isUuid(id.toUpperCase()), isUuid(7), isUuid('00000000-0000-0000-0000-000000000000')]).toEqual([
    true,
    false,
    true,
  ])
  expect([isOrdinaryUuid(id), isOrdinaryUuid('00000000-0000-0000-0000-000000000000')]).toEqual([true, false])
})

test('times are compared only where both are written in one form', () => {
  const [earlier, later] = ['2026-01-01T00:00:00.013000Z', '2026-01-01T00:00:00.013250Z']
  expect([isLater(later, earlier), isLater(earlier, later)]).toEqual([true, false])
  expect(isLater('2026-01-01T00:00:00.013Z', '2026-01-01T00:00:00.01325Z')).toBe(false)
})

test('a user-id is made of sixty-seven characters and no others', () => {
  const allowed = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).filter(isUserIdText)
  expect(allowed).toHaveLength(26 + 26 + 10 + 5)
})
