/** A check that the recorded faulty answers pass is no check of what was found wrong. */
import { expect, test } from 'vitest'
import { checksOf } from './checks.ts'
import { type Check, type Finding, findingOf } from './finding.ts'
import { lastPageWithCursor } from './list-checks.ts'
import { passesOnRecord } from './recorded-answers.ts'

const thread = '4c287205-7d61-4338-b4b7-e07de0d1f0c0'
const stray = 'ccdf6aff-80e9-4b79-a70f-88974d7e94fe'

interface Sent {
  readonly operation: string
  readonly path?: string
  readonly answer: unknown
  readonly status?: number
  readonly gives?: string
}

/** A finding that cites its last two exchanges; `E1` is the first. */
function finding(words: Partial<Finding['verdict']>, ...sent: readonly Sent[]): Finding {
  const ids = sent.map((_, index) => `E${index + 1}`)
  const steps = sent.map(({ operation, path = '/v1/threads/{{id_1}}/messages', status = 200, gives }, index) => ({
    exchange: ids[index],
    operation,
    path,
    body: null,
    gives: gives === undefined ? [] : [{ name: gives, pointer: '/cursor', line: null }],
    observed: { status, ending: 'complete' },
  }))
  const exchanges = sent.map(({ answer, status = 200 }, index) => {
    const utf8 = typeof answer === 'string' ? answer : JSON.stringify(answer)
    return [ids[index], { response: { status, pieces: [{ atMs: 0, bytes: { utf8 } }] } }]
  })
  const verdict = { requirement: 'a.b', operation: 'listMessages', exchanges: ids.slice(-2), ...words }
  return findingOf(verdict as never, { steps } as never, new Map(exchanges as never))
}

const created = { operation: 'createThread', path: '/v1/threads', answer: { id: thread } }
const added = (id: string): Sent => ({ operation: 'createMessage', answer: { id, thread_id: thread } })
const listed = (path: string, items: readonly unknown[], more: Partial<Sent> & { cursor?: string } = {}): Sent => ({
  operation: 'listMessages',
  path: `/v1/threads/{{id_1}}/messages${path}`,
  answer: { items, cursor: more.cursor ?? null },
  ...more,
})

test('a message of another thread is compared with the thread, also when it is the only one', () => {
  const words = { expected: `messages of thread ${thread}`, actual: `thread_id ${stray}` }
  const alone = finding(words, created, added('a'), listed('', [{ id: 'a', thread_id: stray }]))
  const ofThread = { kind: 'at', pointer: '/id', of: ['E1'] }
  expect(checksOf(alone)).toContainEqual({
    check: 'contains',
    values: ofThread,
    others: { kind: 'at', pointer: '/items/*/thread_id', of: ['E3'] },
  })
})

test('a page that is not full is counted, since its status was the expected one', () => {
  const words = { expected: '2 messages', actual: '1 message' }
  const short = finding(words, created, added('a'), added('b'), listed('', []), listed('?limit=3', [{ id: 'b' }]))
  const values = { kind: 'at', pointer: '/items/*', of: ['E5'] }
  expect(checksOf(short)).toEqual([{ check: 'atLeast', values, count: 2 }])
})

test('a message that a page shows twice is found by its id, also where fewer messages are accepted than were recorded', () => {
  const words = { expected: 'only what was added', actual: 'message a a second time' }
  const twice = finding(words, created, added('a'), added('b'), listed('', [{ id: 'a' }, { id: 'a' }]))
  const values = { kind: 'at', pointer: '/items/*/id', of: ['E4'] }
  expect(checksOf(twice)).toEqual([{ check: 'distinct', values }])
})

test('no test asks for the page after the last one', () => {
  const pages = (limit: string): Finding =>
    finding(
      { expected: '"a"', actual: '"b"', pointer: '/items/0/content' },
      created,
      added('a'),
      added('b'),
      listed(limit, [], { cursor: 'x', gives: 'cursor_1' }),
      listed('?cursor={{cursor_1}}', []),
    )
  expect([lastPageWithCursor(pages('')), lastPageWithCursor(pages('?limit=1'))]).toEqual(['E4', null])
})

test('what was found wrong but passes every check becomes no test', () => {
  const words = { expected: '2 messages', actual: '1 message' }
  expect(checksOf(finding(words, created, added('a'), listed('', []), listed('', [{ id: 'a' }])))).toBeNull()
})

const walk = (cursorName: string): Finding =>
  finding(
    { expected: `message ${stray} on some page`, actual: 'a walk without it' },
    created,
    added(stray),
    added('b'),
    added('c'),
    listed('?limit=2', [{ id: 'c' }, { id: 'b' }], { cursor: 'x', gives: 'cursor_1' }),
    listed('?limit=1', [{ id: 'c' }], { cursor: 'x', gives: 'cursor_2' }),
    listed(`?limit=1&cursor={{${cursorName}}}`, [{ id: 'b' }]),
  )

test('a walk that ends before it can have shown all messages has to go on', () => {
  const values = { kind: 'at', pointer: '/cursor', of: ['E7'] }
  expect(checksOf(walk('cursor_2'))).toEqual([{ check: 'is', values, kind: 'text' }])
})

test('a walk with the cursor of another walk says nothing', () => {
  expect(checksOf(walk('cursor_1'))).toBeNull()
})

test('a thread that is given twice is told by its id, not by an empty list', () => {
  const words = { expected: 'a new thread without messages', actual: 'message a' }
  const given = finding(words, created, added('a'), created, listed('', [{ id: 'a' }]))
  expect(checksOf(given)).toEqual([{ check: 'distinct', values: { kind: 'at', pointer: '/id', of: ['E1', 'E3'] } }])
})

test('two refusals that differ in their status alone become no test that forbids the right detail', () => {
  const words = { expected: '404 thread_not_found with the same detail', actual: '403', pointer: '/detail' }
  const refusal = { operation: 'listMessages', answer: { error_code: 'thread_not_found', detail: 'none' } }
  expect(checksOf(finding(words, { ...refusal, status: 404 }, { ...refusal, status: 403 }))).toBeNull()
})

test('a check means on recorded answers what it means in a test', () => {
  const lines = '{"n":1,"d":{"content":"a"}}\n{"n":3,"d":{"content":"b"}}\nno JSON\n'
  const of = finding({}, { operation: 'runThread', answer: lines }, { operation: 'x', answer: '', status: 502 })
  const passes = (check: Check): boolean => passesOnRecord(of, check)
  const at = (pointer: string) => ({ kind: 'at', pointer, of: ['E1'] }) as const
  const json = (...values: readonly unknown[]) => ({ kind: 'json', values }) as const
  const outcome = { kind: 'outcome', of: ['E1', 'E2'] } as const
  expect(passes({ check: 'equal', values: outcome, others: json('accepted', 'status 502') })).toBe(true)
  expect(passes({ check: 'equal', values: at('line 2 /n'), others: json(3) })).toBe(true)
  expect(passes({ check: 'lacks', values: at('line * /n'), others: json(3) })).toBe(false)
  expect(passes({ check: 'inOrder', values: json('c', 'x', 'b'), others: json('b', 'c') })).toBe(false)
  expect(passes({ check: 'is', values: at('line *'), kind: 'object' })).toBe(false)
  expect(passes({ check: 'each', values: json(), kind: 'string' })).toBe(true)
  expect(passes({ check: 'is', values: json(), kind: 'string' })).toBe(false)
  expect(passes({ check: 'distinct', values: json('a', 'a') })).toBe(false)
  expect(passes({ check: 'ascending', values: json('a', 'b') })).toBe(true)
  expect(passes({ check: 'descending', values: json('a', 'b') })).toBe(false)
  expect(passes({ check: 'atMost', values: at('line 1 /d/*'), count: 0 })).toBe(false)
  const joined = { kind: 'joined', pointer: 'line 2 /d/content', of: ['E1'] } as const
  expect(passes({ check: 'equal', values: joined, others: json('b') })).toBe(true)
})

test('a walk that does not end becomes no test, since a sound server has no cursor for its last page', () => {
  const words = { expected: 'an end of the walk', actual: 'a page of messages that were shown before, and a cursor' }
  const again = listed('?cursor={{id_2}}', [{ id: 'a' }], { cursor: 'c2' })
  expect(
    checksOf(finding(words, created, added('a'), listed('', [{ id: 'a' }], { cursor: 'c1', gives: 'id_2' }), again)),
  ).toBe(null)
})

test('reading an assistant that no answer has shown may be refused, and gives no other one', () => {
  const words = { operation: 'getAssistant', expected: thread, actual: JSON.stringify(stray), pointer: '/id' } as const
  const read = { operation: 'getAssistant', path: `/v1/assistants/${thread}`, answer: { id: stray } }
  expect(
    checksOf(finding(words, { operation: 'listAssistants', path: '/v1/assistants', answer: [{ id: stray }] }, read)),
  ).toEqual([
    { check: 'lacks', values: { kind: 'at', pointer: '/id', of: ['E2'] }, others: { kind: 'json', values: [stray] } },
  ])
})

test('a field that the error of a timeout lacks becomes no test, since a sound server need not time out', () => {
  const words = { operation: 'runThread', expected: 'a string', actual: 'missing', pointer: '/detail' } as const
  const timedOut = {
    operation: 'runThread',
    path: '/v1/threads/{{id_1}}/run',
    answer: { error_code: 'api_timeout_error' },
    status: 504,
  }
  expect(checksOf(finding(words, created, timedOut))).toBe(null)
})

test('a field of a content block becomes no test, since blocks of other types lack it', () => {
  const words = { operation: 'streamChatCompletionEvents', expected: 'a string', actual: 'an array' } as const
  const answer = `${JSON.stringify({ delta: { content_blocks: [{ type: [], reasoning: [] }, { type: 'text' }] } })}\n`
  const streamed = { operation: words.operation, path: '/v1/chat/completions/events/stream', answer }
  const checksAt = (field: string) =>
    checksOf(finding({ ...words, pointer: `line 1 /delta/content_blocks/0/${field}` }, streamed))
  expect(checksAt('reasoning')).toBe(null)
  expect(checksAt('type')).toMatchObject([{ check: 'each', kind: 'string' }])
})

test('a literal value in a line of a stream is asked of every line, since the cut is another each time', () => {
  const words = {
    operation: 'streamThreadRun',
    expected: '"assistant"',
    actual: '"tool"',
    pointer: 'line 2 /delta/role',
  } as const
  const answer = ['assistant', 'tool'].map((role) => JSON.stringify({ delta: { role } })).join('\n')
  const streamed = { operation: 'streamThreadRun', path: '/v1/threads/{{id_1}}/run/stream', answer: `${answer}\n` }
  expect(checksOf(finding(words, created, streamed))).toEqual([
    {
      check: 'contains',
      values: { kind: 'json', values: ['assistant'] },
      others: { kind: 'at', pointer: 'line * /delta/role', of: ['E2'] },
    },
  ])
})
