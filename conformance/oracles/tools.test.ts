/** Proof of the oracles of chapter tools. */
import { expect, test } from 'vitest'
import { type Fields, outcomeOf, refused } from '../trace-notation/material.ts'
import { allows, breaks, keeps, passesBy, prove } from '../trace-notation/prove.ts'
import { type Change, Story } from '../trace-notation.ts'
import { toolsOracles } from './tools.ts'

const unmatched = refused('tool_message_has_no_matching_tool_call')
const no = refused('bad_request')
/** A thread whose assistant message asks for these calls. */
const calling = (s: Story, ...ids: readonly string[]): string => {
  const thread = s.assistants().thread()
  s.add(thread, 'user', 'What is the weather?')
  s.add(thread, 'assistant', 'Let me look.', { more: { tool_calls: ids.map((id) => ({ id })) } })
  return thread
}
const result = (s: Story, thread: string, id: string | null, change: Change = {}): Fields =>
  s.add(thread, 'tool', 'It rains.', { ...(id === null ? {} : { more: { tool_call_id: id } }), ...change })
const plain = (s: Story): string => {
  const thread = s.assistants().thread()
  s.add(thread, 'user', 'What is the weather?')
  return thread
}
/** A thread in which a run asked for a call. */
const answered = (s: Story, id: string): string => {
  const thread = plain(s)
  s.run(thread, 'Let me look.', { with: { actions: [{ ref: id }] } })
  return thread
}
const elsewhere = (s: Story, change: Change): void => {
  calling(s, 'call_elsewhere')
  result(s, calling(s, 'call_here'), 'call_elsewhere', change)
}
const ofUser = (s: Story, change: Change): void => {
  const thread = calling(s, 'call_real')
  result(s, thread, 'call_real')
  s.add(thread, 'user', 'I can do that too.', { more: { tool_calls: [{ id: 'made_by_user' }] } })
  result(s, thread, 'made_by_user', change)
}

prove(toolsOracles, [
  keeps('tools.unmatched-refused', 'createMessage no-assistant-message', 'nobody asked', (s) =>
    result(s, plain(s), 'call_1', unmatched),
  ),
  breaks('tools.unmatched-refused', 'createMessage no-assistant-message', 'nobody asked, and it is added', (s) =>
    result(s, plain(s), 'call_1'),
  ),
  breaks('tools.unmatched-refused', 'createMessage unknown-id', 'another call was asked for', (s) =>
    result(s, calling(s, 'alpha'), 'omega'),
  ),
  breaks(
    'tools.unmatched-refused',
    'createMessage unknown-id',
    'without a mapping an id that no message of the thread shows is unknown',
    (s) => result(s, answered(s, 'alpha'), 'omega'),
    { profile: { tools: null } },
  ),
  allows(
    'tools.unmatched-refused',
    '',
    'without a mapping an id that stands anywhere in an answer may be that of a call',
    (s) => result(s, answered(s, 'alpha'), 'alpha'),
    { profile: { tools: null } },
  ),
  breaks('tools.unmatched-refused', 'createMessage without-id', 'a result without an id is added', (s) =>
    result(s, calling(s, 'alpha'), null),
  ),
  allows(
    'tools.unmatched-refused',
    '',
    'a thread that began before the recording may hold the call',
    (s) => result(s, plain(s), 'call_1'),
    { source: 'har' },
  ),
  keeps('tools.unmatched-error', 'createMessage', 'the code of the table', (s) =>
    result(s, calling(s, 'alpha'), 'omega', unmatched),
  ),
  breaks('tools.unmatched-error', 'createMessage', 'another code', (s) => result(s, calling(s, 'alpha'), 'omega', no)),
  allows('tools.unmatched-error', '', 'a result without an id may be told as a missing field', (s) =>
    result(s, calling(s, 'alpha'), null, no),
  ),
  allows(
    'tools.unmatched-error',
    '',
    'without a mapping the id may stand in another field',
    (s) => result(s, plain(s), 'call_1', no),
    { profile: { tools: null } },
  ),
  keeps(
    'tools.unmatched-error',
    'createMessage',
    'without a mapping the code of the table is right all the same',
    (s) => result(s, plain(s), 'call_1', unmatched),
    { profile: { tools: null } },
  ),
  ...Object.entries({
    'silence is no code': { silent: true },
    'an empty result has two faults': { sends: '{"role":"tool","content":"","tool_call_id":"call_1"}', ...no },
  }).map(([law, change]) =>
    passesBy('tools.unmatched-error', 'createMessage', law, (s) => result(s, plain(s), 'call_1', change), {
      profile: { tools: null },
    }),
  ),
  passesBy('tools.unmatched-error', 'createMessage', 'who adds a message of a user asks for no call', (s) => plain(s), {
    profile: { tools: null },
  }),
  keeps('tools.matched-in-own-thread', 'createMessage', 'the call of another thread does not match', (s) =>
    elsewhere(s, unmatched),
  ),
  breaks('tools.matched-in-own-thread', 'createMessage', 'the call of another thread matches', (s) => elsewhere(s, {})),
  keeps('tools.matched-by-assistant-only', 'createMessage', 'a user cannot ask for tools', (s) => ofUser(s, unmatched)),
  breaks('tools.matched-by-assistant-only', 'createMessage', 'the call of a user matches', (s) => ofUser(s, {})),
  breaks('tools.matched-by-assistant-only', 'createMessage', 'a call id in the text of a user matches', (s) => {
    const thread = calling(s, 'call_real')
    result(s, thread, 'call_real')
    s.add(thread, 'user', 'I have seen call_in_text in the log.')
    result(s, thread, 'call_in_text')
  }),
  keeps('tools.matched-accepted', 'createMessage', 'the result of an open call is added', (s) =>
    result(s, calling(s, 'alpha'), 'alpha'),
  ),
  breaks('tools.matched-accepted', 'createMessage', 'the result of an open call is refused', (s) =>
    result(s, calling(s, 'alpha'), 'alpha', unmatched),
  ),
  allows('tools.matched-accepted', '', 'a second result for one call may be refused', (s) => {
    const thread = calling(s, 'alpha')
    result(s, thread, 'alpha')
    result(s, thread, 'alpha', no)
  }),
  allows('tools.matched-accepted', '', 'a result away from its call may be refused', (s) => {
    const thread = calling(s, 'alpha')
    s.add(thread, 'user', 'Hurry up.')
    result(s, thread, 'alpha', unmatched)
  }),
  keeps('tools.matched-behind-other-results', 'createMessage', 'the second of two results', (s) => {
    const thread = calling(s, 'alpha', 'beta')
    result(s, thread, 'beta')
    result(s, thread, 'alpha')
  }),
  breaks('tools.matched-behind-other-results', 'createMessage', 'only the message right before is looked at', (s) => {
    const thread = calling(s, 'alpha', 'beta')
    result(s, thread, 'alpha')
    result(s, thread, 'beta', unmatched)
  }),
  passesBy('tools.matched-behind-other-results', 'createMessage', 'the first result stands behind its call', (s) =>
    result(s, calling(s, 'alpha', 'beta'), 'beta'),
  ),
  passesBy('tools.matched-accepted', 'createMessage', 'a refused result answers nothing', (s) =>
    result(s, calling(s, 'alpha'), 'omega', unmatched),
  ),
  keeps('tools.matched-exactly', 'createMessage', 'another case does not match', (s) =>
    result(s, calling(s, 'call_A'), 'call_a', unmatched),
  ),
  breaks('tools.matched-exactly', 'createMessage', 'a prefix matches', (s) =>
    result(s, calling(s, 'call_10'), 'call_1'),
  ),
  keeps('tools.run-needs-tool-messages', 'runThread none-answered', 'an open call stops a run', (s) =>
    s.run(calling(s, 'alpha'), '', no),
  ),
  breaks('tools.run-needs-tool-messages', 'runThread none-answered', 'an open call does not stop a run', (s) =>
    s.run(calling(s, 'alpha')),
  ),
  breaks('tools.run-needs-tool-messages', 'streamThreadRun some-answered', 'one of two results is enough', (s) => {
    const thread = calling(s, 'alpha', 'beta')
    result(s, thread, 'alpha')
    s.stream(thread)
  }),
  breaks(
    'tools.run-needs-tool-messages',
    'runThread none-answered',
    'a call that a run asked for is forgotten',
    (s) => {
      const thread = plain(s)
      s.run(thread, 'Let me look.', { with: { tool_calls: [{ id: 'alpha' }] } })
      s.run(thread)
    },
  ),
  keeps('tools.run-after-tool-messages', 'streamThreadRun', 'all calls have their results', (s) => {
    const thread = calling(s, 'alpha')
    result(s, thread, 'alpha')
    s.stream(thread)
  }),
  passesBy(
    'tools.run-after-tool-messages',
    'runThread',
    'a thread without calls, or with an answer behind them',
    (s) => {
      s.run(plain(s))
      const thread = calling(s, 'alpha')
      result(s, thread, 'alpha')
      s.add(thread, 'user', 'Thank you.')
      s.run(thread)
    },
  ),
  passesBy('tools.run-after-tool-messages', 'runThread', 'one of two results', (s) => {
    const thread = calling(s, 'alpha', 'beta')
    result(s, thread, 'alpha')
    s.run(thread, '', no)
  }),
  breaks('tools.run-after-tool-messages', 'runThread', 'a thread that ends on a result is refused', (s) => {
    const thread = calling(s, 'alpha')
    result(s, thread, 'alpha')
    s.run(thread, '', no)
  }),
  passesBy('tools.run-after-tool-messages', 'runThread', 'a run without a key behind results', (s) => {
    const thread = calling(s, 'alpha')
    result(s, thread, 'alpha')
    s.run(thread, '', { ...no, as: null })
  }),
  allows('tools.run-after-tool-messages', '', 'a result that timed out may be missing', (s) => {
    const thread = calling(s, 'alpha')
    result(s, thread, 'alpha', { silent: true })
    s.run(thread, '', no)
    s.run(thread)
  }),
])

test('what needs several calls at once is not owed where assistants ask for one at a time and no client can write a call', () => {
  const outcomes = ['alpha', 'alpha beta'].map((ids) => {
    const story = new Story({ profile: { tools: { callIds: '/tool_calls/*/id', resultField: 'tool_call_id' } } })
    story.run(plain(story), 'Let me look.', { with: { tool_calls: ids.split(' ').map((id) => ({ id })) } })
    return outcomeOf(story.judge(), 'tools.run-needs-tool-messages', 'runThread', 'some-answered')
  })
  expect(outcomes).toEqual(['inapplicable', 'unexercised'])
})
