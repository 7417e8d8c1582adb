/** Proof of the oracles of chapter threads: what is created and refused, and when a run may start. */
import { type Fields, refused, uuid } from '../trace-notation/material.ts'
import { allows, breaks, keeps, prove } from '../trace-notation/prove.ts'
import type { Change, Story } from '../trace-notation.ts'
import { threadContentCases } from './thread-contents.cases.ts'
import { threadListCases } from './thread-lists.cases.ts'
import { threadTraceCases } from './thread-traces.cases.ts'
import { threadCases } from './threads.cases.ts'
import { threadsOracles } from './threads.ts'

const begun = (s: Story): string => s.assistants().thread()
const asked = (s: Story): string => {
  const thread = begun(s)
  s.add(thread, 'user', 'A question, please.')
  return thread
}
const add = (s: Story, role: string, content: unknown, change: Change & { readonly more?: Fields } = {}) =>
  s.add(begun(s), role, content, change)
const no = refused('bad_request')
const empty = refused('message_content_empty')
/** A message to the thread of a completion. */
const toBorn = (s: Story, change: Change = {}): void => {
  s.assistants()
  s.add(String(s.complete().thread_id), 'user', 'One more thing.', change)
}
/** A thread of one question and one answer of a client's own. */
const endsOn = (s: Story, role: string): string => {
  const thread = asked(s)
  s.add(thread, role, 'Said by a client.')
  return thread
}

prove(threadsOracles, [
  keeps('threads.create-echoes', 'createMessage content', 'the content comes back to the byte', (s) =>
    add(s, 'user', '  spaces, e\u0301 and 🦊\n'),
  ),
  breaks('threads.create-echoes', 'createMessage content', 'the content is trimmed', (s) =>
    add(s, 'user', '  Hello ', { with: { content: 'Hello' } }),
  ),
  breaks('threads.create-echoes', 'createMessage content', 'the content is normalised', (s) =>
    add(s, 'user', 'e\u0301t\u00e9', { with: { content: '\u00e9t\u00e9' } }),
  ),
  breaks('threads.create-echoes', 'createMessage role', 'the role becomes user', (s) =>
    add(s, 'assistant', 'Hello', { with: { role: 'user' } }),
  ),
  keeps('threads.created-in-thread', 'createMessage', 'the thread of the path', (s) => add(s, 'user', 'Hello')),
  breaks('threads.created-in-thread', 'createMessage', 'another thread', (s) =>
    add(s, 'user', 'Hello', { with: { thread_id: s.id() } }),
  ),
  keeps('threads.roles-accepted', 'createMessage system', 'a system message comes first', (s) =>
    add(s, 'system', 'Be kind.'),
  ),
  breaks('threads.roles-accepted', 'createMessage assistant', 'an assistant message is refused', (s) =>
    add(s, 'assistant', 'Hello', no),
  ),
  allows('threads.roles-accepted', '', 'a later system message may be refused', (s) =>
    s.add(asked(s), 'system', 'Be kind.', no),
  ),
  keeps('threads.empty-content-refused', 'createMessage error_code', 'the code of the table', (s) =>
    add(s, 'user', '', empty),
  ),
  breaks('threads.empty-content-refused', 'createMessage rejected', 'empty content is added', (s) =>
    add(s, 'user', ''),
  ),
  breaks('threads.empty-content-refused', 'createMessage error_code', 'another code', (s) => add(s, 'user', '', no)),
  allows('threads.empty-content-refused', '', 'in an unknown thread either fault may be told', (s) =>
    s.assistants().add(uuid(99), 'user', '', refused('thread_not_found', 404)),
  ),
  keeps('threads.content-required', 'createMessage absent', 'without content it is refused', (s) =>
    add(s, 'user', undefined, no),
  ),
  breaks('threads.content-required', 'createMessage not-string', 'a number is turned into text', (s) =>
    add(s, 'user', 7, { with: { content: '7' } }),
  ),
  keeps('threads.role-known', 'createMessage', 'an unknown role is refused', (s) => add(s, 'wizard', 'Hello', no)),
  breaks('threads.role-known', 'createMessage', 'an unknown role becomes user', (s) =>
    add(s, 'wizard', 'Hello', { with: { role: 'user' } }),
  ),
  keeps('threads.role-required', 'createMessage', 'without a role it is refused', (s) =>
    add(s, 'user', 'x', { sends: '{"content":"x"}', ...no }),
  ),
  breaks('threads.role-required', 'createMessage', 'without a role it is a user', (s) =>
    add(s, 'user', 'x', { sends: '{"content":"x"}' }),
  ),
  keeps('threads.unknown-thread-error', 'listMessages', 'the code of the table', (s) =>
    s.assistants().list(uuid(99), refused('thread_not_found', 404)),
  ),
  breaks('threads.unknown-thread-error', 'listMessages', 'an unknown thread lists as empty', (s) =>
    s.assistants().list(uuid(99)),
  ),
  breaks('threads.unknown-thread-error', 'runThread', 'another code', (s) =>
    s.assistants().run(uuid(99), '', refused('resource_not_found', 404)),
  ),
  breaks('threads.unknown-thread-error', 'createMessage', 'a message makes the thread', (s) =>
    s.assistants().add(uuid(99), 'user', 'Hello'),
  ),
  allows('threads.unknown-thread-error', '', 'a thread from before the recording may exist', (s) => s.list(uuid(99)), {
    source: 'proxy',
  }),
  allows('threads.unknown-thread-error', '', 'an id that is no UUID may get any error', (s) =>
    s.assistants().list('nowhere', refused('validation_error_of_mine', 422)),
  ),
  keeps('threads.server-sets-identity', 'createMessage id', 'a sent id is passed over', (s) =>
    add(s, 'user', 'Hello', { more: { id: uuid(50) }, with: { id: uuid(51) } }),
  ),
  breaks('threads.server-sets-identity', 'createMessage id', 'a sent id is taken', (s) =>
    add(s, 'user', 'Hello', { more: { id: uuid(50) } }),
  ),
  keeps('threads.completion-born-closed', 'createMessage', 'any refusal will do', (s) =>
    toBorn(s, refused('thread_is_closed', 409)),
  ),
  breaks('threads.completion-born-closed', 'createMessage', 'a message is added to it', (s) => toBorn(s)),
  allows('threads.completion-born-closed', '', 'a completion that was cut made no thread for certain', (s) => {
    s.assistants()
    s.add(
      String(s.complete({}, { ending: 'cut' }).thread_id),
      'user',
      'One more thing.',
      refused('thread_not_found', 404),
    )
  }),
  keeps('threads.run-needs-user-message', 'runThread', 'an empty thread is refused', (s) => s.run(begun(s), '', no)),
  breaks('threads.run-needs-user-message', 'streamThreadRun', 'an empty thread is answered', (s) => s.stream(begun(s))),
  breaks('threads.run-needs-user-message', 'runThread', 'a system message is enough', (s) => {
    const thread = begun(s)
    s.add(thread, 'system', 'Be kind.')
    s.run(thread)
  }),
  allows('threads.run-needs-user-message', '', 'a user message that timed out may have arrived', (s) => {
    const thread = begun(s)
    s.add(thread, 'user', 'Hello there', { silent: true })
    s.run(thread)
  }),
  allows('threads.run-needs-user-message', '', 'a user message that is under way may have arrived', (s) => {
    const thread = begun(s)
    s.add(thread, 'user', 'Hello there', { at: [100, 200] })
    s.run(thread, 'The answer.', { at: [150, 180] })
  }),
  keeps('threads.run-empty-body', 'runThread', 'an empty object is a body', (s) => s.run(asked(s))),
  breaks('threads.run-empty-body', 'runThread', 'tools are asked for', (s) =>
    s.run(asked(s), '', refused('tools_missing', 422)),
  ),
  allows('threads.run-empty-body', '', 'a run without any body may be refused', (s) => {
    s.send('runThread', { in: { thread_id: asked(s) } }, null, no)
  }),
  keeps(
    'threads.stream-ends-on-user-or-tool',
    'streamThreadRun assistant',
    'a thread that ends on an answer is refused',
    (s) => s.stream(endsOn(s, 'assistant'), [], no),
  ),
  breaks(
    'threads.stream-ends-on-user-or-tool',
    'streamThreadRun assistant',
    'a thread that ends on an answer streams',
    (s) => s.stream(endsOn(s, 'assistant')),
  ),
  breaks(
    'threads.stream-ends-on-user-or-tool',
    'streamThreadRun system',
    'a thread that ends on a system message streams',
    (s) => s.stream(endsOn(s, 'system')),
  ),
  allows('threads.stream-ends-on-user-or-tool', '', 'the plain form may run behind an answer or refuse to', (s) => {
    s.run(endsOn(s, 'assistant'))
    s.run(endsOn(s, 'assistant'), '', no)
  }),
  keeps('threads.run-reads-whole-thread', 'runThread', 'the question stands before a system message', (s) =>
    s.run(endsOn(s, 'system')),
  ),
  breaks('threads.run-reads-whole-thread', 'runThread', 'only the newest message is looked at', (s) =>
    s.run(endsOn(s, 'system'), '', no),
  ),
  ...threadContentCases,
  ...threadCases,
  ...threadListCases,
  ...threadTraceCases,
])
