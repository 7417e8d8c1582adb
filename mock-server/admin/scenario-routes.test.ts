/** Tests that a scenario is looked at, tried and played through the admin API. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock, type Mock } from '../mock.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
const scenarioOf = async (mock: Mock, body?: object): Promise<any> => {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  return (await mock.fetch('/_acs/scenario', init)).json()
}

const completion = async (mock: Mock) => {
  const client = mockClient(mock.main, mock)
  const sent = { assistant_id: client.assistant('Echo'), messages: [{ role: 'user', content: 'hi' }] }
  return client.post('/v1/chat/completions', sent)
}

test('the scenario is shown as YAML with ids and keys', async () => {
  const mock = await createMock()
  const shown = await scenarioOf(mock)
  expect(shown).toMatchObject({
    name: 'default',
    tenants: [{ name: 'primary', keys: [{ key: 'acs-demo-primary' }] }, {}, {}],
  })
  expect(shown.yaml).toContain('You said: {{user}}')
})

test('a dry run says which turn would answer, and changes nothing', async () => {
  const mock = await createMock()
  const { yaml } = await scenarioOf(mock)
  const changed = yaml.replaceAll('You said: {{user}}', 'I heard: {{user}}')
  const trial = await scenarioOf(mock, { yaml: changed, assistant: 'Echo', text: 'hi' })
  expect(trial).toMatchObject({ applied: false, problems: [], answer: { turn: 1, content: 'I heard: hi' } })
  expect((await completion(mock)).json.content).toBe('You said: hi')
  const tool = await scenarioOf(mock, { assistant: 'Weather desk', text: 'sunny', role: 'tool' })
  expect(tool.answer).toMatchObject({ turn: 1, when: { last_role: 'tool' }, content: 'The tool says: sunny' })
})

test('every problem of a scenario is told, and none of it is played', async () => {
  const mock = await createMock()
  const told = await scenarioOf(mock, { yaml: 'name: x\n', apply: true })
  expect(told).toEqual({
    applied: false,
    problems: [expect.stringContaining('"tenants"'), expect.stringContaining('"assistants"')],
  })
  expect((await scenarioOf(mock, { assistant: 'Nobody' })).detail[0].loc).toEqual(['body', 'assistant'])
})

test('turns behind one without a condition are named, in a dry run and when they are played', async () => {
  const told: string[] = []
  const mock = await createMock({ onTrouble: (problem) => told.push(problem) })
  const { yaml } = await scenarioOf(mock)
  expect((await scenarioOf(mock, { yaml })).warnings).toEqual([])
  const changed = yaml.replace(
    /( +)- answer: "You said: \{\{user\}\}"/,
    '$1- answer: first\n$1- answer: a\n$1- answer: b',
  )
  expect(changed).not.toBe(yaml)
  const line =
    'scenario: assistants[0].turns[1] ("Echo") and 1 more after it are never reached, because turns[0] has no condition; put turns[0] last'
  expect(await scenarioOf(mock, { yaml: changed })).toMatchObject({ problems: [], warnings: [line] })
  expect(told).toEqual([])
  await scenarioOf(mock, { yaml: changed, apply: true })
  expect(told).toEqual([line])
})

test('an applied scenario is played from now on, with its faults; threads stay, and who watches hears of it', async () => {
  const mock = await createMock()
  const events = mock.live.events(null)
  await events.next()
  const client = mockClient(mock.main, mock)
  const thread = await client.thread()
  await client.say(thread, { role: 'user', content: 'hi' })
  const { yaml } = await scenarioOf(mock)
  const faults = '    faults: [{ fault: api_timeout_error, operation: createChatCompletion, times: 1 }]\n'
  const changed = yaml
    .replaceAll('You said: {{user}}', 'I heard: {{user}}')
    .replace('  - name: Echo\n    streaming', `  - name: Echo\n${faults}    streaming`)
  expect((await scenarioOf(mock, { yaml: changed, apply: true })).applied).toBe(true)
  expect((await events.next()).value).toContain('{"event":"scenario"}\n')
  expect((await completion(mock)).status).toBe(504)
  expect((await completion(mock)).json.content).toBe('I heard: hi')
  expect((await client.post(`/v1/threads/${thread}/run`, {})).json.content).toBe('I heard: hi')
})

test('the journal keeps the keys of every scenario that was played to itself', async () => {
  const mock = await createMock()
  const { yaml } = await scenarioOf(mock)
  await mock.fetch('/v1/assistants?note=acs-demo-primary', { headers: { 'api-key': 'acs-demo-primary' } })
  await scenarioOf(mock, { yaml: yaml.replace('acs-demo-primary', 'other-key'), apply: true })
  expect((await mock.fetch('/v1/assistants?note=other-key', { headers: { 'api-key': 'other-key' } })).status).toBe(200)
  expect(JSON.stringify(mock.journal.view())).not.toMatch(/acs-demo-primary|other-key/)
})
