/** Tests what is learnt from the pieces of an answer, and the length of the next question. */
import { expect, test } from 'vitest'
import { answerPieces, lackOfLastPiece, pieceSize } from './answer-pieces.ts'
import type { Answer } from './probe-response.ts'

const asked = (content: string) => ({
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content },
  ],
})

/** An answer that is streamed in pieces of so many code points. */
const cut = (text: string, size: number): Answer => {
  const points = [...text]
  const pieces = Array.from({ length: Math.ceil(points.length / size) }, (_, at) =>
    points.slice(at * size, (at + 1) * size).join(''),
  )
  return { lines: pieces.map((content) => ({ delta: { content } })) } as unknown as Answer
}

test.each([3, 8, 24])('the next answer in pieces of %i ends on a piece of one character', (size) => {
  const question = 'Wer unterschreibt das, und bis wann? 📎📎 Es geht um Vertrag 4711 mit Frau Novak aus Leipzig.'
  const pieces = answerPieces(cut(`You said: ${question}!`, size), asked(question))
  expect(pieces).not.toBeNull()
  if (pieces === null) return
  const next = `${'?'.repeat(lackOfLastPiece(pieces, 'And now?'))}And now?`
  const last = cut(`You said: ${next}!`, size).lines.at(-1) as { readonly delta: { readonly content: string } }
  expect([...last.delta.content]).toHaveLength(1)
})

test.each([3, 8, 24])('the next answer in pieces of %i ends on a piece that is full', (size) => {
  const question = 'Wer unterschreibt das, und bis wann? 📎📎 Es geht um Vertrag 4711 mit Frau Novak aus Leipzig.'
  const pieces = answerPieces(cut(`You said: ${question}!`, size), asked(question))
  const next = `${'?'.repeat(pieces === null ? 0 : lackOfLastPiece(pieces, 'And now?', 0))}And now?`
  expect([...`You said: ${next}!`].length % size).toBe(0)
})

test('an answer without its question tells the length of its pieces alone', () => {
  const answer = cut('It has to be signed by both of you, and soon.', 4)
  expect(pieceSize(answer)?.size).toBe(4)
  expect(pieceSize(cut('It is so.', 4))).toBeNull()
})

test('nothing is learnt from an answer that does not quote its question, or comes in words', () => {
  const question = 'Who has to sign this contract, and when?'
  expect(answerPieces(cut('It has to be signed by both of you, and soon.', 4), asked(question))).toBeNull()
  const words = `You said: ${question}`.split(/(?<= )/).map((content) => ({ delta: { content } }))
  expect(answerPieces({ lines: words } as unknown as Answer, asked(question))).toBeNull()
})
