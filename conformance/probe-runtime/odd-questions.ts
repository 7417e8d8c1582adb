/** Writes questions without an ordinary sentence: in another script, of one word, or of signs alone. */
import { numberOf, uniqueQuestion } from './sample-texts.ts'
import type { SeededRandom } from './seeded-random.ts'

const otherQuestions = [
  '締め切りはいつですか',
  '这个该由谁来签字',
  '次に何をすればよいですか',
  '这份合同还有效吗',
] as const
const otherDigits = '零一二三四五六七八九'

/**
 * One word of more than 400 bytes without ASCII: code that quotes the first 200 bytes cuts a character, and what lists the words
 * of a question has a list of one. A prompt replaces it.
 */
export function questionInOtherScript(random: SeededRandom, prompt?: string): string {
  if (prompt !== undefined) return uniqueQuestion(random, prompt)
  const number = [...numberOf(random).replace(/\D/g, '')].map((digit) => otherDigits[Number(digit)]).join('')
  return `${random.pick(otherQuestions)}${number}${'資料を添付しました'.repeat(13)}？`
}

/** One ordinary word: where answers list the words of a question, theirs is a list of one. A prompt replaces it. */
export function questionOfOneWord(random: SeededRandom, prompt?: string): string {
  if (prompt !== undefined) return uniqueQuestion(random, prompt)
  const word = random.pick(['Deadline', 'Contract', 'Signature', 'Documents'])
  return `${word}${numberOf(random).replace(/\D/g, '')}?`
}

const signs = [...'✅❓❗⏳📅📎📌📝📞🔎🔁💶💬🧾🖊🗑'] as const

/** Signs alone: code that counts or averages over the words of a question has none. A prompt replaces it. */
export function questionWithoutWords(random: SeededRandom, prompt?: string): string {
  return prompt === undefined ? `${random.shuffled(signs).slice(0, 10).join('')}?!` : uniqueQuestion(random, prompt)
}
