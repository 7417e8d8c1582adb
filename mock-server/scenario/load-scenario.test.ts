/** Tests scenario files: right ones are played, wrong ones get place, rule and fix. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock } from '../mock.ts'
import { checkScenario } from './check-scenario.ts'
import { defaultScenario } from './default-scenario.ts'
import { loadScenario, scenarioYaml } from './load-scenario.ts'
import type { AnswerFunction, AnswerRequest, Scenario, TurnScript } from './scenario.ts'
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

test('a text needs no name of a file, and a path in its place is told as such', async () => {
  await expect(loadScenario('name: 5')).rejects.toThrow('scenario:1:1: the scenario lacks the field "tenants"')
  await expect(loadScenario('./shop.yaml')).rejects.toThrow('scenario:1:1: "./shop.yaml" is a path; give the text')
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
  expect((await told(base.replace('- answer: Hello', turn)))[0]).toContain('user_matches is not a regular expression')
  const fault = await told(`${base}    faults: [{ fault: stal, operation: runThreads }]\n`)
  expect(fault).toEqual([
    'shop.yaml:16:23: assistants[0].faults[0].fault is not a fault: no fault is called "stal"; did you mean "stall"?; GET /_acs/faults lists all faults',
    'shop.yaml:16:40: assistants[0].faults[0].operation is not an operation; did you mean "runThread"?',
  ])
  expect(await told(`${base}    faults: [{ fault: stall, probability: 0 }]\n`)).toEqual([
    'shop.yaml:16:43: assistants[0].faults[0].probability must be > 0; Fraction of the requests, chosen by the seed',
  ])
})

test('a fault that can never apply is told with its place, and a reload with one changes nothing', async () => {
  const wrong = `${base}    faults: [{ fault: api_timeout_error, operation: listMessages }]\n`
  const applies = 'createChatCompletion, streamChatCompletion, runThread, streamThreadRun, streamChatCompletionEvents'
  expect(await told(wrong)).toEqual([
    `shop.yaml:16:53: assistants[0].faults[0].operation does not fit: api_timeout_error never applies to listMessages; it applies to ${applies}`,
  ])
  const cut = '    faults: [{ fault: "cut-after-chunk; stall:after=1", operation: createChatCompletion }]\n'
  expect((await told(base.replace('    keys:', `${cut}    keys:`))).map((line) => line.split(';')[0])).toEqual([
    'shop.yaml:4:68: tenants[0].faults[0].operation does not fit: cut-after-chunk never applies to createChatCompletion',
    'shop.yaml:4:68: tenants[0].faults[0].operation does not fit: stall:after=1 never applies to createChatCompletion',
  ])
  const mock = await createMock()
  const body = JSON.stringify({ yaml: wrong })
  const trial = await mock.fetch('/_acs/scenario', { method: 'POST', body })
  expect(await trial.json()).toMatchObject({ problems: [expect.stringContaining('scenario:16:53: assistants[0]')] })
  const [first, ...others] = defaultScenario.assistants
  if (first === undefined) throw new Error('no assistant')
  const faults = [{ fault: 'cut-after-chunk', operation: 'createChatCompletion' }] as const
  const changed = { ...defaultScenario, name: 'changed', assistants: [{ ...first, faults }, ...others] }
  await expect(mock.reload(changed)).rejects.toThrow(ScenarioError)
  expect(mock.scenario.name).toBe('default')
})

test('faults of an assistant that no tenant has are refused', async () => {
  const second = base.slice(base.indexOf('  - name: Clerk')).replaceAll('Clerk', 'Other')
  expect(await told(`${base}${second}    faults: [{ fault: stall }]\n`)).toEqual([
    'shop.yaml:25:5: assistants[1].faults never apply: no tenant has the assistant "Other"; add it to a tenant\'s assistants, or remove the faults',
  ])
  await createMock({ scenario: await load(base + second) })
})

test('an alias without an anchor before it is told with its place', async () => {
  const early = base.replace('[Clerk]', '[*who, *other]').replace('name: Clerk', 'name: &who Clerk')
  expect(await told(early)).toEqual([
    'shop.yaml:5:18: the alias *who has no anchor; write &who at a value before it, or quote the text',
    'shop.yaml:5:24: the alias *other has no anchor; write &other at a value before it, or quote the text',
  ])
  const shared = base.replace('name: primary', 'name: &who Clerk').replace('[Clerk]', '[*who]')
  expect((await load(shared)).tenants[0]?.assistants).toEqual(['Clerk'])
})

test('broken YAML, no YAML and a bomb of aliases are refused as such', async () => {
  expect((await told('name: [1\n'))[0]).toMatch(/^shop\.yaml:2:1: not YAML/)
  expect((await told(''))[0]).toContain('the scenario lacks the field "name"')
  expect(await told(Buffer.from(base, 'utf16le').toString())).toEqual([
    'shop.yaml:1:1: not UTF-8 (it has NUL characters, as UTF-16 has); save it as UTF-8',
  ])
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
  const misspelt = {
    name: 's',
    tenants: [],
    assistants: [{ name: 'A', streeming: true, turns: [{ answer: () => 'x' }] }],
  }
  await expect(createMock({ scenario: misspelt as never })).rejects.toMatchObject({
    name: 'ScenarioError',
    problems: expect.arrayContaining([
      expect.stringContaining('scenario: assistants[0] lacks the field "meta_data_response_schema"'),
      'scenario: assistants[0].streeming is unknown; did you mean "streaming"?',
    ]),
  })
})

test('an unknown placeholder is refused, with the nearest one', async () => {
  expect(await told(base.replace('answer: Hello', 'answer: "You said: {{usr}}"'))).toEqual([
    expect.stringContaining('has an unknown placeholder: {{usr}}; did you mean {{user}}?'),
  ])
})

test('problems of shape and of meaning are told together, in the order of the file', async () => {
  const second = base.slice(base.indexOf('  - name: Clerk')).replaceAll('Clerk', 'Other')
  const text = `${base.replace('streaming: true', 'streeming: true')}      - { answer: x, sources: [{}], colour: red }
${second.replace('- answer: Hello', '- { answer: "{{usr}}", meta_data: { mood: 7 } }')}      - { answer: x, colour: red }
`
  expect((await told(text)).map((line) => line.replace(/^shop\.yaml:\d+:\d+: /, '').split(';')[0])).toEqual([
    'assistants[0] lacks the field "streaming"',
    'assistants[0].streeming is unknown',
    'assistants[0].turns[1].sources[0] lacks the string content and meta_data.document_title and meta_data.section (resources.source-fields)',
    'assistants[0].turns[1].colour is unknown',
    'assistants[1].turns[0].answer has an unknown placeholder: {{usr}}',
    "assistants[1].turns[0].meta_data does not match the assistant's schema: /mood must be string (resources.meta-data-fits-schema)",
    'assistants[1].turns[1].colour is unknown',
  ])
})

test('a part with a problem of shape hides no other problem, and makes none up', async () => {
  const text = base
    .replace('streaming: true', 'streaming: maybe')
    .replace('answer: Hello', 'answer: "{{usr}}"')
    .replace('assistants: [Clerk]', 'assistants: [Clerk, Clark]')
    .replace('key: acs-demo-primary', 'key: 7')
  expect((await told(text)).map((line) => line.replace(/^shop\.yaml:\d+:\d+: /, '').split(';')[0])).toEqual([
    'tenants[0].keys[0].key must be string',
    'tenants[0].assistants[1] names no assistant: "Clark"',
    'assistants[0].streaming must be boolean',
    'assistants[0].turns[0].answer has an unknown placeholder: {{usr}}',
  ])
  const nameless = base.replace('- name: Clerk', '- nam: Clerk')
  expect((await told(nameless)).map((line) => line.split(': ')[1]?.split(';')[0])).toEqual([
    'assistants[0] lacks the field "name"',
    'assistants[0].nam is unknown',
  ])
})

/** Content and arrival of each chunk of an answer of the clerk. */
async function streamed(scenario: Scenario, operation = 'stream') {
  const mock = await createMock({ scenario, clock: { mode: 'frozen' } })
  const primary = mockClient(mock.main, mock)
  const body = { assistant_id: primary.assistant('Clerk'), messages: [{ role: 'user', content: 'Hi' }] }
  const chunks = await primary.stream(`/v1/chat/completions/${operation}`, body)
  const list = await primary.get(`/v1/threads/${chunks[0].thread_id}/messages`)
  const times = mock.journal.query()[0]?.chunkTimesUs ?? []
  return {
    chunks,
    times: times.map((tick) => tick - (times[0] ?? 0)),
    stored: list.json.items[0].content,
    mock,
    primary,
  }
}

const withTurn = (turn: TurnScript): Scenario => ({
  ...defaultScenario,
  tenants: [{ name: 'primary', keys: [{ key: 'acs-demo-primary' }], assistants: ['Clerk'] }],
  assistants: [
    {
      name: 'Clerk',
      streaming: true,
      meta_data_response_schema: { title: 'Clerk', type: 'object', properties: {} },
      turns: [turn],
    },
  ],
})

test('chunks of a turn are the chunks of its stream, with the pauses that it asks for', async () => {
  const chunks = [
    '# Re',
    { text: 'port\n\n', pause_ms: 250 },
    '- you said {{user}} \ud83d',
    '\ude00',
    { text: '', pause_ms: 0 },
  ]
  const whole = '# Report\n\n- you said Hi \ud83d\ude00'
  const text = await streamed(withTurn({ chunks, reasoning: 'Hm.' }))
  expect(text.chunks.map(({ delta }) => delta.content)).toEqual([
    '# Re',
    'port\n\n',
    '- you said Hi \ud83d',
    '\ude00',
    '',
  ])
  expect(text.stored).toBe(whole)
  expect(text.times.map((us) => Math.round(us / 1000))).toEqual([0, 250, 250, 250, 250])
  const blocks = await streamed(withTurn({ chunks, reasoning: 'Hm.' }), 'events/stream')
  const texts = blocks.chunks.flatMap(({ delta }) =>
    delta.content_blocks.map((block: { text?: string }) => block.text ?? []),
  )
  expect(texts.flat()).toEqual(['# Re', 'port\n\n', '- you said Hi \ud83d', '\ude00', ''])
})

test('a long answer is a short one said often, and Markdown comes through to the character', async () => {
  const markdown = '| a | b |\n|---|---|\n| `x` | **y** |\n\n```ts\nconst a = 1\n```\n'
  const { chunks, stored } = await streamed(withTurn({ answer: markdown, repeat: 3000 }))
  expect(stored).toBe(markdown.repeat(3000))
  expect(chunks.map(({ delta }) => delta.content).join('')).toBe(stored)
})

test('a function answers from the thread, with all that a turn can say', async () => {
  const seen: AnswerRequest[] = []
  const answer: AnswerFunction = (request) => {
    seen.push(request)
    if (request.turn > 1) return `{{user}} number ${request.turn}`
    return { chunks: ['a', 'b'], tool_calls: [{ name: 'f', arguments: { x: 1 } }], meta_data: { y: 2 } }
  }
  const { chunks, mock, primary } = await streamed(withTurn({ answer }))
  expect(chunks.map(({ delta }) => delta.content)).toEqual(['a', 'b'])
  expect(chunks[1].delta.tool_calls[0].function).toEqual({ name: 'f', arguments: '{"x":1}' })
  expect(seen).toMatchObject([{ turn: 1, user: 'Hi', tool: '', toolsOffered: false, messages: [{ content: 'Hi' }] }])
  const thread = await primary.thread()
  await primary.say(thread, { role: 'user', content: 'one' })
  await primary.post(`/v1/threads/${thread}/run`, {})
  const calls = mock.main.export().threads.find(({ id }) => id === thread)?.messages[1]?.tool_calls
  const [call] = calls as readonly { readonly id: string }[]
  await primary.say(thread, { role: 'tool', content: 'r', tool_call_id: call?.id ?? '' })
  expect((await primary.post(`/v1/threads/${thread}/run`, {})).json.content).toBe('{{user}} number 2')
})

test.each<readonly [string, TurnScript, string]>([
  ['neither answer nor chunks', {}, 'assistants[0].turns[0] lacks the field "answer"; add answer or chunks'],
  ['both', { answer: 'a', chunks: ['a'] }, 'assistants[0].turns[0].answer cannot be used with chunks'],
  ['empty chunks', { chunks: ['', ''] }, 'assistants[0].turns[0].chunks is empty'],
  ['a placeholder that is none', { chunks: ['a', '{{usr}}'] }, 'assistants[0].turns[0].chunks[1] has an unknown'],
])('a turn with %s is refused', async (_name, turn, problem) => {
  await expect(createMock({ scenario: withTurn(turn) })).rejects.toThrow(problem)
})

test('another scenario is played from now on, threads go on, and one that is broken changes nothing', async () => {
  const mock = await createMock({ scenario: withTurn({ answer: 'one' }), clock: { mode: 'frozen' } })
  const primary = mockClient(mock.main, mock)
  const thread = await primary.thread()
  await primary.say(thread, { role: 'user', content: 'x' })
  const run = async () => (await primary.post(`/v1/threads/${thread}/run`, {})).json.content
  expect(await run()).toBe('one')
  await expect(mock.reload(withTurn({ answer: '' }))).rejects.toThrow(ScenarioError)
  expect(await run()).toBe('one')
  const [assistant] = withTurn({ answer: 'two' }).assistants
  if (assistant === undefined) throw new Error('no assistant')
  const faults = [{ fault: 'stall:ms=1', operation: 'runThread' }] as const
  await mock.reload({ ...withTurn({ answer: 'two' }), assistants: [{ ...assistant, faults }] })
  expect(await run()).toBe('two')
  expect(mock.journal.query({ fault: 'stall' })).toHaveLength(1)
})

test('a mock of a known scenario costs at most 2 ms of processor time', async () => {
  const scenario = structuredClone(defaultScenario)
  await createMock({ scenario })
  const costs: number[] = []
  for (let round = 0; round < 21; round += 1) {
    const before = process.cpuUsage()
    const mock = await createMock({ scenario })
    const { user, system } = process.cpuUsage(before)
    costs.push((user + system) / 1000)
    await mock.close()
  }
  expect(costs.toSorted((left, right) => left - right)[10]).toBeLessThan(2)
})

test('a scenario that was loaded or checked is known; one that was changed since is checked again', async () => {
  const scenario = structuredClone(await load(base)) as { assistants: { turns: { answer: string }[] }[] } & Scenario
  await createMock({ scenario })
  const [first] = scenario.assistants
  if (first !== undefined) first.turns = [{ answer: '' }]
  await expect(createMock({ scenario })).rejects.toThrow('is empty')
})

test('where no turn matches, the assistant says so, and the first one that matches hides those after it', async () => {
  const none = await streamed(withTurn({ when: { turn: 9 }, answer: 'x' }))
  expect(none.stored).toBe('I have nothing to say to that.')
  expect(none.mock.journal.view()[0]?.answered_by).toEqual({ assistant: 'Clerk', turn: null })
  const scenario = withTurn({ answer: 'always' })
  const turns = [{ answer: 'always' }, { when: { user_matches: 'hi' }, answer: 'never' }]
  const hidden = await streamed({ ...scenario, assistants: scenario.assistants.map((one) => ({ ...one, turns })) })
  expect(hidden.stored).toBe('always')
})
