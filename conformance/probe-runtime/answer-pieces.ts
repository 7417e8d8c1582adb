/**
 * Learns the length of the pieces into which a service cuts an answer. A later question then makes one whose last piece has one
 * character, or is as long as all others: there cutting goes wrong.
 * Only an answer that quotes its question lets the length of the next one be chosen.
 */
import { valuesAt } from '../judge/read/json.ts'
import { type Answer, stringAt } from './probe-response.ts'

export interface PieceSize {
  /** The length of every piece but the last, in characters as the service counts them. */
  readonly size: number
  readonly lengthOf: (text: string) => number
}

export interface AnswerPieces extends PieceSize {
  /** How much longer than its question an answer is. */
  readonly beyond: number
}

/** Fewer equal pieces may be so by chance. */
const leastEqual = 3

/** By code points or by UTF-16 units. */
const measures: readonly ((text: string) => number)[] = [(text) => [...text].length, (text) => text.length]

/** The pieces of a streamed answer, or `null` when they differ in length or do not hold the question. */
export function answerPieces(answer: Answer, asked: unknown): AnswerPieces | null {
  const cut = pieceSize(answer)
  const beyond = cut === null ? null : lengthBeyond(piecesOf(answer).join(''), asked, cut)
  return cut === null || beyond === null ? null : { ...cut, beyond }
}

/** The length of the pieces of a streamed answer, or `null` when they differ. */
export function pieceSize(answer: Answer): PieceSize | null {
  const pieces = piecesOf(answer)
  if (pieces.length <= leastEqual) return null
  for (const lengthOf of measures) {
    const sizes = new Set(pieces.slice(0, -1).map(lengthOf))
    const [size] = sizes
    if (sizes.size === 1 && size !== undefined && size > 1) return { size, lengthOf }
  }
  return null
}

/** How much longer than its question a text is, or `null` when it does not hold it. */
export function lengthBeyond(text: string, asked: unknown, { lengthOf }: PieceSize): number | null {
  const question = stringAt(valuesAt(asked, '/messages/*').at(-1), '/content')
  return question === undefined || !text.includes(question) ? null : lengthOf(text) - lengthOf(question)
}

function piecesOf({ lines }: Answer): readonly string[] {
  return lines.flatMap((line) => stringAt(line, '/delta/content') ?? []).filter((piece) => piece !== '')
}

/** How many characters a question lacks for an answer whose last piece has so many; none stands for as many as all others. */
export function lackOfLastPiece({ size, beyond, lengthOf }: AnswerPieces, question: string, last: 0 | 1 = 1): number {
  const rest = (lengthOf(question) + beyond) % size
  return (size + last - rest) % size
}
