/** Odd questions are what their names say, and no two are the same. */
import { expect, test } from 'vitest'
import { questionInOtherScript, questionOfOneWord, questionWithoutWords } from './odd-questions.ts'
import { seededRandom } from './seeded-random.ts'

const seeds = Array.from({ length: 50 }, (_, index) => index)

test('a question in another script is one word without ASCII, of more than 400 bytes', () => {
  for (const seed of seeds) {
    const text = questionInOtherScript(seededRandom(seed, 'odd'))
    expect(text.match(/[\p{L}\p{N}]+/gu)).toHaveLength(1)
    expect(text).toMatch(/^\P{ASCII}+$/u)
    expect(Buffer.byteLength(text)).toBeGreaterThan(400)
  }
})

test('a question without words has neither letters nor digits', () => {
  for (const seed of seeds) expect(questionWithoutWords(seededRandom(seed, 'odd'))).toMatch(/^[^\p{L}\p{N}]+\?!$/u)
})

test('a question of one word has one, of letters and digits', () => {
  for (const seed of seeds) expect(questionOfOneWord(seededRandom(seed, 'odd'))).toMatch(/^[A-Z][a-z]{5,}\d+\?$/)
})

test.each([questionInOtherScript, questionOfOneWord, questionWithoutWords])(
  '%o repeats none, and keeps a prompt',
  (question) => {
    expect(new Set(seeds.map((seed) => question(seededRandom(seed, 'odd')))).size).toBe(seeds.length)
    expect(question(seededRandom(1, 'odd'), 'Grade this.')).toMatch(/^Grade this\. /)
  },
)
