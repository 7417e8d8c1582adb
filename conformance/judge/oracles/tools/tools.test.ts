/** Proof of the oracles of chapter tools. */
import { expect, test } from 'vitest'
import {
  notBlamed,
  noViolation,
  proveOracles,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import {
  type Fields,
  outcomeOf,
  rejectedWith,
  timestampText,
  uuid,
} from '../../../../test/trace-builder/sample-data.ts'
import { calling, questioned, result } from '../../../../test/trace-builder/tool-exchanges.ts'
import { type Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { toolsOracles } from './tools.ts'

const unmatched = rejectedWith('tool_message_has_no_matching_tool_call')
const no = rejectedWith('bad_request')
/** A thread in which a run asked for a call. */
const answered = (s: TraceBuilder, id: string): string => {
  const thread = questioned(s)
  s.run(thread, 'Let me look.', { with: { actions: [{ ref: id }] } })
  return thread
}
/** A thread whose asking message was sent again behind a server error, with the result of its call. */
const askedTwice = (s: TraceBuilder): string => {
  const thread = questioned(s)
  const more = { tool_calls: [{ id: 'alpha' }] }
  s.add(thread, 'assistant', 'Let me look.', { more, ...rejectedWith('internal_service_error', 503) })
  s.add(thread, 'assistant', 'Let me look.', { more })
  result(s, thread, 'alpha')
  s.list(thread)
  return thread
}
/** A thread of the profile that an earlier run has left with a call and these messages behind it, and that runs. */
const earlier = (s: TraceBuilder, ...behind: readonly Fields[]): void => {
  const asked = {
    role: 'assistant',
    content: 'Let me look.',
    tool_calls: [{ id: 'alpha' }],
    meta_data: {},
    sources: [],
  }
  const written: readonly Fields[] = [{ role: 'user', content: 'What is the weather?' }, asked, ...behind]
  for (const message of written)
    s.keep(left, { id: s.id(), thread_id: left, created_at: timestampText(0), content: 'It rains.', ...message })
  s.assistants().list(left)
  s.run(left)
}
const left = uuid(70)
const leftThreads = { kind: 'static', threads: [{ id: left, tenant: 'primary', holds: 'unknown' }] }
const elsewhere = (s: TraceBuilder, change: Change): void => {
  calling(s, 'call_elsewhere')
  result(s, calling(s, 'call_here'), 'call_elsewhere', change)
}
const ofUser = (s: TraceBuilder, change: Change): void => {
  const thread = calling(s, 'call_real')
  result(s, thread, 'call_real')
  s.add(thread, 'user', 'I can do that too.', { more: { tool_calls: [{ id: 'made_by_user' }] } })
  result(s, thread, 'made_by_user', change)
}

const needs = ['tools.run-needs-tool-messages', 'runThread none-answered'] as const

const {
  'tools.matched-accepted': _accepted,
  'tools.matched-behind-other-results': _behindOthers,
  ...ownOracles
} = toolsOracles

proveOracles(ownOracles, [
  upholds('tools.unmatched-refused', 'createMessage no-assistant-message', 'nobody asked', (s) =>
    result(s, questioned(s), 'call_1', unmatched),
  ),
  violates('tools.unmatched-refused', 'createMessage no-assistant-message', 'nobody asked, and it is added', (s) =>
    result(s, questioned(s), 'call_1'),
  ),
  violates('tools.unmatched-refused', 'createMessage unknown-id', 'another call was asked for', (s) =>
    result(s, calling(s, 'alpha'), 'omega'),
  ),
  violates(
    'tools.unmatched-refused',
    'createMessage unknown-id',
    'without a mapping an id that no message of the thread shows is unknown',
    (s) => result(s, answered(s, 'alpha'), 'omega'),
    { profile: { tools: null } },
  ),
  noViolation(
    'tools.unmatched-refused',
    '',
    'without a mapping an id that stands anywhere in an answer may be that of a call',
    (s) => result(s, answered(s, 'alpha'), 'alpha'),
    { profile: { tools: null } },
  ),
  violates('tools.unmatched-refused', 'createMessage without-id', 'a result without an id is added', (s) =>
    result(s, calling(s, 'alpha'), null),
  ),
  noViolation(
    'tools.unmatched-refused',
    '',
    'a thread that began before the recording may hold the call',
    (s) => result(s, questioned(s), 'call_1'),
    { source: 'har' },
  ),
  upholds('tools.unmatched-error', 'createMessage', 'the code of the table', (s) =>
    result(s, calling(s, 'alpha'), 'omega', unmatched),
  ),
  violates('tools.unmatched-error', 'createMessage', 'another code', (s) =>
    result(s, calling(s, 'alpha'), 'omega', no),
  ),
  violates('tools.unmatched-error', 'createMessage', 'another code for a UUID, where all ids are UUIDs', (s) =>
    result(s, calling(s, uuid(1)), uuid(98_765), no),
  ),
  noViolation('tools.unmatched-error', '', 'where all ids are UUIDs, another one may be refused for its form', (s) =>
    result(s, calling(s, uuid(1)), 'omega', no),
  ),
  upholds('tools.unmatched-error', 'createMessage', 'where all ids are UUIDs, another one is refused as unknown', (s) =>
    result(s, calling(s, uuid(1)), 'omega', unmatched),
  ),
  noViolation('tools.unmatched-error', '', 'so may it before any call is read', (s) =>
    result(s, questioned(s), 'omega', no),
  ),
  noViolation('http.operation-served', '', 'a call under another id may be refused where UUIDs are read', (s) => {
    const thread = calling(s, uuid(1))
    s.add(thread, 'assistant', 'Let me look.', { more: { tool_calls: [{ id: 'alpha' }] }, ...no })
  }),
  upholds('tools.matched-exactly', 'createMessage', 'a UUID of which one digit differs is refused', (s) => {
    const id = uuid(1)
    result(
      s,
      calling(s, id),
      id.replace(/.$/, (last) => (last === '7' ? '6' : '7')),
      unmatched,
    )
  }),
  noViolation('tools.unmatched-error', '', 'a result without an id may be told as a missing field', (s) =>
    result(s, calling(s, 'alpha'), null, no),
  ),
  noViolation(
    'tools.unmatched-error',
    '',
    'without a mapping the id may stand in another field',
    (s) => result(s, questioned(s), 'call_1', no),
    { profile: { tools: null } },
  ),
  upholds(
    'tools.unmatched-error',
    'createMessage',
    'without a mapping the code of the table is right all the same',
    (s) => result(s, questioned(s), 'call_1', unmatched),
    { profile: { tools: null } },
  ),
  ...Object.entries({
    'silence is no code': { silent: true },
    'an empty result has two faults': { sends: '{"role":"tool","content":"","tool_call_id":"call_1"}', ...no },
  }).map(([law, change]) =>
    unexercised('tools.unmatched-error', 'createMessage', law, (s) => result(s, questioned(s), 'call_1', change), {
      profile: { tools: null },
    }),
  ),
  unexercised(
    'tools.unmatched-error',
    'createMessage',
    'who adds a message of a user asks for no call',
    (s) => questioned(s),
    {
      profile: { tools: null },
    },
  ),
  upholds('tools.matched-in-own-thread', 'createMessage', 'the call of another thread does not match', (s) =>
    elsewhere(s, unmatched),
  ),
  violates('tools.matched-in-own-thread', 'createMessage', 'the call of another thread matches', (s) =>
    elsewhere(s, {}),
  ),
  upholds('tools.matched-by-assistant-only', 'createMessage', 'a user cannot ask for tools', (s) =>
    ofUser(s, unmatched),
  ),
  violates('tools.matched-by-assistant-only', 'createMessage', 'the call of a user matches', (s) => ofUser(s, {})),
  violates('tools.matched-by-assistant-only', 'createMessage', 'a call id in the text of a user matches', (s) => {
    const thread = calling(s, 'call_real')
    result(s, thread, 'call_real')
    s.add(thread, 'user', 'I have seen call_in_text in the log.')
    result(s, thread, 'call_in_text')
  }),
  upholds('tools.matched-exactly', 'createMessage', 'a prefix does not match', (s) =>
    result(s, calling(s, 'call_10'), 'call_1', unmatched),
  ),
  noViolation('tools.matched-exactly', '', 'another case may match', (s) => result(s, calling(s, 'call_A'), 'call_a')),
  noViolation('tools.run-needs-tool-messages', '', 'a result in another case may answer its call', (s) => {
    const thread = calling(s, 'call_A')
    result(s, thread, 'call_a')
    s.run(thread, 'Done')
  }),
  violates('tools.matched-exactly', 'createMessage', 'a prefix matches', (s) =>
    result(s, calling(s, 'call_10'), 'call_1'),
  ),
  upholds('tools.run-needs-tool-messages', 'runThread none-answered', 'an open call stops a run', (s) => {
    const served = calling(s, 'beta')
    result(s, served, 'beta')
    s.run(served)
    s.run(calling(s, 'alpha'), '', no)
  }),
  violates('tools.run-needs-tool-messages', 'runThread none-answered', 'an open call does not stop a run', (s) =>
    s.run(calling(s, 'alpha')),
  ),
  violates('tools.run-needs-tool-messages', 'streamThreadRun some-answered', 'one of two results is enough', (s) => {
    const thread = calling(s, 'alpha', 'beta')
    result(s, thread, 'alpha')
    s.stream(thread)
  }),
  notBlamed(
    'tools.run-needs-tool-messages',
    'runThread',
    'an old result counts for a call that is asked again',
    (s) => {
      const thread = calling(s, 'alpha')
      result(s, thread, 'alpha')
      s.add(thread, 'assistant', 'Once more.', { more: { tool_calls: [{ id: 'alpha' }] } })
      s.run(thread)
    },
  ),
  notBlamed('tools.run-needs-tool-messages', 'runThread', 'an id is asked for and answered again', (s) => {
    const thread = calling(s, 'alpha')
    result(s, thread, 'alpha')
    s.add(thread, 'assistant', 'Once more.', { more: { tool_calls: [{ id: 'alpha' }] } })
    result(s, thread, 'alpha')
    s.run(thread)
  }),
  notBlamed('http.operation-served', 'runThread', 'a run behind an id that came twice is refused', (s) => {
    const thread = calling(s, 'alpha')
    result(s, thread, 'alpha')
    s.add(thread, 'assistant', 'Once more.', { more: { tool_calls: [{ id: 'alpha' }] } })
    result(s, thread, 'alpha')
    s.run(thread, '', no)
  }),
  violates('tools.run-needs-tool-messages', 'runThread some-answered', 'results are counted', (s) => {
    const thread = calling(s, 'alpha', 'beta')
    result(s, thread, 'alpha')
    result(s, thread, 'alpha')
    s.run(thread)
  }),
  violates(
    'tools.run-needs-tool-messages',
    'runThread none-answered',
    'a call that a run asked for is forgotten',
    (s) => {
      const thread = questioned(s)
      s.run(thread, 'Let me look.', { with: { tool_calls: [{ id: 'alpha' }] } })
      s.run(thread)
    },
  ),
  upholds('tools.run-after-tool-messages', 'streamThreadRun', 'all calls have their results', (s) => {
    const thread = calling(s, 'alpha')
    result(s, thread, 'alpha')
    s.stream(thread)
  }),
  upholds('tools.run-after-tool-messages', 'streamThreadRun', 'the calls may be there twice behind a failure', (s) => {
    const thread = askedTwice(s)
    s.stream(thread)
    s.list(thread)
  }),
  unexercised('tools.run-after-tool-messages', 'runThread', 'and then a run may be refused', (s) =>
    s.run(askedTwice(s), '', no),
  ),
  unexercised(
    'tools.run-after-tool-messages',
    'runThread',
    'a thread without calls, or with an answer behind them',
    (s) => {
      s.run(questioned(s))
      const thread = calling(s, 'alpha')
      result(s, thread, 'alpha')
      s.add(thread, 'user', 'Thank you.')
      s.run(thread)
    },
  ),
  unexercised('tools.run-after-tool-messages', 'runThread', 'one of two results', (s) => {
    const thread = calling(s, 'alpha', 'beta')
    result(s, thread, 'alpha')
    s.run(thread, '', no)
  }),
  violates('tools.run-after-tool-messages', 'runThread', 'a thread that ends on a result is refused', (s) => {
    const thread = calling(s, 'alpha')
    result(s, thread, 'alpha')
    s.run(thread, '', no)
  }),
  unexercised('tools.run-after-tool-messages', 'runThread', 'a run without a key behind results', (s) => {
    const thread = calling(s, 'alpha')
    result(s, thread, 'alpha')
    s.run(thread, '', { ...no, as: null })
  }),
  noViolation(
    ...needs,
    'a result from before the trace answers its call',
    (s) => earlier(s, { role: 'tool', tool_call_id: 'alpha' }),
    { profile: { threads: leftThreads } },
  ),
  noViolation(...needs, 'a list need not show which call a result answers', (s) => earlier(s, { role: 'tool' }), {
    profile: { threads: leftThreads },
  }),
  violates(...needs, 'a call from before the trace is open', earlier, { profile: { threads: leftThreads } }),
  upholds('tools.asking-message-not-empty', 'createMessage', 'an empty message that asks is refused', (s) => {
    calling(s, 'alpha')
    s.add(questioned(s), 'assistant', '', {
      ...rejectedWith('message_content_empty'),
      more: { tool_calls: [{ id: 'beta' }] },
    })
  }),
  violates('tools.asking-message-not-empty', 'createMessage', 'an empty message that asks is added', (s) =>
    s.add(questioned(s), 'assistant', '', { more: { tool_calls: [{ id: 'beta' }] } }),
  ),
  unexercised('tools.asking-message-not-empty', 'createMessage', 'an empty message that asks for nothing', (s) =>
    s.add(questioned(s), 'assistant', '', rejectedWith('message_content_empty')),
  ),
  upholds('tools.asking-answer-fields', 'runThread meta_data', 'an answer that asks has meta_data', (s) =>
    s.run(questioned(s), 'Let me look.', { with: { tool_calls: [{ id: 'alpha' }] } }),
  ),
  violates('tools.asking-answer-fields', 'runThread sources', 'an answer that asks has lost its sources', (s) =>
    s.run(questioned(s), 'Let me look.', { with: { tool_calls: [{ id: 'alpha' }], sources: undefined } }),
  ),
  violates('tools.asking-answer-fields', 'listMessages meta_data', 'a listed answer that asks has lost it', (s) => {
    const thread = questioned(s)
    s.run(thread, 'Let me look.', { with: { tool_calls: [{ id: 'alpha' }] } })
    const [answer, question] = s.list(thread).items as Fields[]
    s.list(thread, { body: { cursor: null, items: [{ ...answer, meta_data: undefined }, question] } })
  }),
  unexercised('tools.asking-answer-fields', 'runThread sources', 'an answer that asks for nothing', (s) =>
    s.run(questioned(s)),
  ),
  noViolation('tools.run-after-tool-messages', '', 'a result that timed out may be missing', (s) => {
    const thread = calling(s, 'alpha')
    result(s, thread, 'alpha', { silent: true })
    s.run(thread, '', no)
    s.run(thread)
  }),
])

test('what needs several calls at once is not owed where assistants ask for one at a time and no client can write a call', () => {
  const outcomes = ['alpha', 'alpha beta'].map((ids) => {
    const trace = new TraceBuilder({ profile: { tools: { callIds: '/tool_calls/*/id', resultField: 'tool_call_id' } } })
    trace.run(questioned(trace), 'Let me look.', { with: { tool_calls: ids.split(' ').map((id) => ({ id })) } })
    return outcomeOf(trace.judge(), 'tools.run-needs-tool-messages', 'runThread', 'some-answered')
  })
  expect(outcomes).toEqual(['inapplicable', 'unexercised'])
})

test('what needs several calls at once is not owed where a message has room for one', () => {
  const tools = {
    callIds: '/tool_call_id',
    resultField: 'tool_call_id',
    assistantMessage: { tool_call_id: '{{tool_call_id}}' },
  }
  const trace = new TraceBuilder({ profile: { tools } })
  trace.add(questioned(trace), 'assistant', 'Let me look.', { more: { tool_call_id: 'alpha' } })
  const judgement = trace.judge()
  expect([
    outcomeOf(judgement, 'tools.matched-behind-other-results', 'createMessage'),
    outcomeOf(judgement, 'tools.run-needs-tool-messages', 'runThread', 'some-answered'),
    outcomeOf(judgement, 'tools.run-needs-tool-messages', 'runThread', 'none-answered'),
  ]).toEqual(['inapplicable', 'inapplicable', 'unexercised'])
})
