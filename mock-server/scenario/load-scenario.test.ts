/** Tests scenario files: right ones are played, wrong ones get place, rule and fix. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock } from '../mock.ts'
import { checkScenario } from './check-scenario.ts'
import { defaultScenario } from './default-scenario.ts'
import { loadScenario, scenarioYaml } from './load-scenario.ts'
import { ScenarioError } from './scenario-problem.ts'

const base = `name: shop
tenants:
  - name: primary
    keys: [{ key: acs-demo-primary }]
    assistants: [Clerk]
assistants:
  - name: Clerk
    streaming: true
    meta_data_response_schema:
      title: ClerkMetaData
      type: object
      properties: { mood: { type: string } }
      required: [mood]
    turns:
      - answer: Hello
`
const load = (text: string) => loadScenario(text, { file: 'shop.yaml' })
const told = async (text: string): Promise<readonly string[]> => {
  const error: unknown = await load(text).catch((cause: unknown) => cause)
  if (!(error instanceof ScenarioError)) throw new Error(`not refused: ${text}`)
  return error.problems
}

test('the default scenario, printed and read again, is the default scenario', async () => {
  expect(await load(await scenarioYaml(defaultScenario))).toEqual(defaultScenario)
})

test('everything that an assistant can do is said in a file', async () => {
  const text = base.replace(
    '      - answer: Hello\n',
    `      - when: { turn: 1, last_role: user, user_matches: stock }
        answer: Let me look.
        reasoning: The stock system knows.
        tool_calls: [{ name: stock, arguments: { sku: 7 } }]
      - when: { last_role: tool }
        answer: "The system says {{tool}}."
        sources: [{ content: Shelf 3, meta_data: { document_title: Plan, section: "3" } }]
        meta_data: { mood: glad }
      - answer: "You said: {{user}}"
    latency: { first_chunk_ms: 200, chunks_per_second: 10, jitter: 0.5 }
    faults: [{ fault: "late-headers:50", operation: runThread, times: 1 }]
files: { ready_after_polls: 2, fails_when_named: "\\\\.bad$" }
`,
  )
  const mock = await createMock({ scenario: await load(text), clock: { mode: 'frozen' } })
  const primary = mockClient(mock.main, mock)
  const thread = await primary.thread()
  await primary.say(thread, { role: 'user', content: 'What is in stock?' })
  const asked = (await primary.post(`/v1/threads/${thread}/run`, {})).json
  expect(JSON.parse(asked.tool_calls[0].function.arguments)).toEqual({ sku: 7 })
  await primary.say(thread, { role: 'tool', content: '12', tool_call_id: asked.tool_calls[0].id })
  const answered = (await primary.post(`/v1/threads/${thread}/run`, {})).json
  expect(answered).toMatchObject({ content: 'The system says 12.', meta_data: { mood: 'glad' } })
  expect(mock.journal.query({ fault: 'late-headers' })).toHaveLength(1)
})

test('a fixture that breaks the contract is refused with the requirement', async () => {
  const broken = [
    ['- answer: Hello', '- { answer: Hello, meta_data: { mood: 7 } }', 'resources.meta-data-fits-schema'],
    ['- answer: Hello', '- answer: ""', 'resources.message-content-not-empty'],
    [
      '- answer: Hello',
      '- { answer: Hello, sources: [{ content: x, meta_data: { document_title: y } }] }',
      'resources.source-fields',
    ],
    ['type: object', 'type: array', 'assistants.schema-describes-object'],
    ['title: ClerkMetaData', 'description: none', 'assistants.schema-complete'],
    ['{ type: string } }', '{ type: strange } }', 'assistants.schema-is-json-schema'],
    ['{ type: string } }', '{ type: string, pattern: "^[0-9]{9}$" } }', 'resources.meta-data-fits-schema'],
    ['[{ key: acs-demo-primary }]', '[{ key: a }, { key: a }]', 'tenancy.keys-are-own'],
  ] as const
  for (const [right, wrong, requirement] of broken) {
    const [first] = await told(base.replace(right, wrong))
    expect(first, wrong).toContain(`(${requirement})`)
    expect(first).toMatch(/^shop\.yaml:\d+:\d+: .+; .+/)
  }
})

test('what is wrong is told with line and column, all of it, in the order of the file', async () => {
  const text = base.replace('keys: [{', 'kees: [{').replace('streaming: true', 'streaming: yes please')
  expect(await told(text)).toEqual([
    'shop.yaml:3:5: tenants[0] lacks the field "keys"; add it: API keys; each belongs to one tenant',
    'shop.yaml:4:5: tenants[0].kees is unknown; did you mean "keys"?',
    'shop.yaml:8:16: assistants[0].streaming must be boolean; Whether it answers in streams',
  ])
})

test('names must resolve, expressions compile, faults exist', async () => {
  expect(await told(base.replace('[Clerk]', '[Clark]'))).toEqual([
    'shop.yaml:5:18: tenants[0].assistants[0] names no assistant: "Clark"; did you mean "Clerk"?',
  ])
  const turn = '- { answer: x, when: { user_matches: "(" } }'
  expect((await told(base.replace('- answer: Hello', turn)))[0]).toContain('user_matches is no regular expression')
  const fault = await told(`${base}    faults: [{ fault: stal, operation: runThreads }]\n`)
  expect(fault).toEqual([
    'shop.yaml:16:23: assistants[0].faults[0].fault is no fault: no fault is called "stal"; did you mean "stall"?; GET /_acs/faults lists the atlas',
    'shop.yaml:16:40: assistants[0].faults[0].operation is no operation; did you mean "runThread"?',
  ])
})

test('broken YAML, no YAML and a bomb of aliases are refused as such', async () => {
  expect((await told('name: [1\n'))[0]).toMatch(/^shop\.yaml:2:1: not YAML/)
  expect((await told(''))[0]).toContain('the scenario lacks the field "name"')
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...['b', 'c', 'd'].map((name, at) => `${name}: &${name} [${`*${'abc'[at]},`.repeat(9)}]`),
  ]
  expect((await told(bomb.join('\n')))[0]).toContain('not usable')
})

test('a scenario object is held to the same rules', async () => {
  const [first, ...others] = defaultScenario.assistants
  if (first === undefined) throw new Error('no assistant')
  const broken = { ...defaultScenario, assistants: [{ ...first, turns: [{ answer: '' }] }, ...others] }
  await expect(createMock({ scenario: broken })).rejects.toThrow(
    'scenario: assistants[0].turns[0].answer is empty (resources.message-content-not-empty); write some text',
  )
  await checkScenario(defaultScenario)
})

test('an unknown placeholder is refused, with the nearest one', async () => {
  expect(await told(base.replace('answer: Hello', 'answer: "You said: {{usr}}"'))).toEqual([
    expect.stringContaining('has an unknown placeholder: {{usr}}; did you mean {{user}}?'),
  ])
})
