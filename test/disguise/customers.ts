/**
 * Generates what ordinary customers of a service send.
 * A backend serves several people at once, who pause to think. It knows nothing of the suite's texts and orders.
 */
import { type SeededRandom, seededRandom } from '../../conformance/probe-runtime/seeded-random.ts'

/** One request of a session, as the classifier sees it. */
export interface SessionStep {
  readonly operation: string
  readonly words: readonly string[]
  readonly gapMs: number
}

const subjects = [
  'rental agreement',
  'delivery',
  'warranty',
  'parental leave',
  'invoice',
  'insurance',
  'tax return',
  'visa',
  'divorce',
  'speeding fine',
  'heating',
  'router',
  'password',
  'order',
  'refund',
  'contract',
  'notice period',
  'inheritance',
  'dentist',
  'holiday',
  'salary',
  'overtime',
  'subscription',
  'car',
  'mortgage',
  'neighbour',
  'landlord',
  'appointment',
] as const
const openings = [
  'Hi, I have a question about my',
  'Can you help me with the',
  'What do I do about the',
  'I need advice on a',
  'Is it normal that the',
  'How do I cancel the',
  'Who pays for the',
  'Please explain the rules for a',
  'When does the',
  'My boss says that the',
] as const
const endings = [
  'is late',
  'was refused',
  'costs more than agreed',
  'is broken',
  'ends next month',
  'has changed',
  'is not mentioned anywhere',
  'must be paid at once',
  'is disputed',
  'expired in March',
  'has to be signed',
  'is missing a page',
] as const
const followUps = [
  'And if they do not answer?',
  'Thanks!',
  'Can you write that as a letter?',
  'Which law is that?',
  'Shorter please.',
  'What about my brother?',
  'ok',
  'Does that also apply in Austria?',
  'I paid on the 3rd.',
  'No, the other one.',
  'How much would that cost?',
  'Who should I call?',
] as const

/** How long a person thinks, and how fast a program goes on. */
const person = (random: SeededRandom): number => 3000 + random.below(45_000)
const program = (random: SeededRandom): number => 15 + random.below(200)

type CustomerSession = (random: SeededRandom) => readonly SessionStep[]

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z]{2,}/g) ?? []
const said = (random: SeededRandom, isFirst: boolean): readonly string[] =>
  wordsOf(
    isFirst
      ? `${random.pick(openings)} ${random.pick(subjects)} ${random.pick(endings)}`
      : random.pick([...followUps, `the ${random.pick(subjects)} ${random.pick(endings)}`]),
  )
const step = (operation: string, gapMs: number, words: readonly string[] = []): SessionStep => ({
  operation,
  words,
  gapMs,
})
const turns = (random: SeededRandom): readonly number[] =>
  Array.from({ length: 1 + random.below(5) }, (_, index) => index)

/** Questions in the body; some read the thread back for the history that they show. */
const completionChat: CustomerSession = (random) => {
  const operation = random.pick([
    'createChatCompletion',
    'streamChatCompletion',
    'streamChatCompletion',
    'streamChatCompletionEvents',
  ])
  return turns(random).flatMap((turn) => [
    step(operation, turn === 0 ? program(random) : person(random), said(random, turn === 0)),
    ...(random.below(3) === 0 ? [step('listMessages', program(random))] : []),
  ])
}

const threadChat: CustomerSession = (random) => {
  const run = random.pick(['runThread', 'streamThreadRun', 'streamThreadRun'])
  const system =
    random.below(2) === 0
      ? [step('createMessage', program(random), wordsOf('You are a friendly assistant of our shop. Answer briefly.'))]
      : []
  const chat = turns(random).flatMap((turn) => [
    step('createMessage', turn === 0 ? program(random) : person(random), said(random, turn === 0)),
    step(run, program(random)),
    ...(random.below(2) === 0 ? [step('listMessages', program(random))] : []),
  ])
  return [step('createThread', program(random)), ...system, ...chat]
}

const toolChat: CustomerSession = (random) => [
  step('createThread', program(random)),
  step('createMessage', program(random), said(random, true)),
  step('runThread', program(random)),
  ...Array.from({ length: 1 + random.below(2) }, () =>
    step('createMessage', program(random), wordsOf('status shipped carrier parcel')),
  ),
  step('runThread', program(random)),
  step('listMessages', program(random)),
]

const upload: CustomerSession = (random) => [
  step('createUploadGrant', program(random)),
  step('uploadFile', program(random)),
]
const lookAround: CustomerSession = (random) => [
  step('listAssistants', program(random)),
  ...(random.below(2) === 0 ? [step('getAssistant', program(random))] : []),
  ...(random.below(4) === 0 ? [step('listMyApiKeys', program(random))] : []),
]
const history: CustomerSession = (random) =>
  turns(random).map((page) => step('listMessages', page === 0 ? person(random) : program(random)))

const sessions: readonly [CustomerSession, ...CustomerSession[]] = [
  completionChat,
  completionChat,
  threadChat,
  threadChat,
  toolChat,
  upload,
  lookAround,
  history,
]

/** Some requests of one tenant in the order in which they arrive; the people behind it overlap. */
export function customerSession(seed: number, length: number): readonly SessionStep[] {
  const random = seededRandom(seed, 'customer')
  const people = Array.from({ length: 1 + random.below(6) }, () => ({
    atMs: random.below(20_000),
    steps: [] as SessionStep[],
  }))
  const session: SessionStep[] = []
  let nowMs = 0
  while (session.length < length) {
    for (const one of people) if (one.steps.length === 0) one.steps = [...random.pick(sessions)(random)]
    const [next] = people.toSorted(
      (left, right) => left.atMs + (left.steps[0]?.gapMs ?? 0) - right.atMs - (right.steps[0]?.gapMs ?? 0),
    )
    const taken = next?.steps.shift()
    if (next === undefined || taken === undefined) break
    next.atMs += taken.gapMs
    session.push({ ...taken, gapMs: Math.max(0, next.atMs - nowMs) })
    nowMs = next.atMs
    next.atMs += answerMs(taken.operation, random)
  }
  return session
}

/** What an answer takes: seconds where a model is asked. */
export function answerMs(operation: string, random: SeededRandom): number {
  return /Completion|Run|runThread/.test(operation) ? 1500 + random.below(5000) : 20 + random.below(60)
}
