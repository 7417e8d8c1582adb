/**
 * Learns the length of the pieces into which a service cuts an answer. A later question then makes one whose last piece
 * has one character or word, or is as long as all others: splitting often fails in these cases. Only an answer that quotes
 * its question lets the length of the next one be chosen.
 */
import { valuesAt } from '../judge/read/json.ts'
import { type Answer, stringAt } from './probe-response.ts'

export interface PieceSize {
  /** The length of every piece but the last, as the service counts. */
  readonly size: number
  readonly measure: Measure
}

/** The unit that a service may count, and a text of one unit. */
interface Measure {
  readonly lengthOf: (text: string) => number
  readonly unit: string
}

export interface AnswerPieces extends PieceSize {
  /** The length of an answer beyond the text that it quotes. */
  readonly beyond: number
  /** The known limit of the quoted length of a question. */
  readonly most: number
}

/** An answer of an assistant, and the body that asked for it. */
export interface KnownAnswer {
  readonly text: string
  readonly asked: unknown
}

/** Fewer equal pieces may be a coincidence. */
const leastEqual = 3
/** A shorter part of a question may occur in an answer by chance. */
const leastQuoted = 24

const wordsIn = (text: string): number => text.match(/\S+/g)?.length ?? 0
/** By code points, by UTF-16 units or by words. */
const measures: readonly Measure[] = [
  { lengthOf: (text) => [...text].length, unit: '?' },
  { lengthOf: (text) => text.length, unit: '?' },
  { lengthOf: wordsIn, unit: '? ' },
]

/** The length of the pieces of a streamed answer, or `null` when they differ. */
export function pieceSize(answer: Answer): PieceSize | null {
  const pieces = answer.lines.flatMap((line) => stringAt(line, '/delta/content') ?? []).filter((piece) => piece !== '')
  if (pieces.length <= leastEqual) return null
  for (const measure of measures) {
    const sizes = new Set(pieces.slice(0, -1).map(measure.lengthOf))
    const [size] = sizes
    if (sizes.size === 1 && size !== undefined && size > 1) return { size, measure }
  }
  return null
}

/** The prediction for the next answer from the newest one that quotes its question, or `null` when none does. */
export function answerPieces(cut: PieceSize | null, answers: readonly KnownAnswer[]): AnswerPieces | null {
  if (cut === null) return null
  const { lengthOf } = cut.measure
  for (const { text, asked } of answers.toReversed()) {
    const question = stringAt(valuesAt(asked, '/messages/*').at(-1), '/content') ?? ''
    const quoted = question.slice(0, quotedUnits(text, question))
    const isWhole = quoted === question
    if (quoted.length < Math.min(leastQuoted, question.length) || quoted === '') continue
    // Where a quotation ends inside of a question, its words cannot be counted.
    if (!isWhole && lengthOf === wordsIn) continue
    return { ...cut, beyond: lengthOf(text) - lengthOf(quoted), most: isWhole ? Infinity : lengthOf(quoted) }
  }
  return null
}

/** The number of units from the start of a question that an answer holds. */
function quotedUnits(text: string, question: string): number {
  let [held, over] = [0, question.length + 1]
  while (over - held > 1) {
    const middle = Math.floor((held + over) / 2)
    if (text.includes(question.slice(0, middle))) held = middle
    else over = middle
  }
  return held
}

/**
 * The prefix of a question that gives the last piece of its answer the length 1, or the length of all others (0).
 * Nothing when the question would be too long to be quoted whole.
 */
export function paddingFor(pieces: AnswerPieces | null, question: string, last: 0 | 1): string {
  if (pieces === null) return ''
  const { size, beyond, most, measure } = pieces
  const length = measure.lengthOf(question)
  const lack = (size + last - ((length + beyond) % size)) % size
  return length + lack > most ? '' : measure.unit.repeat(lack)
}
