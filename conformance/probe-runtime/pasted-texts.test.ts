/** Every kind of pasted text is in a long thread, each alone in a message. */
import { expect, test } from 'vitest'
import { pastedTexts, statementsWithPastedTexts } from './pasted-texts.ts'
import { seededRandom } from './seeded-random.ts'

/** Messages that a long thread has left for them beside its questions, odd contents and results. */
const leastInLongThread = 74

test.each([1, 2, 3])('with seed %i a long thread holds every pasted text, whatever it begins with', (seed) => {
  const statements = statementsWithPastedTexts(seededRandom(seed, 'pasted'))
  const said = Array.from({ length: leastInLongThread }, () => statements.next().value)
  for (const text of pastedTexts) expect(said.some((one) => one.endsWith(` ${text}`))).toBe(true)
  expect(said.some((one) => pastedTexts.some((text) => one.startsWith(`${text} `)))).toBe(true)
})

test('no kind comes twice', () => {
  expect(new Set(pastedTexts).size).toBe(pastedTexts.length)
})
