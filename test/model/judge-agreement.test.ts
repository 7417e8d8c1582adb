/** The judge against the model: how it classifies each request, and whether it sees the opposite answer. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judge, type Verdict } from '../../conformance/index.ts'
import type { Command } from './commands.ts'
import { type Classified, classesIn, type Recorded, type Recording, record, traceOf } from './judged-conversation.ts'
import { conversation } from './likely-commands.ts'
import { modelMock } from './mock-conversation.ts'
import { withOppositeAnswer } from './opposite-answer.ts'

const runs = Number(process.env.ACS_MODEL_RUNS ?? 40)
const conversations = fc.sample(conversation, { seed: 11, numRuns: runs })

type Said = 'valid' | 'invalid' | 'unsure'

const saidByModel = ({ outcome }: Recorded): Said => {
  if (outcome === 'accepted') return 'valid'
  return 'open' in outcome ? 'unsure' : 'invalid'
}

/** Where the judge may say more than the model does: what it knows from the profile, or what it takes as implied. */
const known: readonly { readonly step: `${Said} ${Said}`; readonly when: (one: Recorded, why: string) => boolean }[] = [
  // The profile shows how an assistant message asks for tools.
  { step: 'unsure valid', when: ({ command }) => command.kind === 'create' && command.message.startsWith('asking') },
  // A whole run does not stream; only a refusal with the streaming error, which the contract lists for it, is open.
  { step: 'unsure valid', when: ({ command }) => command.kind === 'run' && command.assistant === 'mute' },
  // Implied: a tenant has threads of its own.
  { step: 'unsure invalid', when: (_, why) => why.startsWith('thread-foreign') },
  // A list shows that the answer is stored in its thread.
  { step: 'unsure invalid', when: (_, why) => why.startsWith('thread-ends-on-assistant') },
]

/** Doubts of the judge decide nothing, so they may stand where the model is sure. */
function isExplained(one: Recorded, { validity, why }: Classified): boolean {
  const model = saidByModel(one)
  if (model === validity || validity === 'unsure') return true
  return known.some(({ step, when }) => step === `${model} ${validity}` && when(one, why))
}

const violations = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts.filter(({ outcome }) => outcome === 'violated' || outcome === 'suite-fault').map((one) => one.requirement)

/** What is violated when the last request of a story gets the opposite answer. */
function violatedByOpposite(recording: Recording, { trace: exchanges, exchange }: Recorded): readonly string[] {
  const trace = traceOf(recording, [...exchanges.slice(0, -1), withOppositeAnswer(exchange)])
  return violations(judge(trace).verdicts.filter(({ exchanges }) => exchanges.includes(exchange.id)))
}

const exchangesOf = ({ requests }: Recording) => requests.map(({ exchange }) => exchange)

test('the judge sees no violation where mock and model agree, and contradicts the model only where known', async () => {
  await using mock = await modelMock()
  const recording = await record(mock, conversations)
  const trace = traceOf(recording, exchangesOf(recording))
  const classes = classesIn(trace)
  const unexplained = recording.requests.flatMap((one) => {
    const found = classes.get(one.exchange.id)
    if (found !== undefined && isExplained(one, found)) return []
    return [{ model: saidByModel(one), judge: found, command: one.command, outcome: one.outcome }]
  })
  expect(unexplained).toEqual([])
  expect(violations(judge(trace).verdicts)).toEqual([])
})

test('the judge sees the opposite of an answer that the model is sure of', async () => {
  await using mock = await modelMock()
  const missed: unknown[] = []
  let seen = 0
  for (const commands of conversations.slice(0, Math.ceil(runs / 2))) {
    const recording = await record(mock, [commands])
    const last = recording.requests.at(-1)
    if (last === undefined) continue
    const found = classesIn(traceOf(recording, last.trace)).get(last.exchange.id)
    const isSure = found !== undefined && found.validity === saidByModel(last) && found.validity !== 'unsure'
    // Of several faults none is the only reason, so the judge lays the acceptance to none of them.
    if (!isSure || found.faults > 1) continue
    if (violatedByOpposite(recording, last).length > 0) seen += 1
    else missed.push({ commands, why: found.why })
  }
  expect(missed).toEqual([])
  expect(seen).toBeGreaterThan(runs / 8)
})

const begin: Command = { kind: 'begin' }
const say = (message: (Command & { kind: 'create' })['message']): Command => ({
  kind: 'create',
  target: 'own',
  content: 'text',
  message,
})
const run: Command = { kind: 'run', target: 'own', form: 'whole', assistant: 'own', tools: false }

test.for<[name: string, commands: readonly Command[]]>([
  ['a tool message came late', [begin, say('user'), say('asking-one'), say('user'), say('tool-open'), run]],
  [
    'a call has two tool messages',
    [begin, say('user'), say('asking-one'), say('tool-open'), say('tool-answered'), run],
  ],
])('a run may be refused or accepted where %s', async ([, commands]) => {
  await using mock = await modelMock()
  const recording = await record(mock, [commands])
  const last = recording.requests.at(-1)
  expect(last && saidByModel(last)).toBe('unsure')
  expect(last && violatedByOpposite(recording, last)).toEqual([])
})

test('a list that is refused for its limit or its cursor says nothing against the thread', async () => {
  await using mock = await modelMock()
  const complete: Command = { kind: 'complete', target: 'none', form: 'whole', body: 'good' }
  const lists = (['limit-zero', 'cursor-unknown'] as const).flatMap((query): Command[] => [
    { kind: 'list', target: 'own', query },
    { kind: 'list', target: 'foreign', query },
  ])
  const recording = await record(mock, [[complete, ...lists]])
  const refused = recording.requests.filter(({ exchange }) => exchange.response?.status !== 200)
  expect(refused.length).toBe(lists.length)
  expect(violations(judge(traceOf(recording, exchangesOf(recording))).verdicts)).toEqual([])
})
