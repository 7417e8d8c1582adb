/** What the suite says: unique, neutral, and where it has to hurt, hurtful. */
import { expect, test } from 'vitest'
import { corruptibleTexts, textOfBytes, uniqueQuestion, uniqueRemark } from './sample-texts.ts'
import { seededRandom } from './seeded-random.ts'

test('no two questions or remarks are the same', () => {
  const random = seededRandom(1, 'wording')
  const said = Array.from({ length: 100 }, () => [uniqueQuestion(random), uniqueRemark(random)]).flat()
  expect(new Set(said).size).toBe(200)
})

test('a narrow assistant is asked with the words of the profile', () => {
  expect(uniqueQuestion(seededRandom(1, 'wording'), 'Is a verbal contract binding?')).toMatch(
    /^Is a verbal contract binding\? \(ref\. /,
  )
})

test.each([100, 4097, 65_536])('a text of %i bytes has exactly so many', (bytes) => {
  expect(Buffer.byteLength(textOfBytes(bytes, seededRandom(1, 'long')))).toBe(bytes)
})

test('fragile texts reach beyond the BMP, over 4,096 bytes, to separators and blanks at both ends', () => {
  const texts = Object.values(corruptibleTexts(seededRandom(1, 'fragile')))
  expect(texts.some((text) => /[\u{10000}-\u{10ffff}]/u.test(text))).toBe(true)
  expect(texts.some((text) => text.includes('\u2028'))).toBe(true)
  expect(texts.some((text) => Buffer.byteLength(text) === 4097)).toBe(true)
  expect(texts.some((text) => text !== text.trimStart() && text !== text.trimEnd())).toBe(true)
  expect(texts.some((text) => text.normalize('NFC') !== text && text.normalize('NFD') !== text)).toBe(true)
})

test('nothing that is said tells of the suite', () => {
  const random = seededRandom(3, 'wording')
  const said = [
    uniqueQuestion(random),
    uniqueRemark(random),
    textOfBytes(500, random),
    ...Object.values(corruptibleTexts(random)),
  ].join('\n')
  expect(said).not.toMatch(/acs|conformance|probe|test suite/i)
})
