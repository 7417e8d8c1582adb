/**
 * Rewrites the judge's sentences about exchanges into what an operation does, for headlines.
 * A sentence with numbers of exchanges is precise and slow to read; the numbers stay beside the evidence. The first
 * pattern that fits counts, and a test holds that each sentence of the judge's own tests has one.
 */
import type { Phrase } from './phrase.ts'
import { requestPhrases } from './request-phrases.ts'
import { threadPhrases } from './thread-phrases.ts'

/** Fields by their pointer, and what remains of a sentence when the numbers are left out. */
const general: readonly Phrase[] = [
  [
    /^In E\d+, (line \d+) \/?(\S*) must (be|have) ([\s\S]+)$/,
    (_, line = '', field = '', verb = '', rest = '') =>
      `in ${line} of the stream, ${fieldName(field)} must ${verb} ${rest}`,
  ],
  [
    /^In E\d+, (?:the body|\/(\S*)) must (be|have) ([\s\S]+)$/,
    (_, field = '', verb = '', rest = '') => `${field === '' ? 'the body' : fieldName(field)} must ${verb} ${rest}`,
  ],
  [/^E\d+ ((?:sends|gets|lists|shows|has) [\s\S]+)$/, '$1'],
]

const phrases: readonly Phrase[] = [...requestPhrases, ...threadPhrases, ...general]

/** `items[0].sources` for the pointer `items/0/sources`. */
export function fieldName(pointer: string): string {
  if (pointer === '') return 'the line'
  return pointer
    .split('/')
    .map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : `${index === 0 ? '' : '.'}${key}`))
    .join('')
}

/** Text of a target in a sentence is cut by the judge; this holds for reports of anybody. */
const longestSentence = 2000

/** What the operation does, or `null` when only the exchanges can say it. `change` is what became of a text, if it is known. */
export function phraseOf(sentence: string, change: string): string | null {
  const plain = sentence.slice(0, longestSentence).replace(/\.$/, '')
  for (const [pattern, words] of phrases) {
    const found = pattern.exec(plain)
    if (found === null) continue
    const [, ...parts] = found
    const text = typeof words === 'string' ? plain.replace(pattern, words) : words(change, ...parts)
    return withoutNumbers(text)
  }
  return withoutNumbers(plain)
}

/** The text without numbers of exchanges where it is clear without them, else `null`. */
function withoutNumbers(text: string): string | null {
  const bare = text.replace(/ (?:in|of|by) E\d+\b/g, '')
  return /\bE\d+\b/.test(bare) ? null : bare.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
}
