/** Tests what is learnt from the pieces of an answer, and the length of the next question. */
import { expect, test } from 'vitest'
import { answerPieces, paddingFor, pieceSize } from './answer-pieces.ts'
import type { Answer } from './probe-response.ts'

const asked = (content: string) => ({
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content },
  ],
})

const streamed = (pieces: readonly string[]): Answer =>
  ({ lines: pieces.map((content) => ({ delta: { content } })) }) as unknown as Answer

const inGroups = (parts: readonly string[], size: number): readonly string[] =>
  Array.from({ length: Math.ceil(parts.length / size) }, (_, at) => parts.slice(at * size, (at + 1) * size).join(''))

/** Pieces of so many code points, and of so many words. */
const byPoints = (text: string, size: number): readonly string[] => inGroups([...text], size)
const byWords = (text: string, size: number): readonly string[] => inGroups(text.match(/\s*\S+\s*/g) ?? [], size)

const question = 'Wer unterschreibt das, und bis wann? 📎📎 Es geht um Vertrag 4711 mit Frau Novak aus Leipzig.'
const whole = (content: string): string => `You said: ${content}!`
const shortened = (content: string): string => `You said: ${content.slice(0, 60)}!`

test.each([
  ['code points', 3, byPoints, whole],
  ['code points', 8, byPoints, whole],
  ['code points', 24, byPoints, whole],
  ['code points, of a quotation that is cut', 16, byPoints, shortened],
  ['words', 2, byWords, whole],
  ['words', 3, byWords, whole],
])('the next answer in pieces of %s (%i) ends on a piece of one, or on one that is full', (_, size, cut, answer) => {
  const pieces = answerPieces(pieceSize(streamed(cut(answer(question), size))), [
    { text: answer(question), asked: asked(question) },
  ])
  expect(pieces).not.toBeNull()
  const next = (last: 0 | 1) => cut(answer(`${paddingFor(pieces, 'And now?', last)}And now?`), size)
  expect(cut(next(1).at(-1) ?? '', 1)).toHaveLength(1)
  expect(cut(next(0).at(-1) ?? '', 1)).toHaveLength(size)
})

test('a question that would be longer than what is quoted stays as it is', () => {
  const text = shortened(question)
  const pieces = answerPieces(pieceSize(streamed(byPoints(text, 16))), [{ text, asked: asked(question) }])
  expect([0, 1].map((last) => paddingFor(pieces, question, last as 0 | 1))).toEqual(['', ''])
})

test('an answer without its question tells the length of its pieces alone', () => {
  const text = 'It has to be signed by both of you, and soon.'
  const cut = pieceSize(streamed(byPoints(text, 4)))
  expect(cut?.size).toBe(4)
  expect(answerPieces(cut, [{ text, asked: asked('Who has to sign this contract, and when?') }])).toBeNull()
  expect(pieceSize(streamed(byPoints('It is so.', 4)))).toBeNull()
})

test('nothing is learnt from pieces of one word', () => {
  expect(pieceSize(streamed(byWords('You said: Who has to sign this contract, and when?', 1)))).toBeNull()
})
