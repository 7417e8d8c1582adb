/** Laws of answer functions: what they return is checked, and what fails in them is told as the scenario's own. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock } from '../mock.ts'
import { leaveUnchecked } from './answer-function.ts'
import { defaultScenario } from './default-scenario.ts'
import type { AnswerFunction, Scenario, TurnScript } from './scenario.ts'

const schema = { title: 'M', type: 'object', properties: { mood: { enum: ['glad', 'busy'] } }, required: ['mood'] }

const scenarioOf = (...turns: readonly TurnScript[]): Scenario => ({
  ...defaultScenario,
  tenants: [{ name: 'primary', keys: [{ key: 'acs-demo-primary' }], assistants: ['Clerk'] }],
  assistants: [{ name: 'Clerk', streaming: true, meta_data_response_schema: schema, turns }],
})

async function asked(scenario: Scenario, content = 'Hi') {
  const told: string[] = []
  const mock = await createMock({ scenario, onTrouble: (problem) => told.push(problem) })
  const client = mockClient(mock.main, mock)
  const body = { assistant_id: client.assistant('Clerk'), messages: [{ role: 'user', content }] }
  const send = (path: string) => client.post(path, body)
  return { mock, told, send, answer: await send('/v1/chat/completions') }
}

const answering = (said: unknown): AnswerFunction => (() => said) as AnswerFunction
const endless: unknown[] = []
endless.push(endless)

test.each<[unknown, RegExp]>([
  [Promise.resolve('x'), /returned a promise; make it a function that is not async/],
  [undefined, /returned undefined; return a text, or an object with answer or chunks/],
  [null, /returned null/],
  [5, /returned a number/],
  [['x'], /returned an array/],
  ['', /result\.answer is empty \(resources\.message-content-not-empty\)/],
  [{}, /result lacks the field "answer"; add answer or chunks/],
  [{ answr: 'x' }, /result\.answr is unknown; did you mean "answer"\?/],
  [{ answer: 5 }, /result\.answer must be string/],
  [{ answer: 'x', chunks: ['x'] }, /result\.answer cannot be used with chunks/],
  [{ answer: 'x', when: { turn: 1 } }, /result\.when has no effect/],
  [{ answer: 'x', meta_data: { mood: 'bad' } }, /result\.meta_data does not match the assistant's schema: \/mood/],
  [{ answer: 'x', meta_data: {} }, /required property 'mood' \(resources\.meta-data-fits-schema\)/],
  [{ answer: 'x', meta_data: { endless } }, /returned what is not JSON \(/],
  [{ answer: 'x', sources: 'no' }, /result\.sources must be array/],
  [{ answer: 'x', sources: () => [] }, /result\.sources must be array/],
  [{ answer: 'x', sources: [{ content: 'c' }] }, /result\.sources\[0\] lacks the string meta_data\.document_title/],
  [{ answer: 'x', tool_calls: [{ name: 'f' }] }, /result\.tool_calls\[0\] lacks the field "arguments"/],
  [{ answer: 'x', tool_calls: 'f' }, /result\.tool_calls must be array/],
  [{ answer: 'x', repeat: -3 }, /result\.repeat must be >= 1/],
  ['a\ud83d', /result\.answer has half a surrogate pair; write whole characters/],
  [{ answer: 'x', meta_data: { mood: 'glad', 'a\ud83d': 1 } }, /result\.meta_data has half a surrogate pair/],
])('what breaks the contract is an error that names the place: %j', async (said, problem) => {
  const { answer, mock, told, send } = await asked(scenarioOf({ answer: answering(said) }))
  expect([answer.status, answer.json.error_code, answer.reason]).toEqual([
    503,
    'internal_service_error',
    'scenario-failure',
  ])
  expect(await send('/v1/chat/completions/stream')).toMatchObject({ status: 503, reason: 'scenario-failure' })
  const [entry] = mock.journal.view({ reason: 'scenario-failure' })
  expect(entry).toMatchObject({ mock_fault: null, scenario_fault: expect.stringMatching(problem) })
  expect(entry?.scenario_fault).toMatch(/^assistant "Clerk", turn 1: the answer function returned /)
  const [inProcess] = mock.journal.query({ reason: 'scenario-failure' })
  expect([inProcess?.scenarioFault, inProcess?.mockFault]).toEqual([entry?.scenario_fault, null])
  expect(told).toEqual([`the scenario failed: ${entry?.scenario_fault}`])
})

test('a promise that rejects later is does not end the process', async () => {
  const later = async () => Promise.reject(new Error('later'))
  const nested = () => ({ answer: later() })
  for (const answer of [later, nested]) {
    const { told } = await asked(scenarioOf({ answer: answer as unknown as AnswerFunction }))
    expect(told).toHaveLength(1)
  }
})

test('what a turn may say, a function may say, and its texts are literal', async () => {
  const all = {
    answer: '{{user}} and {{nobody}}',
    reasoning: '{{x}}',
    repeat: 2,
    meta_data: { mood: 'glad' },
    sources: [{ content: 'c', meta_data: { document_title: 't', section: 's' } }],
    tool_calls: [{ name: 'f', arguments: { x: undefined } }],
    chunks: undefined,
  }
  const { answer, told } = await asked(scenarioOf({ answer: answering(all) }))
  expect(answer.json).toMatchObject({
    content: all.answer.repeat(2),
    meta_data: { mood: 'glad' },
    sources: all.sources,
  })
  expect(answer.json.tool_calls[0].function).toMatchObject({ arguments: '{}' })
  const halves = { chunks: ['\ud83d', '\ude00'] }
  expect((await asked(scenarioOf({ answer: answering(halves) }))).answer.json.content).toBe('\ud83d\ude00')
  const beside = await asked(scenarioOf({ answer: answering({ answer: 'x' }), meta_data: { mood: 'busy' } }))
  expect(beside.answer.json).toMatchObject({ content: 'x', meta_data: { mood: 'busy' } })
  expect(told).toEqual([])
})

test('a function that says no meta_data fails where none can be generated', async () => {
  const { answer: _, ...scenario } = { answer: '', ...scenarioOf({ answer: () => 'x' }) }
  const pattern = {
    title: 'M',
    type: 'object',
    properties: { code: { type: 'string', pattern: '^[0-9]{9}$' } },
    required: ['code'],
  }
  const assistants = scenario.assistants.map((one) => ({ ...one, meta_data_response_schema: pattern }))
  const { mock } = await asked({ ...scenario, assistants })
  expect(mock.journal.view()[0]?.scenario_fault).toMatch(/result has no meta_data, and none can be generated/)
})

test('a function that throws, and an expression that takes too long, are mistakes of the scenario, told once', async () => {
  const fails: AnswerFunction = () => {
    throw new Error('no such shelf\n  at all')
  }
  const thrown = await asked(scenarioOf({ when: { turn: 7 }, answer: 'x' }, { answer: fails }))
  await thrown.send('/v1/chat/completions')
  expect(thrown.answer).toMatchObject({ status: 503, reason: 'scenario-failure' })
  expect(thrown.told).toEqual([
    'the scenario failed: assistant "Clerk", turn 2: the answer function threw Error: no such shelf at all',
  ])
  const slow = scenarioOf({ when: { user_matches: '(a+)+$' }, answer: 'x' })
  const late = await asked(slow, `${'a'.repeat(50)}!`)
  expect(late.answer).toMatchObject({ status: 503, reason: 'scenario-failure' })
  expect(late.told).toEqual([
    'the scenario failed: assistant "Clerk", turn 1: the expression (a+)+$ took more than 250 ms; make it simpler',
  ])
})

test('a dry run tells what fails as a problem', async () => {
  const { mock } = await asked(scenarioOf({ answer: answering(5) }))
  const body = JSON.stringify({ assistant: 'Clerk', text: 'Hi' })
  const response = await mock.fetch('/_acs/scenario', { method: 'POST', body })
  expect(await response.json()).toMatchObject({
    applied: false,
    answer: null,
    problems: [expect.stringContaining('the answer function returned a number')],
  })
})

test('a text with half a surrogate pair is refused at once, and a recorded answer is played as it was', async () => {
  await expect(asked(scenarioOf({ answer: 'a\ud83d', meta_data: { mood: 'glad' } }))).rejects.toThrow(
    'assistants[0].turns[0].answer has half a surrogate pair',
  )
  const recorded = leaveUnchecked(answering({ answer: '', meta_data: { mood: 'odd' } }))
  const { answer } = await asked(scenarioOf({ answer: recorded }))
  expect(answer.json).toMatchObject({ content: '…', meta_data: { mood: 'odd' } })
})
