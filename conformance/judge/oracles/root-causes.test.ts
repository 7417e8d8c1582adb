/** A violation is reported for the rule that the service breaks. Rules whose premise fails with it stay silent. */
import { expect, test } from 'vitest'
import {
  assistant,
  assistantIds,
  type Fields,
  rejectedWith,
  uuid,
  violatedIn,
} from '../../../test/trace-builder/sample-data.ts'
import { TraceBuilder } from '../../../test/trace-builder/trace-builder.ts'

const refusal = rejectedWith('validation_error', 422)

const grant = (trace: TraceBuilder, userId: string, query: string, isGiven: boolean): void => {
  const answer = {
    file_id: trace.id(),
    file_url: 'https://files.example/one',
    expires_in: 900,
    file_limits: { allowed_types: ['text/plain'], max_size: 10_485_760 },
  }
  const headers = [['user-id', userId] as const]
  trace.send('createUploadGrant', {}, answer, { query, headers, ...(isGiven ? {} : rejectedWith('bad_request')) })
}

const violated = (tell: (trace: TraceBuilder) => void): readonly string[] => {
  const trace = new TraceBuilder().assistants()
  tell(trace)
  return [...new Set(violatedIn(trace.judge()))].sort()
}

test('a refused filename is not held against the user-id, nor against persist', () => {
  const found = violated((trace) => {
    grant(trace, 'ann', '?filename=report.pdf', true)
    grant(trace, 'bob-7', '?filename=two%20words.pdf&persist=true', false)
  })
  expect(found).toEqual(expect.arrayContaining(['http.operation-served']))
  expect(found.filter((id) => /user-id|persist/.test(id))).toEqual([])
})

test('a refused character is not held against the length of a user-id, nor against persist', () => {
  const found = violated((trace) => {
    grant(trace, 'ann', '?filename=report.pdf', true)
    grant(trace, '@'.repeat(255), '?filename=report.pdf', false)
    grant(trace, 'ann@home', '?filename=report.pdf&persist=true', false)
  })
  expect(found.filter((id) => /user-id|persist/.test(id))).toEqual(['files.user-id-accepted'])
})

test('a message that is refused for what it says is not held against its role, nor against its spelling', () => {
  const found = violated((trace) => {
    const [first, second, third] = [trace.thread(), trace.thread(), trace.thread()]
    trace.add(first, 'user', 'One line.')
    trace.add(second, 'user', 'Two\nlines.', refusal)
    trace.add(third, 'user', 'Two\nlines.', { ...refusal, sends: '{ "role": "user",\n "content": "Two\\nlines." }' })
  })
  expect(found.filter((id) => !id.startsWith('errors.'))).toEqual(['http.operation-served'])
})

test('a code that valid requests get as well says nothing about an unknown thread', () => {
  const found = violated((trace) => {
    const thread = trace.thread()
    trace.add(thread, 'user', 'A question, please.')
    trace.run(thread, '', refusal)
    trace.run(uuid(4_711), '', refusal)
  })
  expect(found).not.toContain('threads.unknown-thread-error')
})

test('a record under a strange status is no missing route', () => {
  const found = violated((trace) => {
    trace.send(
      'getAssistant',
      { in: { assistant_id: assistantIds.plain } },
      { id: assistantIds.plain },
      { status: 404 },
    )
  })
  expect(found).toContain('http.operation-served')
  expect(found).not.toContain('http.versioned-path')
})

test('a thread that an answer names in its own way is not unknown', () => {
  const found = violated((trace) => {
    const { thread_id: thread } = trace.complete({}, { with: { thread_id: undefined, thread: uuid(4_711) } })
    expect(thread).toBeUndefined()
    trace.add(uuid(4_711), 'user', 'One more question.', rejectedWith('bad_request'))
  })
  expect(found).not.toContain('threads.unknown-thread-error')
})

test('a run of a thread that lost its question may find nothing to answer', () => {
  const found = violated((trace) => {
    const thread = trace.thread()
    trace.add(thread, 'user', 'A question, please.')
    trace.list(thread, { body: { cursor: null, items: [] } })
    trace.list(thread, { body: { cursor: null, items: [] } })
    trace.run(thread, '', rejectedWith('bad_request'))
  })
  expect(found).toContain('threads.created-is-listed')
  expect(found).not.toContain('http.operation-served')
})

test('messages without ids are not missed, and make no walk endless', () => {
  const found = violated((trace) => {
    const thread = trace.thread()
    const unnamed = ({ id, ...message }: Fields): Fields => ({ ...message, messageId: id })
    const older = unnamed(trace.add(thread, 'user', 'First.'))
    const newer = unnamed(trace.add(thread, 'user', 'Second.'))
    trace.list(thread, { query: '?limit=1', body: { cursor: 'next', items: [newer] } })
    trace.list(thread, { query: '?limit=1&cursor=next', body: { cursor: 'last', items: [older] } })
  })
  expect(found).toEqual(['resources.message-fields'])
})

test('a list that lacks the newest message is stale, and not badly cut into pages', () => {
  const found = violated((trace) => {
    const thread = trace.thread()
    const [older, newer] = [trace.add(thread, 'user', 'First.'), trace.add(thread, 'user', 'Second.')]
    trace.list(thread, { query: '?limit=2', body: { cursor: null, items: [older] } })
    trace.list(thread, { body: { cursor: null, items: [newer, older] } })
  })
  expect(found).toContain('threads.read-your-writes')
  expect(found.filter((id) => id.startsWith('pagination.'))).toEqual(['pagination.any-limit-same-list'])
})

test('a message of a completion may be listed in other words, and was not invented by the list', () => {
  const found = violated((trace) => {
    const answer = trace.complete()
    const sent = { id: trace.id(), thread_id: answer.thread_id, role: 'user', content: 'They ask for something.' }
    const items = [answer, { ...sent, created_at: '2026-01-01T00:00:00.000001Z' }]
    trace.list(String(answer.thread_id), { body: { cursor: null, items } })
  })
  expect(found).toEqual([])
})

test('a thread is the same one in every spelling of its id', () => {
  const id = uuid(4_711).replaceAll('-', '')
  const found = violated((trace) => {
    trace.complete({}, { with: { thread_id: id } })
    trace.add(id, 'user', 'One more question.', rejectedWith('bad_request'))
  })
  expect(found).toContain('resources.id-is-uuid')
  expect(found).not.toContain('threads.unknown-thread-error')
})

test('a stream behind an answer is refused for the end of its thread, in whatever state the plain form runs it', () => {
  const found = violated((trace) => {
    const [plain, streamed] = [trace.thread(), trace.thread()]
    trace.add(plain, 'assistant', 'Hello.')
    trace.run(plain)
    trace.add(streamed, 'assistant', 'Hello.')
    trace.stream(streamed, [], rejectedWith('bad_request'))
  })
  expect(found).toContain('threads.run-needs-user-message')
  expect(found).not.toContain('streams.same-acceptance')
})

test('a service that refuses every run does not read too little of a thread', () => {
  const found = violated((trace) => {
    const [first, second] = [trace.thread(), trace.thread()]
    trace.add(first, 'user', 'A question, please.')
    trace.run(first, '', refusal)
    trace.add(second, 'user', 'A question, please.')
    trace.add(second, 'system', 'Be brief.')
    trace.run(second, '', refusal)
  })
  expect(found).toContain('http.operation-served')
  expect(found).not.toContain('threads.run-reads-whole-thread')
})

test('a service that serves no run does not stumble over results', () => {
  const found = violated((trace) => {
    const plain = trace.thread()
    trace.add(plain, 'user', 'A question, please.')
    trace.run(plain, '', refusal)
    const asked = trace.thread()
    trace.add(asked, 'user', 'What is the weather?')
    trace.add(asked, 'assistant', 'Let me look.', { more: { tool_calls: [{ id: 'call_1' }] } })
    trace.add(asked, 'tool', 'It rains.', { more: { tool_call_id: 'call_1' } })
    trace.run(asked, '', refusal)
  })
  expect(found).toContain('http.operation-served')
  expect(found).not.toContain('tools.run-after-tool-messages')
})

const other = uuid(9)
const streams = 'streams.streaming-assistant-streams'
/** Two assistants that stream; the second one's streamed completions are refused so. */
const refusesStreams = (
  change: Parameters<TraceBuilder['complete']>[1],
  more: (trace: TraceBuilder) => void = () => {},
): boolean =>
  violated((trace) => {
    trace.assistants([assistant(assistantIds.plain), assistant(other)])
    trace.completeStream()
    more(trace)
    trace.completeStream({ assistant_id: other }, change)
  }).includes(streams)

test('a refused stream is held against the record that promises it', () => {
  expect(refusesStreams(rejectedWith('engine_does_not_support_streaming'))).toBe(true)
  expect(refusesStreams(refusal)).toBe(true)
  expect(refusesStreams(refusal, (trace) => void trace.complete({ assistant_id: other }))).toBe(true)
})

test('a stream that is refused for another reason is not held against the record', () => {
  expect(refusesStreams(rejectedWith('assistant_not_available', 403))).toBe(false)
  expect(refusesStreams({ status: 404, text: 'Not Found' })).toBe(false)
  expect(refusesStreams(refusal, (trace) => void trace.complete({ assistant_id: other }, refusal))).toBe(false)
  expect(refusesStreams(refusal, (trace) => void trace.completeStream({ assistant_id: other }))).toBe(false)
  expect(refusesStreams(refusal, (trace) => void trace.completeStream({}, refusal))).toBe(false)
  expect(refusesStreams({ ...refusal, as: null })).toBe(false)
  expect(refusesStreams({ ...refusal, sends: 'no JSON' })).toBe(false)
})

test('what refuses sound streamed runs is not about an assistant that does not stream', () => {
  const found = violated((trace) => {
    const [plain, whole] = [trace.thread(), trace.thread({}, assistantIds.whole)]
    for (const thread of [plain, whole]) {
      trace.add(thread, 'user', 'A question, please.')
      trace.stream(thread, [], refusal)
    }
  })
  expect(found).toContain('http.operation-served')
  expect(found).not.toContain('streams.run-refused-without-support')
})

test('refused runs of like threads are compared, whichever form was asked first', () => {
  const found = violated((trace) => {
    for (const form of ['run', 'stream', 'run'] as const) {
      const thread = trace.thread()
      trace.add(thread, 'system', 'Be brief.')
      if (form === 'run') trace.run(thread, '', rejectedWith('bad_request'))
      else trace.stream(thread, [], rejectedWith('bad_request'))
    }
  })
  expect(found).toEqual([])
})
