/** Laws of the rules that choose faults: what they match, how often and how likely, in which worlds. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { loadVariants } from '../catalogue.ts'
import { createMock, type Mock } from '../mock.ts'
import { defaultScenario } from '../scenario/default-scenario.ts'
import type { FaultScript } from '../scenario/scenario.ts'
import { FaultError } from './fault-error.ts'
import type { FaultMatch } from './fault-match.ts'
import type { FaultRuleDraft } from './fault-rule.ts'

const uuid = 'dcf7c920-7fd6-4369-8be1-ae7980ec089d'

const statuses = async (mock: Mock, calls: number, path = '/v1/tenants/my-api-keys', world = 'default') => {
  const seen: number[] = []
  for (let call = 0; call < calls; call += 1) {
    const headers = { 'api-key': 'acs-demo-primary', 'x-acs-world': world }
    seen.push((await mock.fetch(path, { headers })).status)
  }
  return seen
}

test('a rule acts so many times in each world, and a reset lets it act again', async () => {
  const mock = await createMock()
  const rule = mock.faults.add({ fault: 'bad_request', match: { operation: 'listMyApiKeys' }, times: 2 })
  expect(await statuses(mock, 3)).toEqual([400, 400, 200])
  expect(await statuses(mock, 3, '/v1/tenants/my-api-keys', 'other')).toEqual([400, 400, 200])
  mock.main.reset()
  expect(await statuses(mock, 1)).toEqual([400])
  expect(mock.faults.rules()).toEqual([{ ...rule, matched: 7, counts: { chosen: 5, applied: 5, missed: 0 } }])
  expect(mock.faults.remove(rule.id)).toBe(true)
  expect(await statuses(mock, 1)).toEqual([200])
})

test('a rule of one world is met by no other, goes along with a fork and ends with its world', async () => {
  const mock = await createMock()
  const world = mock.world({ name: 'a' })
  world.faults.add({ fault: 'tenant_not_found' })
  const fork = world.fork()
  expect(await statuses(mock, 1)).toEqual([200])
  expect(await statuses(mock, 1, '/v1/tenants/my-api-keys', 'a')).toEqual([404])
  expect(await statuses(mock, 1, '/v1/tenants/my-api-keys', fork.name)).toEqual([404])
  world.destroy()
  expect(mock.faults.rules().map(({ match }) => match?.world)).toEqual([fork.name])
  fork.faults.clear()
  expect(mock.faults.rules()).toEqual([])
})

test('a rule matches tenant, assistant and thread, by whatever names them', async () => {
  const mock = await createMock({ clock: { mode: 'frozen' } })
  const primary = mockClient(mock.main, mock)
  const threads = [await primary.thread('Echo'), await primary.thread('Weather desk')] as const
  for (const id of threads) await primary.say(id, { role: 'user', content: 'x' })
  const failing = async (match: object) => {
    mock.faults.clear()
    mock.faults.add({ fault: 'api_timeout_error', match })
    const runs = threads.map((id) => primary.post(`/v1/threads/${id}/run`, {}))
    const named = primary.post(`/v1/threads/${threads[0]}/run`, { assistant_id: primary.assistant('Slow echo') })
    return (await Promise.all([...runs, named])).map(({ status }) => (status === 504 ? 'x' : '-')).join('')
  }
  expect(await failing({ assistant: 'Echo' })).toBe('x--')
  expect(await failing({ assistant: primary.assistant('Slow echo') })).toBe('--x')
  expect(await failing({ thread: threads[1].toUpperCase() })).toBe('-x-')
  expect(await failing({ tenant: 'secondary' })).toBe('---')
  expect(await failing({ tenant: 'primary', operation: 'runThread' })).toBe('xxx')
})

test('a rule matches a header by name or text, and a text in the body, as the filters of the journal do', async () => {
  const mock = await createMock()
  const failing = async (match: FaultMatch) => {
    mock.faults.clear()
    mock.faults.add({ fault: 'gateway-error', match })
    const { journal } = mock
    journal.clear()
    for (const [user, content] of [
      ['jane', 'a refund, please'],
      ['john', 'A "refund"'],
      [null, 'Grüße'],
    ] as const) {
      const headers = { 'api-key': 'acs-demo-primary', ...(user === null ? null : { 'user-id': user }) }
      await mock.fetch('/v1/threads', { method: 'POST', headers, body: JSON.stringify({ content }) })
    }
    const { world: _world, ...filter } = match
    const found = journal.query(filter)
    return journal
      .query()
      .map((entry) => {
        expect(entry.status === 502).toBe(found.includes(entry))
        return entry.status === 502 ? 'x' : '-'
      })
      .join('')
  }
  expect(await failing({ header: 'User-Id' })).toBe('xx-')
  expect(await failing({ header: 'user-id: ja' })).toBe('x--')
  expect(await failing({ header: 'user-id: Jane' })).toBe('---')
  expect(await failing({ body: 'refund' })).toBe('xx-')
  expect(await failing({ body: 'Grüße', operation: 'createThread' })).toBe('--x')
  expect(await failing({ body: 'refund', header: 'user-id: john' })).toBe('-x-')
})

test('a rule matches a header over HTTP, and no body that is not kept', async () => {
  const mock = await createMock()
  const add = async (match: object) => {
    const body = JSON.stringify({ fault: 'gateway-error:413', match })
    return (await mock.fetch('/_acs/faults/rules', { method: 'POST', body })).json()
  }
  expect(await add({ header: 'x-a', body: 'x' })).toMatchObject({ match: { header: 'x-a', body: 'x' } })
  expect(JSON.stringify(await add({ body: 3 }))).toContain('must be a string')
  expect(JSON.stringify(await add({ header: 'a b' }))).toContain('no header can be called')
  const put = { method: 'PUT', headers: { 'x-a': '' }, body: 'x' }
  expect((await mock.fetch('/v1/uploads/x', put)).status).not.toBe(413)
  expect(await add({ header: 'x-a' })).toMatchObject({ id: 'rule-2' })
  expect((await mock.fetch('/v1/uploads/x', put)).status).toBe(413)
})

test('a probability is drawn from the seed and the request, not from the order of requests', async () => {
  const paths = Array.from({ length: 60 }, (_, index) => `/v1/tenants/my-api-keys?${index % 20}`)
  const failing = async (seed: number, order: readonly string[]) => {
    const mock = await createMock({ seed })
    mock.faults.add({ fault: 'bad_request', probability: 0.5 })
    const failed: string[] = []
    for (const path of order) if ((await statuses(mock, 1, path))[0] === 400) failed.push(path)
    return failed.sort()
  }
  const once = await failing(1, paths)
  expect(once.length).toBeGreaterThan(15)
  expect(once.length).toBeLessThan(45)
  expect(await failing(1, [...paths].reverse())).toEqual(once)
  expect(await failing(2, paths)).not.toEqual(once)
})

test('a scenario gives faults to tenants and assistants', async () => {
  const [first, ...tenants] = defaultScenario.tenants
  if (first === undefined) throw new Error('no tenant')
  const mock = await createMock({
    scenario: {
      ...defaultScenario,
      tenants: [{ ...first, faults: [{ fault: 'bad_request', operation: 'listMyApiKeys', times: 1 }] }, ...tenants],
      assistants: defaultScenario.assistants.map((one) =>
        one.name === 'Echo' ? { ...one, faults: [{ fault: 'late-headers:5; assistant_not_available' }] } : one,
      ),
    },
    clock: { mode: 'frozen' },
  })
  expect(await statuses(mock, 2)).toEqual([400, 200])
  const primary = mockClient(mock.main, mock)
  const body = (name: string) => ({ assistant_id: primary.assistant(name), messages: [{ role: 'user', content: 'x' }] })
  expect((await primary.post('/v1/chat/completions', body('Echo'))).status).toBe(403)
  expect((await primary.post('/v1/chat/completions', body('Slow echo'))).status).toBe(200)
})

test('a rule that means nothing is refused with what is wrong', async () => {
  const { faults } = await createMock()
  expect(() => faults.add({ fault: 'reset' })).toThrow(FaultError)
  expect(() => faults.add({ fault: 'stall', times: 0 })).toThrow('times is a whole number')
  for (const probability of [0, -1, 2, Number.NaN])
    expect(() => faults.add({ fault: 'stall', probability })).toThrow('above 0 and at most 1')
  const operation = 'runThreads' as 'runThread'
  expect(() => faults.add({ fault: 'stall', match: { operation } })).toThrow('did you mean "runThread"?')
})

test.each<readonly [FaultRuleDraft, string, string]>([
  [
    { fault: 'stall', match: { tenant: 'secondary', assistant: 'Echo' } },
    'match.assistant',
    'tenant "secondary" has no assistant "Echo"; it has Echo next door',
  ],
  [
    { fault: 'stall; tenant_not_found', match: { assistant: 'Echo' } },
    'fault',
    'tenant_not_found never applies to a request that names an assistant; it applies to listMyApiKeys',
  ],
  [
    { fault: 'bad_request', match: { thread: uuid } },
    'fault',
    'bad_request never applies to a request that names a thread; it applies to listMyApiKeys',
  ],
  [
    { fault: 'end-after-chunk', match: { assistant: 'Whole answers only' } },
    'match.assistant',
    'end-after-chunk never applies to "Whole answers only", which does not stream; use an assistant that does',
  ],
  [
    { fault: 'stall:after=1', match: { assistant: 'Whole answers only' } },
    'match.assistant',
    'stall:after=1 never applies to "Whole answers only", which does not stream; use an assistant that does',
  ],
  [
    { fault: 'stall', match: { operation: 'listAssistants', assistant: 'Echo' } },
    'match.operation',
    'a request of listAssistants names no assistant; use one of createChatCompletion, streamChatCompletion, streamChatCompletionEvents, runThread, streamThreadRun, listMessages, createMessage, getAssistant, createThread',
  ],
  [
    { fault: 'stall', match: { operation: 'getAssistant', thread: uuid } },
    'match.operation',
    'a request of getAssistant names no thread; use one of createChatCompletion, streamChatCompletion, streamChatCompletionEvents, runThread, streamThreadRun, listMessages, createMessage',
  ],
  [
    { fault: 'stall', match: { operation: 'uploadFile', tenant: 'primary' } },
    'match.operation',
    'a request of uploadFile names no tenant; use one of createChatCompletion',
  ],
  [
    { fault: 'stall', match: { operation: 'listMessages', body: 'x' } },
    'match.operation',
    'a request of listMessages has no body; use one of createChatCompletion',
  ],
  [
    { fault: 'tenant_not_found', match: { body: 'x' } },
    'fault',
    'tenant_not_found never applies to a request that has a body; it applies to listMyApiKeys',
  ],
  [{ fault: 'stall', match: { body: '' } }, 'match.body', 'body is a text of at least one character, not ""'],
  [
    { fault: 'stall', match: { header: 'user id' } },
    'match.header',
    'no header can be called "user id"; use a name, or a name and a text: "user-id: jane"',
  ],
  [{ fault: 'stall', match: { header: ': jane' } }, 'match.header', 'no header can be called ": jane"'],
  [{ fault: 'stall', match: { world: 'a b' } }, 'match.world', 'no world can be called "a b"; use 1 to 64 of'],
])('the rule %j can never act and is refused with the field and the reason', async (draft, field, told) => {
  const { faults } = await createMock()
  expect(() => faults.add(draft)).toThrow(expect.objectContaining({ field, problem: expect.stringContaining(told) }))
})

test('a rule that may act is kept: a stream that is refused, a later world, an id in another form', async () => {
  const mock = await createMock()
  for (const fault of ['stall', 'cut-after-chunk:0', 'engine_does_not_support_streaming', 'rate_limit_gateway'])
    mock.faults.add({ fault, match: { assistant: 'Whole answers only' } })
  mock.faults.add({ fault: 'stall', match: { thread: uuid.replaceAll('-', '').toUpperCase(), world: 'later' } })
  mock.faults.add({ fault: 'stall; tenant_not_found', match: { tenant: 'secondary' } })
  const variant = (await loadVariants()).find(({ id }) => id === 'streams.whole-assistant-streams-one-chunk')
  const lenient = await createMock({ deviations: variant?.overrides ?? [] })
  const primary = mockClient(lenient.main, lenient)
  lenient.faults.add({ fault: 'no-final-newline', match: { assistant: 'Whole answers only' } })
  await primary.post('/v1/chat/completions/stream', {
    assistant_id: primary.assistant('Whole answers only'),
    messages: [{ role: 'user', content: 'x' }],
  })
  expect(lenient.faults.rules()[0]?.counts).toEqual({ chosen: 1, applied: 1, missed: 0 })
})

test('a fork keeps the rules of its origin, also when a scenario without their assistant came since', async () => {
  const mock = await createMock()
  const world = mock.world({ name: 'a' })
  world.faults.add({ fault: 'stall', match: { assistant: 'Slow echo' }, times: 1 })
  const [first, ...tenants] = defaultScenario.tenants
  if (first === undefined) throw new Error('no tenant')
  await mock.reload({ ...defaultScenario, tenants: [{ ...first, assistants: ['Echo'] }, ...tenants] })
  expect(world.fork().faults.rules()).toMatchObject([{ fault: 'stall', matched: 0, times: 1 }])
})

test('a scenario is refused for faults that no request of its tenant or assistant can have', async () => {
  const withFaults = (faults: readonly FaultScript[]) => ({
    ...defaultScenario,
    assistants: defaultScenario.assistants.map((one) => (one.name === 'Echo' ? { ...one, faults } : one)),
  })
  await expect(createMock({ scenario: withFaults([{ fault: 'tenant_not_found' }]) })).rejects.toThrow(
    'scenario: assistants[0].faults[0].fault does not fit: tenant_not_found never applies to a request that names an assistant; it applies to listMyApiKeys',
  )
  const unnamed = withFaults([{ fault: 'stall', operation: 'listAssistants' }])
  await expect(createMock({ scenario: unnamed })).rejects.toThrow(
    'assistants[0].faults[0].operation does not fit: a request of listAssistants names no assistant; use one of',
  )
})
