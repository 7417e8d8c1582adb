/** Tests of the gap report: observations and inconsistencies are reported, and a declared answer is an obligation. */
import { expect, test } from 'vitest'
import { type GapId, gaps } from '../../../spec/index.ts'
import {
  assistant,
  assistantIds,
  errorBody,
  ndjsonText,
  rejectedWith,
  uuid,
} from '../../../test/trace-builder/sample-data.ts'
import { type Change, TraceBuilder, type TraceBuilderOptions } from '../../../test/trace-builder/trace-builder.ts'
import { gapObservers } from './gap-observers.ts'

const observed = (tell: (trace: TraceBuilder) => unknown, gap: GapId, options: TraceBuilderOptions = {}) => {
  const trace = new TraceBuilder(options)
  tell(trace)
  return trace.judge().observations.find((observation) => observation.gap === gap)
}
const asked = (s: TraceBuilder): string => {
  const thread = s.assistants().thread()
  s.add(thread, 'user', 'A question, please.')
  return thread
}

test('every gap has an observer, or the reason why no trace tells', () => {
  expect(Object.keys(gapObservers).sort()).toEqual(gaps.map(({ id }) => id).sort())
  for (const observer of Object.values(gapObservers)) if (typeof observer === 'string') expect(observer).toMatch(/\.$/)
})

test('what was never seen is not told', () => {
  expect(observed((s) => s.assistants(), 'streams.media-type')).toBeUndefined()
})

test('a page behind a cursor may be short of any limit, and only a first page tells of limits above the default', () => {
  const listed = (...queries: readonly string[]) =>
    observed((s) => {
      const thread = asked(s)
      for (let index = 0; index < 103; index += 1) s.add(thread, 'user', `Message ${index}.`)
      for (const query of queries) s.list(thread, { query })
    }, 'pagination.maximum-limit')
  expect(listed('?limit=100', '?limit=200&cursor=100')).toBeUndefined()
  expect(listed('?limit=200')).toMatchObject({ value: 'unlimited' })
})

test('a limit that is served is no sign of none where a larger one is refused', () => {
  const listed = (...limits: readonly number[]) =>
    observed((s) => {
      const thread = asked(s)
      for (let index = 0; index < 103; index += 1) s.add(thread, 'user', `Message ${index}.`)
      for (const limit of limits)
        s.list(thread, { query: `?limit=${limit}`, ...(limit > 200 ? rejectedWith('validation_error', 422) : {}) })
    }, 'pagination.maximum-limit')
  expect(listed(150, 1000)).toMatchObject({ value: 'rejected', consistent: true })
  expect(listed(1000, 150)).toMatchObject({ value: 'rejected', consistent: true })
})

test('the types of field errors are a list, and several of one fault contradict nothing', () => {
  const told = (type: string): Change => ({
    status: 422,
    body: { error_code: 'validation_error', detail: [{ loc: ['body', 'messages'], message: 'Wrong.', type }] },
  })
  const both = (s: TraceBuilder): void => {
    s.assistants().complete({ messages: 7 }, told('type_error.list'))
    s.complete({ messages: 'x' }, told('type_error.str'))
  }
  expect(observed(both, 'errors.type-vocabulary')).toMatchObject({
    value: 'type_error.list; type_error.str',
    consistent: true,
  })
})

test('a key that provokes an error tells nothing about unknown keys', () => {
  const readWith = (key: string) => (s: TraceBuilder) =>
    s.send('listMyApiKeys', {}, {}, { as: null, headers: [['api-key', key]], ...rejectedWith('tenant_not_found', 404) })
  const options = { profile: { provoke: { tenant_not_found: { key: 'key-orphan' } } } }
  expect(observed(readWith('key-orphan'), 'auth.unknown-key', options)).toBeUndefined()
  expect(observed(readWith('another'), 'auth.unknown-key', options)).toMatchObject({ value: '404 tenant_not_found' })
})

test.each<[GapId, string, (s: TraceBuilder) => unknown]>([
  ['http.success-status', '201 createThread; 200 listAssistants', (s) => s.assistants().thread()],
  ['errors.status-of-code', '404 thread_not_found', (s) => s.list(uuid(99), rejectedWith('thread_not_found', 404))],
  ['auth.missing-key', '401 unauthorized', (s) => s.assistants([], { as: null, ...rejectedWith('unauthorized', 401) })],
  [
    'streams.line-end',
    'CRLF',
    (s) =>
      s.stream(asked(s), [], {
        text: ndjsonText(s.chunks(s.answer(uuid(1), 'ab'), ['a', 'b'])).replaceAll('\n', '\r\n'),
      }),
  ],
  ['streams.final-newline', 'yes', (s) => s.stream(asked(s))],
  ['streams.media-type', 'application/json', (s) => s.stream(asked(s))],
  [
    'threads.completion-thread-code',
    'thread_is_closed',
    (s) => s.assistants().add(String(s.complete().thread_id), 'user', 'x', rejectedWith('thread_is_closed')),
  ],
  ['completions.null-user-id', 'accepted', (s) => s.assistants().complete({ user_id: null })],
  [
    'tools.call-id-again',
    'accepted',
    (s) => {
      const thread = asked(s)
      for (const content of ['Let me look.', 'Once more.'])
        s.add(thread, 'assistant', content, { more: { tool_calls: [{ id: 'alpha' }] } })
    },
  ],
  ['threads.null-character', 'accepted', (s) => s.add(asked(s), 'user', 'a\0b')],
  ['threads.blank-content', 'accepted', (s) => s.add(asked(s), 'user', '  ')],
  ['pagination.end-signal', 'null', (s) => s.list(asked(s))],
  [
    'pagination.limit-below-one',
    'rejected',
    (s) => s.list(asked(s), { query: '?limit=0', ...rejectedWith('bad_request') }),
  ],
  [
    'pagination.invalid-cursor',
    'rejected',
    (s) => s.list(asked(s), { query: '?cursor=zzz', ...rejectedWith('bad_request') }),
  ],
  [
    'completions.user-id-required',
    'required',
    (s) => s.assistants().complete({ user_id: undefined }, rejectedWith('bad_request')),
  ],
  [
    'resources.stamps-and-date',
    '2 h behind',
    (s) => s.add(asked(s), 'user', 'Hello.', { answers: [['date', 'Thu, 01 Jan 2026 02:00:01 GMT']] }),
  ],
  [
    'resources.stamps-and-date',
    'another time',
    (s) => s.add(asked(s), 'user', 'Hello.', { answers: [['date', 'Sun, 22 Nov 2026 07:00:00 GMT']] }),
  ],
  [
    'resources.stamps-and-date',
    'the same time',
    (s) => s.add(asked(s), 'user', 'Hello.', { answers: [['date', 'Thu, 01 Jan 2026 00:00:00 GMT']] }),
  ],
  [
    'completions.sent-messages-stored',
    'none of them',
    (s) => {
      const answer = s.assistants().complete()
      s.list(String(answer.thread_id), { body: { cursor: null, items: [answer] } })
    },
  ],
  [
    'completions.unknown-thread',
    'resource_not_found',
    (s) => s.assistants().complete({}, { query: `?thread_id=${uuid(99)}`, ...rejectedWith('resource_not_found', 404) }),
  ],
  [
    'assistants.unknown-error',
    'resource_not_found',
    (s) =>
      s
        .assistants()
        .send('getAssistant', { in: { assistant_id: uuid(77) } }, null, rejectedWith('resource_not_found', 404)),
  ],
  [
    'resources.uuid-spelling',
    'without hyphens accepted',
    (s) => s.assistants().complete({ user_id: uuid(9).replaceAll('-', '') }),
  ],
])('%s is seen: %s', (gap, value, tell) => {
  const found = observed(tell, gap)
  expect(found?.value.split('; ').sort()).toEqual(value.split('; ').sort())
  expect(found?.consistent).toBe(true)
  expect(found?.proposal).toContain(found?.value ?? 'nothing')
})

test('one code under two statuses is inconsistent, and proposes nothing', () => {
  const found = observed((s) => {
    s.list(uuid(98), rejectedWith('thread_not_found', 404))
    s.list(uuid(99), rejectedWith('thread_not_found', 400))
  }, 'errors.status-of-code')
  expect(found).toMatchObject({
    consistent: false,
    value: '400 thread_not_found; 404 thread_not_found',
    exchanges: ['E1', 'E2'],
  })
  expect(found).not.toHaveProperty('proposal')
})

test('two codes with a status each are consistent', () => {
  const found = observed((s) => {
    s.list(uuid(98), rejectedWith('thread_not_found', 404))
    s.assistants([], rejectedWith('bad_request', 400))
  }, 'errors.status-of-code')
  expect(found?.consistent).toBe(true)
})

test('a declared answer that is met is an obligation upheld', () => {
  const trace = new TraceBuilder({
    profile: { declares: { 'errors.status-of-code': '404 thread_not_found; 422 validation_error' } },
  })
  trace.list(uuid(99), rejectedWith('thread_not_found', 404))
  expect(trace.judge().verdicts.at(-1)).toMatchObject({
    requirement: 'gap.errors.status-of-code',
    outcome: 'upheld',
    level: 'must',
    basis: 'stated',
  })
})

const declaring = (declared: string, ...statuses: readonly number[]) => {
  const trace = new TraceBuilder({ profile: { declares: { 'errors.status-of-code': declared } } })
  for (const status of statuses) trace.list(uuid(99), rejectedWith('thread_not_found', status))
  trace.assistants().complete({}, { query: `?thread_id=${uuid(98)}`, ...rejectedWith('resource_not_found', 404) })
  return trace.judge()
}

test('a status is declared without its code', () => {
  const outcomeOf = (declared: string) => {
    const trace = new TraceBuilder({ profile: { declares: { 'auth.missing-key': declared } } })
    trace.assistants([], { as: null, ...rejectedWith('unauthorized', 401) }).assistants()
    return trace.judge().verdicts.at(-1)?.outcome
  }
  expect(['401', '401 unauthorized', '403; 401', '403', '401 forbidden', '4'].map(outcomeOf)).toEqual([
    ...['upheld', 'upheld', 'upheld'],
    ...['inconclusive', 'inconclusive', 'inconclusive'],
  ])
})

test('one status is declared for several codes', () => {
  const both = '404 thread_not_found, resource_not_found'
  for (const declared of [
    both,
    '404 resource_not_found thread_not_found; 400 x',
    '404',
    '400; 404 resource_not_found, thread_not_found',
  ])
    expect(declaring(declared, 404).verdicts.at(-1)).toMatchObject({ outcome: 'upheld' })
  expect(declaring('404 thread_not_found, resource_not_found', 400).exitCode).toBe(3)
})

test('a declared answer that the target keeps at times makes it nonconformant', () => {
  const judgement = declaring('404 thread_not_found', 404, 400)
  expect(judgement.exitCode).toBe(1)
  expect(judgement.verdicts.at(-1)).toMatchObject({
    requirement: 'gap.errors.status-of-code',
    outcome: 'violated',
    blocking: true,
    expected: '404 thread_not_found',
    actual: '400 thread_not_found; 404 resource_not_found; 404 thread_not_found',
  })
})

test.each([
  ['one code only', '400 thread_not_found'],
  ['one of two codes', '404 thread_not_found; 400 resource_not_found'],
])('a declared answer that the target never keeps is a wrong setting: %s', (_, declared) => {
  const { exitCode, reason, verdicts } = declaring(declared, 404)
  expect([exitCode, reason]).toEqual([
    3,
    expect.stringMatching(
      /^declares\.errors\.status-of-code: it says ".*", and the target does ".*" each time \(E\d\); /,
    ),
  ])
  expect(verdicts.at(-1)).toMatchObject({ outcome: 'inconclusive', owed: true, blocking: false })
})

test('a declaration that is wrong decides no run that leaves it out, and is reported beside a violation', () => {
  const trace = new TraceBuilder({ profile: { declares: { 'pagination.end-signal': 'absent' } } })
  trace.list(asked(trace))
  expect(trace.judge({ only: 'pagination.*' }).reason ?? '').not.toContain('declares')
  expect(trace.judge().reason).toMatch(/^declares\.pagination\.end-signal: it says "absent", .* "null" each time/)
  trace.complete({}, { text: '[]' })
  const { exitCode, notices } = trace.judge()
  expect([exitCode, notices]).toEqual([1, expect.arrayContaining([expect.objectContaining({ code: 'wrong-setting' })])])
})

test('no gap fails a target that declared nothing', () => {
  const trace = new TraceBuilder().assistants([assistant(assistantIds.plain)])
  trace.complete({}, { status: 418, body: errorBody('odd_code') })
  trace.assistants([], { as: null, status: 402, text: 'Pay first.' })
  expect(trace.judge().verdicts.filter(({ requirement }) => requirement.startsWith('gap.'))).toEqual([])
})

test('a message beside a run tells of the gap, and one behind it does not', () => {
  const beside = (change: Change) => (s: TraceBuilder) => {
    const thread = asked(s)
    s.run(thread, 'One.', { at: [5000, 5100] })
    s.add(thread, 'user', 'More.', change)
  }
  const value = (change: Change) => observed(beside(change), 'threads.message-during-run')?.value
  expect(value({ at: [5010, 5020] })).toBe('accepted')
  expect(value({ at: [5010, 5020], ...rejectedWith('bad_request') })).toBe('rejected')
  expect(value({ at: [5110, 5120] })).toBeUndefined()
})

test('two runs at the same time tell of overlap only if neither is refused for a rule of its own', () => {
  const refused = rejectedWith('bad_request')
  const both = (s: TraceBuilder, thread: string) => {
    s.run(thread, 'One.', { at: [5000, 5100] })
    s.run(thread, 'Two.', { at: [5010, 5110], ...refused })
  }
  expect(observed((s) => both(s, asked(s)), 'threads.overlapping-runs')?.value).toBe('rejected')
  const empty = (s: TraceBuilder) => {
    const thread = s.assistants().thread()
    for (const sent of [5000, 5010]) s.run(thread, 'x', { at: [sent, sent + 100], ...refused })
  }
  expect(observed(empty, 'threads.overlapping-runs')).toBeUndefined()
})
