/**
 * Writes the messages that the suite sends as a user: neutral questions, made unique by their topic. Nothing here names
 * the suite or looks like a mark, so that a service cannot recognise its traffic.
 */
import { trickyUnicode } from '../../generators/index.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'

const questions = [
  'Could you tell me in one sentence what you can help me with?',
  'What should I know before I start?',
  'Please give me a short overview of the next step.',
  'Which information do you need from me?',
  'Can you explain briefly how this works?',
  'What would you suggest I do first?',
  'How long does this usually take?',
  'Is there anything that I have to send you?',
  'Who has to sign this?',
  'What happens if the date passes?',
  'Can I still change my mind?',
  'Do I have to answer this letter?',
  'What are my options here?',
  'Could you check whether this is complete?',
  'What does this mean for us?',
  'Am I allowed to do that?',
] as const

const remarks = [
  'Thank you, that helps.',
  'One more detail for the record.',
  'I will send the rest later today.',
  'Please keep this in mind.',
  'That is all for the moment.',
  'Sorry, I forgot something.',
  'We have not heard anything yet.',
  'I talked to them on the phone.',
  'The amount is right, the date is not.',
  'My colleague takes care of it.',
  'It came by mail this morning.',
  'We paid in advance.',
] as const

const firstNames = ['Anna', 'Marek', 'Ines', 'Jonas', 'Leila', 'Tomas', 'Ruth', 'Omar', 'Clara', 'Henrik'] as const
const lastNames = ['Novak', 'Lindqvist', 'Moreau', 'Keller', 'Rossi', 'Haddad', 'Brandt', 'Silva', 'Okafor'] as const
const months = ['January', 'March', 'April', 'June', 'July', 'September', 'October', 'November'] as const
const papers = ['invoice', 'order', 'contract', 'claim', 'ticket', 'booking', 'letter', 'policy', 'request'] as const
const links = [
  'It is about',
  'This concerns',
  'I mean',
  'For context:',
  'See',
  'Our reference is',
  'It belongs to',
] as const

/** The topic of a text, in natural words; it occurs nowhere else, neither in this run nor in one with another seed. ASCII. */
function matter(random: SeededRandom, named?: (typeof papers)[number]): string {
  const number = numberOf(random)
  const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`
  const date = `${1 + random.below(28)} ${random.pick(months)}`
  const paper = named ?? random.pick(papers)
  return random.pick([
    `${paper} ${number} of ${date} for ${name}`,
    `${paper} ${number} (${name}, ${date})`,
    `the ${paper} of ${name} from ${date}, number ${number}`,
    `${name}, ${paper} ${number}, ${date}`,
    `${paper} no. ${number} that ${name} sent on ${date}`,
  ])
}

/** Long enough that no two are the same, in one of the ways in which people number their papers. */
export function numberOf(random: SeededRandom): string {
  const digits = String(1_000_000_000 + random.below(9_000_000_000))
  const letters = random.pick(['AB', 'KX', 'R', 'VN', 'DE'])
  return random.pick([
    digits,
    `${letters}-${digits}`,
    `${digits.slice(0, 4)}/${digits.slice(4)}`,
    `${digits.slice(0, 3)}-${digits.slice(3, 6)}-${digits.slice(6)}`,
    `${letters}${digits.slice(0, 5)}.${digits.slice(5)}`,
  ])
}

function about(random: SeededRandom, paper?: (typeof papers)[number]): string {
  return `${random.pick(links)} ${matter(random, paper)}.`
}

/** A question with a matter that occurs nowhere else; `prompt` replaces the question for narrow assistants. */
export function uniqueQuestion(random: SeededRandom, prompt?: string): string {
  return `${prompt ?? random.pick(questions)} ${about(random)}`
}

/** The same with the matter first, so that an answer that quotes the first words quotes its number. */
export function questionAfterMatter(random: SeededRandom, prompt?: string): string {
  return prompt === undefined ? `${about(random)} ${random.pick(questions)}` : uniqueQuestion(random, prompt)
}

/** A sentence with what an assistant's own record speaks of, for answers that depend on what they are about; may be empty. */
export function aboutTopics(topics: readonly string[] = []): string {
  return topics.length === 0 ? '' : `It has to do with ${topics.join(', ')}. `
}

/**
 * How a conversation begins that asks for nothing yet, as in a letter: what it is about stands in a line of its own. An assistant
 * that tells legal matters from others finds the words of one here, and none in a question in another script.
 */
export function greeting(random: SeededRandom): string {
  return `${random.pick(['Hello', 'Hello there', 'Hello and good morning'])},\n${about(random, 'contract')} ${random.pick(['Their lawyer', 'A lawyer', 'Our lawyer'])} calls it a claim.`
}

/** Letters of two, three and four bytes, so many that every cut by bytes falls inside one. */
const otherScripts = 'Επισυνάπτω το έγγραφο. 資料を添付しました。 🧾📎🗂 '.repeat(6)

/**
 * Half of its bytes are inside of letters, and an eighth of its places in UTF-16 inside of surrogate pairs, so that text that is
 * cut by bytes or by such units is damaged wherever the cuts are.
 */
const background = 'Größere 🧾📎🗂🖇 Übersicht 📑📊📈📋 über 資料を添付 déjà été à côté. '

/** A question with everything in it that an answer or a store may damage, up to its last character. */
export function questionWithEscapes(random: SeededRandom, prompt?: string): string {
  const question = prompt ?? `"${random.pick(questions)}" \\`
  const hard = `"one\r\ntwo" it's \\ a/b \t {"k": 1} {{name}} %s \${sum} <b>  cafe\u0301 caf\u00e9 \u2028 🦉 1+1 \u2600\ufe0f`
  return `${uniqueQuestion(random, question)}\n$$5 {0} %20 \u2029 \u0085 \\n ${hard}`
}

/** The same in more than 4 KiB, also in other scripts, with blanks at its end. */
export function longQuestion(random: SeededRandom, prompt?: string): string {
  return `${questionWithEscapes(random, prompt)}\n${otherScripts}\n${background.repeat(60)}${about(random)} \n`
}

/** How several questions of one run begin: an answer that is kept for the first words of one shows in another. */
export function sharedOpening({ runNumber }: SeededRandom, prompt?: string): string {
  const random = seededRandom(runNumber, 'opening')
  return prompt ?? `"${random.pick(remarks)} ${random.pick(remarks)} ${random.pick(questions)}" \\`
}

/** One long question for the whole run: asked in two threads, it shows answers that are cached by question. */
export function questionAskedTwice({ runNumber }: SeededRandom, prompt?: string): string {
  return `${prompt === undefined ? otherGreeting : ''}${longQuestion(seededRandom(runNumber, 'asked twice'), prompt)}`
}

/** It has no ASCII letters, digits or marks: code that reads the first words or the first line of a question finds none. */
const otherGreeting = 'Здравствуйте、こんにちは。\n'

/** The text behind a greeting in which code that looks for Latin letters finds none. */
export function inOtherScript(text: string): string {
  return `${otherGreeting}${text}`
}

/**
 * What format strings, templates and patterns take for instructions, as the first word; then characters at which some code ends a
 * line, and JSON does not: each in a place of its own.
 */
const awkwardStart = "*%d{0}1'\u20282\u20293\u00854\u000b5\u000c"
/** The blank part of a form: pieces of it are blank as a whole, also of an answer that quotes its first sixty characters only. */
const blankField = ' '.repeat(50)
/** So many short words that a stream is long, and so alike that the pieces of an answer that quotes them are equal. */
const rowOfCells = `${'0 '.repeat(60)}\n`
/** A line of one character only: pieces of it are equal, however long they are. */
const ruledLine = `${'-'.repeat(40)}\n`
/** More than three eighths of an answer that quotes the question with it: even of eight pieces in all, two are equal. */
const wideLine = `${'-'.repeat(230)}\n`
/** A few equal words for services that split at words. */
const fewCells = '0 '.repeat(12)

/** White space of every kind, three or more in a row, between non-ASCII letters: code that splits at words loses some. */
const runsOfBlanks = 'а   б\t\t\tв\n\n\nг\r\n\r\nд\u00a0\u00a0\u00a0е\u3000\u3000\u3000и\u0306 '
/**
 * Pairs of surrogates that begin at even places and, behind two blanks and a mark, at odd ones: pieces of up to 16 units split
 * one of them. The second row is a word of 27 units, in which every cut at an even place splits one.
 */
const rowsOfPairs = '🧾📎🗂🖇📑📊📈📋  ~📋📈📊📑🖇🗂📎🧾📋📈📊📑🖇'

/** A long question below a row of a table; a narrow assistant gets its own words first. */
export function questionBelowRow(random: SeededRandom, prompt?: string): string {
  return prompt === undefined
    ? `${awkwardStart}${blankField}${rowOfCells}${ruledLine}${longQuestion(random)}`
    : longQuestion(random, prompt)
}

/** The quoted text below a reply in an email, with a number so near its head that most answers quote it. */
export function questionBelowLine(random: SeededRandom): string {
  return `${awkwardStart}${blankField}${digits(random)}\n${wideLine}${runsOfBlanks}${rowsOfPairs}${fewCells}${questionWithEscapes(random)}`
}

/**
 * One short question for the whole run, behind these words and what a store or a line of a stream may damage: asked of two
 * assistants, it shows answers that are cached by question, regardless of the assistant.
 */
export function questionAskedOfTwo({ runNumber }: SeededRandom, words: string): string {
  return `${awkwardStart}\n${words}${questionWithEscapes(seededRandom(runNumber, 'asked of two'))}`
}

/** The largest extra length of a short text: pieces of eleven characters end at each of their places. */
const shortLengths = 11

/**
 * A short question that ends on white space and pairs, so that an answer quotes it whole. It has no letter of ASCII: code that
 * looks for words in those finds none. Its length differs from run to run, since an end is lost at some lengths only.
 */
export function shortQuestion(random: SeededRandom): string {
  const more = random.runNumber % shortLengths
  return `${digits(random).padEnd(16 + more, '?')} ${runsOfBlanks}${rowsOfPairs}`
}

/** The shortest, for an answer that quotes little. */
export const shortestQuestion = (random: SeededRandom): string => `${runsOfBlanks}${digits(random)}?`

const digits = (random: SeededRandom): string => numberOf(random).replace(/^[A-Z]+-?/, '')

/** A short text around an id, whose length differs from that of the run's short question, also by halves of eleven. */
export function shortTextAbout(id: string, { runNumber }: SeededRandom): string {
  const more = (runNumber + Math.floor(shortLengths / 2)) % shortLengths
  return `${id.padEnd(31 + more, '?')}   ${rowsOfPairs}`
}

/** A remark that asks for nothing, with a matter that occurs nowhere else. */
export function uniqueStatement(random: SeededRandom): string {
  return `${random.pick(remarks)} ${about(random)}`
}

/** The text of an assistant message that asks for a tool. */
export function lookingUp(random: SeededRandom): string {
  return `${random.pick(['Let me look that up.', 'One moment, I am checking.', 'I will look for it.'])} ${about(random)}`
}

/** Common placeholders for a missing UUID. */
export function malformedId(random: SeededRandom): string {
  const id = random.uuid()
  const cut = id.slice(0, 35)
  return random.pick([cut, `${id}0`, `${cut}g`, String(1 + random.below(9000)), 'undefined', 'null', id.slice(0, 8)])
}

/** A name that every object of some languages has, so that code finds it in any table that it keeps as an object. */
export function inheritedName(random: SeededRandom): string {
  return random.pick(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])
}

/** A question, a remark, or one of them with what stores and decoders change. */
export function ordinaryText(random: SeededRandom): string {
  return random.pick([uniqueQuestion, uniqueStatement, statementWithWhitespace, questionWithEscapes])(random)
}

/** The beginning of a completion's history. */
export function instruction(random: SeededRandom): string {
  return `Please answer briefly and politely. The customer has ${matter(random)}.`
}

/** An earlier answer of an assistant in the history of a completion. */
export function acknowledgement(random: SeededRandom): string {
  return `I have noted ${matter(random)}. How can I help?`
}

/** The same with blanks around it, and with what stores and decoders change. */
export function statementWithWhitespace(random: SeededRandom): string {
  return ` ${uniqueStatement(random)} 🦉 100%25 \n`
}

/** Contents that careless code takes for nothing, a number or a time, and drops or rewrites. */
export const easilyMisreadTexts: readonly string[] = [
  '👍',
  'ありがとうございます。',
  ...['0', '4217', '12.50', 'null', 'false', '[]', '{}', 'undefined', '0049170', '2024-05-01T10:00:00Z'],
]

/** A tool result as tools format it: JSON in unusual formatting, with a tab, a combining character and a line end. */
export function toolResult(random: SeededRandom): string {
  return ` { "found": ${random.below(1000)},\t"by": "👩\u200d💻",  "ratio": 1.0, "row": ${random.below(1_000_000_000)} }\n`
}

/** One text for the whole run, spelled plainly in one request and with escapes in another: then the spelling is to blame. */
export function textWithTwoEncodings({ runNumber }: SeededRandom): string {
  return `{ "reference" : "„naïve“ 🦉",  "path": "a/b", "n": 1.0, "invoice": ${runNumber} }`
}

/** Texts that storage and transport tend to damage, by name; each has to come back to the byte. */
export function corruptibleTexts(random: SeededRandom): Readonly<Record<string, string>> {
  const about = matter(random)
  const legal = trickyUnicode.filter(({ grey }) => !grey).map(({ text }) => text)
  return {
    everything: `${legal.join(' | ')} ${about}`,
    json: textWithTwoEncodings(random),
    again: textWithTwoEncodings(random),
    blanks: `  \n ${about} \t \n`,
    page: `${'ä'.repeat(2048)}! ${about}`,
  }
}

/** Some 150 KiB of characters of three bytes: wherever a body of that size is cut, one of its cuts is inside of a character. */
export function hugeText(random: SeededRandom): string {
  return `${about(random)} ${'資料を添付しました。'.repeat(5200)}`
}

/** A text of exactly so many bytes of UTF-8, with a matter at its end. */
export function textOfBytes(bytes: number, random: SeededRandom): string {
  const end = ` ${about(random)}`
  return `${'Here is some more background on the matter. '.repeat(Math.ceil(bytes / 44)).slice(0, bytes - end.length)}${end}`
}
