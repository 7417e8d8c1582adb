/** Every hook can be overridden, alone, and an unbent one gives the same bytes as none. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { defaultDomainHooks } from '../machine/domain-hooks.ts'
import { createMock } from '../mock.ts'
import { composeHttpHooks, type Deviation, type HookName, type HttpHooks } from './hooks.ts'

const shellNames = ['authorize', 'validate', 'step', 'body', 'payload', 'chunks', 'chunk', 'line', 'head'] as const
const hookNames = [...(Object.keys(defaultDomainHooks) as HookName[]), ...shellNames] as const

function watch(hook: HookName, seen: Set<HookName>): Deviation {
  const wrap =
    (next: (...given: unknown[]) => unknown) =>
    (...given: unknown[]) => {
      seen.add(hook)
      return next(...given)
    }
  return { id: `watch.${hook}`, requirement: 'streams.ndjson', description: '', hook, wrap } as unknown as Deviation
}

async function conversation(overrides: readonly Deviation[]): Promise<string> {
  const mock = await createMock({ clock: { mode: 'frozen' }, deviations: overrides })
  const primary = mockClient(mock.main, mock)
  const parts: string[] = []
  const thread = await primary.thread()
  for (let index = 0; index < 3; index += 1)
    parts.push((await primary.say(thread, { role: 'user', content: `m${index}` })).text)
  parts.push((await primary.post(`/v1/threads/${thread}/run/stream`, {})).text)
  const page = await primary.get(`/v1/threads/${thread}/messages?limit=2`)
  parts.push(page.text, (await primary.get(`/v1/threads/${thread}/messages?limit=2&cursor=${page.json.cursor}`)).text)
  parts.push((await primary.post('/v1/chat/completions', {})).text, (await primary.get('/v1/nowhere')).text)
  return parts.join('\n')
}

test('a deviation that bends nothing changes no byte, and every seam is really passed', async () => {
  const plain = await conversation([])
  const seen = new Set<HookName>()
  for (const hook of hookNames) expect(await conversation([watch(hook, seen)])).toBe(plain)
  expect([...seen].sort()).toEqual([...hookNames].sort())
  expect(await conversation(hookNames.map((hook) => watch(hook, seen)))).toBe(plain)
})

test('without deviations there is nothing in the way', () => {
  const hooks = composeHttpHooks([], {} as HttpHooks, { seed: 1 })
  expect([hooks.anyOverridden, Object.values(hooks.isOverridden).includes(true)]).toEqual([false, false])
})

test('deviations of one seam stack, the first one innermost', async () => {
  const mark = (letter: string): Deviation => ({
    id: `streams.mark-${letter}`,
    requirement: 'resources.chunk-fields',
    description: 'Marks the content of every answer.',
    hook: 'answer',
    wrap: (next) => (answer, context) => {
      const faithful = next(answer, context)
      return { ...faithful, content: faithful.content + letter }
    },
  })
  const mock = await createMock({ deviations: [mark('a'), mark('b')] })
  const primary = mockClient(mock.main, mock)
  const body = { assistant_id: primary.assistant('Echo'), messages: [{ role: 'user', content: 'x' }] }
  expect((await primary.post('/v1/chat/completions', body)).json.content).toBe('You said: xab')
})

test('a rule that is not enforced lets its request through, to a defined end', async () => {
  const mock = await createMock({
    deviations: [
      {
        hook: 'checkRule',
        wrap: (next) => (reason, broken, context) => reason !== 'no-user-message' && next(reason, broken, context),
      },
    ],
  })
  const primary = mockClient(mock.main, mock)
  const answer = await primary.post(`/v1/threads/${await primary.thread()}/run`, {})
  expect([answer.status, answer.json.role]).toEqual([200, 'assistant'])
})

test('a deviation that throws is an internal error of one exchange, not the end of the mock', async () => {
  const fail = () => {
    throw new Error('bent too far')
  }
  const step: Deviation = {
    id: 'x.step',
    requirement: 'resources.chunk-fields',
    description: '',
    hook: 'step',
    wrap: () => fail,
  }
  const line: Deviation = {
    id: 'x.line',
    requirement: 'resources.chunk-fields',
    description: '',
    hook: 'line',
    wrap: () => fail,
  }
  const mock = await createMock()
  const broken = mockClient(mock.world({ deviations: [step] }), mock)
  const refused = await broken.post('/v1/threads', {})
  expect([refused.status, refused.json.error_code, refused.reason]).toEqual([
    503,
    'internal_service_error',
    'mock-failure',
  ])
  const cut = mockClient(mock.world({ deviations: [line] }), mock)
  const body = { assistant_id: cut.assistant('Echo'), messages: [{ role: 'user', content: 'x' }] }
  await expect(cut.post('/v1/chat/completions/stream', body)).rejects.toThrow(/terminated/)
  expect((await mockClient(mock.main, mock).post('/v1/threads', {})).status).toBe(201)
})
