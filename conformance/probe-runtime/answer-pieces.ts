/**
 * Learns the length of the pieces into which a service cuts an answer. A later question then makes one that ends on a piece of
 * one character, where cutting goes wrong.
 * Only an answer that quotes its question lets the length of the next one be chosen.
 */
import { valuesAt } from '../judge/read/json.ts'
import { type Answer, stringAt } from './probe-response.ts'

export interface AnswerPieces {
  /** The length of every piece but the last, in characters as the service counts them. */
  readonly size: number
  /** How much longer than its question an answer is. */
  readonly beyond: number
  readonly lengthOf: (text: string) => number
}

/** Fewer equal pieces may be so by chance. */
const leastEqual = 3

/** By code points or by UTF-16 units. */
const measures: readonly ((text: string) => number)[] = [(text) => [...text].length, (text) => text.length]

/** The pieces of a streamed answer, or `null` when they differ in length or do not hold the question. */
export function answerPieces({ lines }: Answer, asked: unknown): AnswerPieces | null {
  const pieces = lines.flatMap((line) => stringAt(line, '/delta/content') ?? []).filter((piece) => piece !== '')
  const question = stringAt(valuesAt(asked, '/messages/*').at(-1), '/content')
  const whole = pieces.join('')
  if (question === undefined || pieces.length <= leastEqual || !whole.includes(question)) return null
  for (const lengthOf of measures) {
    const sizes = new Set(pieces.slice(0, -1).map(lengthOf))
    const [size] = sizes
    if (sizes.size === 1 && size !== undefined && size > 1)
      return { size, beyond: lengthOf(whole) - lengthOf(question), lengthOf }
  }
  return null
}

/** How many characters a question lacks for an answer whose last piece is a single one. */
export function lackOfLastPiece({ size, beyond, lengthOf }: AnswerPieces, question: string): number {
  const rest = (lengthOf(question) + beyond) % size
  return (size + 1 - rest) % size
}
