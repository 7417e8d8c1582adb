/** Prints how often a naive Bayes classifier tells windows of gate runs from sessions of customers. `classify.ts [nonces]` */
import type { Exchange } from '../../conformance/index.ts'
import { seededRandom } from '../../conformance/probe-runtime/seeded-random.ts'
import { answerMs, customerSession, type SessionStep } from './customers.ts'
import { type Channel, classifierRate, type LabelledSession } from './naive-bayes.ts'
import { recordGate } from './record-gate.ts'

/** Requests of one key that the classifier sees at a time. */
const windowLength = 40
const channels: readonly (readonly Channel[])[] = [
  ['operations'],
  ['words'],
  ['timing'],
  ['operations', 'words', 'timing'],
]

function stepsOf(exchanges: readonly Exchange[], seed: number): readonly SessionStep[] {
  const random = seededRandom(seed, 'durations')
  let gapMs = 0
  return exchanges.map(({ intent, request, response }) => {
    const operation = intent?.operation ?? 'createThread'
    const step = { operation, words: wordsIn(request), gapMs }
    gapMs = (response?.status ?? 500) < 400 ? answerMs(operation, random) : answerMs('refusal', random)
    return step
  })
}

function wordsIn({ body }: Exchange['request']): readonly string[] {
  const text = body !== null && 'utf8' in body ? body.utf8 : ''
  const contents = [...text.matchAll(/"content"\s*:\s*"((?:[^"\\]|\\.)*)"/g)]
  return contents.flatMap(([, content = '']) => content.toLowerCase().match(/[a-z]{2,}/g) ?? [])
}

async function windowsOf(seed: number): Promise<readonly (readonly SessionStep[])[]> {
  const { exchanges } = await recordGate(seed)
  const steps = stepsOf(
    exchanges.filter(({ credential }) => credential === 'primary'),
    seed,
  )
  const count = Math.floor(steps.length / windowLength)
  return Array.from({ length: count }, (_, at) => steps.slice(at * windowLength, (at + 1) * windowLength))
}

const nonces = Number(process.argv[2] ?? 8)
const sessions: LabelledSession[] = []
for (let seed = 1; seed <= nonces; seed += 1) {
  for (const steps of await windowsOf(seed)) {
    const customer = customerSession(sessions.length, windowLength)
    sessions.push({ steps, isSuite: true }, { steps: customer, isSuite: false })
  }
}
for (const wanted of channels)
  process.stdout.write(`${wanted.join(', ')}: ${(100 * classifierRate(sessions, wanted)).toFixed(1)} % told rightly\n`)
