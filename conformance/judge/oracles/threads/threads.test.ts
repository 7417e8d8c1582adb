/** Proof of the oracles of chapter threads: what is created and refused, and when a run may start. */
import {
  notBlamed,
  noViolation,
  proveOracles,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { type Fields, rejectedWith, timestampText, uuid } from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { threadContentCases } from './contents.cases.ts'
import { threadListCases } from './listing.cases.ts'
import { threadTraceCases } from './rejections.cases.ts'
import { threadCases } from './threads.cases.ts'
import { threadsOracles } from './threads.ts'

const begun = (s: TraceBuilder): string => s.assistants().thread()
const asked = (s: TraceBuilder): string => {
  const thread = begun(s)
  s.add(thread, 'user', 'A question, please.')
  return thread
}
const add = (s: TraceBuilder, role: string, content: unknown, change: Change & { readonly more?: Fields } = {}) =>
  s.add(begun(s), role, content, change)
const no = rejectedWith('bad_request')
const empty = rejectedWith('message_content_empty')
/** A message to the thread of a completion. */
const toCompletionThread = (s: TraceBuilder, change: Change = {}): void => {
  s.assistants()
  s.add(String(s.complete().thread_id), 'user', 'One more thing.', change)
}
/** A thread of one question and one answer of a client's own. */
const endsOn = (s: TraceBuilder, role: string): string => {
  const thread = asked(s)
  s.add(thread, role, 'Said by a client.')
  return thread
}

proveOracles(threadsOracles, [
  upholds('threads.create-echoes', 'createMessage content', 'the content comes back to the byte', (s) =>
    add(s, 'user', '  spaces, e\u0301 and 🦊\n'),
  ),
  violates('threads.create-echoes', 'createMessage content', 'the content is trimmed', (s) =>
    add(s, 'user', '  Hello ', { with: { content: 'Hello' } }),
  ),
  violates('threads.create-echoes', 'createMessage content', 'the content is normalised', (s) =>
    add(s, 'user', 'e\u0301t\u00e9', { with: { content: '\u00e9t\u00e9' } }),
  ),
  violates('threads.create-echoes', 'createMessage role', 'the role becomes user', (s) =>
    add(s, 'assistant', 'Hello', { with: { role: 'user' } }),
  ),
  upholds('threads.created-in-thread', 'createMessage', 'the thread of the path', (s) => add(s, 'user', 'Hello')),
  violates('threads.created-in-thread', 'createMessage', 'another thread', (s) =>
    add(s, 'user', 'Hello', { with: { thread_id: s.id() } }),
  ),
  upholds('threads.roles-accepted', 'createMessage system', 'a system message comes first', (s) =>
    add(s, 'system', 'Be kind.'),
  ),
  violates('threads.roles-accepted', 'createMessage assistant', 'an assistant message is refused', (s) =>
    add(s, 'assistant', 'Hello', no),
  ),
  noViolation('threads.roles-accepted', '', 'a later system message may be refused', (s) =>
    s.add(asked(s), 'system', 'Be kind.', no),
  ),
  upholds('threads.posted-assistant-fields', 'createMessage sources', 'an added answer has an empty list', (s) =>
    add(s, 'assistant', 'Hello', { with: { meta_data: {}, sources: [] } }),
  ),
  violates('threads.posted-assistant-fields', 'createMessage meta_data', 'an added answer has no meta_data', (s) =>
    add(s, 'assistant', 'Hello', { with: { meta_data: undefined, sources: [] } }),
  ),
  violates('threads.posted-assistant-fields', 'createMessage sources', 'the sources of an added answer are null', (s) =>
    add(s, 'assistant', 'Hello', { with: { meta_data: {}, sources: null } }),
  ),
  noViolation('threads.posted-assistant-fields', '', 'the message of a user has neither', (s) =>
    add(s, 'user', 'Hello'),
  ),
  upholds('threads.empty-content-refused', 'createMessage error_code', 'the code of the table', (s) =>
    add(s, 'user', '', empty),
  ),
  violates('threads.empty-content-refused', 'createMessage rejected', 'empty content is added', (s) =>
    add(s, 'user', ''),
  ),
  violates('threads.empty-content-refused', 'createMessage error_code', 'another code', (s) => add(s, 'user', '', no)),
  noViolation('threads.empty-content-refused', '', 'in an unknown thread either fault may be told', (s) =>
    s.assistants().add(uuid(99), 'user', '', rejectedWith('thread_not_found', 404)),
  ),
  upholds('threads.content-required', 'createMessage absent', 'without content it is refused', (s) => {
    add(s, 'user', 'Hello')
    add(s, 'user', undefined, no)
  }),
  violates('threads.content-required', 'createMessage not-string', 'a number is turned into text', (s) =>
    add(s, 'user', 7, { with: { content: '7' } }),
  ),
  upholds('threads.role-known', 'createMessage', 'an unknown role is refused', (s) => {
    add(s, 'user', 'Hello')
    add(s, 'wizard', 'Hello', no)
  }),
  violates('threads.role-known', 'createMessage', 'an unknown role becomes user', (s) =>
    add(s, 'wizard', 'Hello', { with: { role: 'user' } }),
  ),
  ...['USER', ' User '].map((role) =>
    noViolation('threads.role-known', 'createMessage', `${JSON.stringify(role)} may be read as user`, (s) =>
      add(s, role, 'Hello', { with: { role: 'user' } }),
    ),
  ),
  upholds('threads.role-required', 'createMessage', 'without a role it is refused', (s) => {
    add(s, 'user', 'Hello')
    add(s, 'user', 'x', { sends: '{"content":"x"}', ...no })
  }),
  violates('threads.role-required', 'createMessage', 'without a role it is a user', (s) =>
    add(s, 'user', 'x', { sends: '{"content":"x"}' }),
  ),
  upholds('threads.unknown-thread-error', 'listMessages', 'the code of the table', (s) =>
    s.assistants().list(uuid(99), rejectedWith('thread_not_found', 404)),
  ),
  violates('threads.unknown-thread-error', 'listMessages', 'an unknown thread lists as empty', (s) =>
    s.assistants().list(uuid(99)),
  ),
  violates('threads.unknown-thread-error', 'runThread', 'another code', (s) =>
    s.assistants().run(uuid(99), '', rejectedWith('resource_not_found', 404)),
  ),
  noViolation('threads.unknown-thread-error', '', 'a message creates the thread that it names', (s) => {
    s.assistants().list(uuid(99), rejectedWith('thread_not_found', 404))
    s.add(uuid(99), 'user', 'Hello')
  }),
  noViolation('threads.unknown-thread-error', '', 'a made-up id whose thread an earlier run of the seed left', (s) => {
    const [thread, purpose] = [uuid(99), 'unknown:/path/thread_id']
    const intent = { probe: 'threads.unknown', operation: 'listMessages', purpose, expects: 'rejected' } as const
    const old = { id: uuid(80), thread_id: thread, role: 'user', content: 'From before.', created_at: timestampText(0) }
    s.assistants().list(thread, { body: { cursor: null, items: [old] }, intent })
    s.add(thread, 'user', 'Hello')
    s.run(thread)
  }),
  violates('threads.created-is-listed', 'listMessages', 'the message that created a thread is not listed', (s) => {
    const thread = uuid(99)
    s.assistants().add(thread, 'user', 'Hello')
    const items = [s.add(thread, 'user', 'And again')]
    s.list(thread, { with: { items } })
  }),
  noViolation(
    'threads.unknown-thread-error',
    '',
    'a thread from before the recording may exist',
    (s) => s.list(uuid(99)),
    {
      source: 'proxy',
    },
  ),
  noViolation('threads.unknown-thread-error', '', 'an id that is no UUID may get any error', (s) =>
    s.assistants().list('nowhere', rejectedWith('validation_error_of_mine', 422)),
  ),
  upholds('threads.server-sets-identity', 'createMessage created_at', 'a sent created_at is passed over', (s) =>
    add(s, 'user', 'Hello', { more: { created_at: timestampText(1) }, with: { created_at: timestampText(2) } }),
  ),
  noViolation('threads.server-sets-identity', '', 'who chooses the id of a message is open', (s) =>
    add(s, 'user', 'Hello', { more: { id: uuid(50) } }),
  ),
  upholds('threads.completion-thread-closed', 'createMessage', 'any refusal will do', (s) => {
    add(s, 'user', 'Hello')
    toCompletionThread(s, rejectedWith('thread_is_closed', 409))
  }),
  violates('threads.completion-thread-closed', 'createMessage', 'a message is added to it', (s) =>
    toCompletionThread(s),
  ),
  noViolation('threads.completion-thread-closed', '', 'a completion that was cut made no thread for certain', (s) => {
    s.assistants()
    s.add(
      String(s.complete({}, { ending: 'cut' }).thread_id),
      'user',
      'One more thing.',
      rejectedWith('thread_not_found', 404),
    )
  }),
  upholds('threads.run-needs-user-message', 'runThread', 'an empty thread is refused', (s) => {
    s.run(endsOn(s, 'user'))
    s.run(begun(s), '', no)
  }),
  violates('threads.run-needs-user-message', 'streamThreadRun', 'an empty thread is answered', (s) =>
    s.stream(begun(s)),
  ),
  violates('threads.run-needs-user-message', 'runThread', 'a system message is enough', (s) => {
    const thread = begun(s)
    s.add(thread, 'system', 'Be kind.')
    s.run(thread)
  }),
  violates('threads.run-needs-user-message', 'runThread', 'it is answered in spite of a second fault', (s) => {
    const thread = begun(s)
    s.add(thread, 'assistant', 'Let me look.', { more: { tool_calls: [{ id: 'alpha' }] } })
    s.run(thread)
  }),
  notBlamed('threads.run-needs-user-message', '', 'the second fault alone is let through as well', (s) => {
    const asked = begun(s)
    s.add(asked, 'user', 'Look, please.')
    s.add(asked, 'assistant', 'Let me look.', { more: { tool_calls: [{ id: 'beta' }] } })
    s.run(asked)
    const thread = begun(s)
    s.add(thread, 'assistant', 'Let me look.', { more: { tool_calls: [{ id: 'alpha' }] } })
    s.run(thread)
  }),
  noViolation('threads.run-needs-user-message', '', 'a user message that timed out may have arrived', (s) => {
    const thread = begun(s)
    s.add(thread, 'user', 'Hello there', { silent: true })
    s.run(thread)
  }),
  noViolation('threads.run-needs-user-message', '', 'a user message that is under way may have arrived', (s) => {
    const thread = begun(s)
    s.add(thread, 'user', 'Hello there', { at: [100, 200] })
    s.run(thread, 'The answer.', { at: [150, 180] })
  }),
  upholds('threads.run-empty-body', 'runThread', 'an empty object is a body', (s) => s.run(asked(s))),
  violates('threads.run-empty-body', 'runThread', 'tools are asked for', (s) =>
    s.run(asked(s), '', rejectedWith('tools_missing', 422)),
  ),
  noViolation('threads.run-empty-body', '', 'a run without any body may be refused', (s) => {
    s.send('runThread', { in: { thread_id: asked(s) } }, null, no)
  }),
  upholds(
    'threads.stream-ends-on-user-or-tool',
    'streamThreadRun assistant',
    'a thread that ends on an answer is refused',
    (s) => {
      s.stream(endsOn(s, 'user'))
      s.stream(endsOn(s, 'assistant'), [], no)
    },
  ),
  violates(
    'threads.stream-ends-on-user-or-tool',
    'streamThreadRun assistant',
    'a thread that ends on an answer streams',
    (s) => s.stream(endsOn(s, 'assistant')),
  ),
  violates(
    'threads.stream-ends-on-user-or-tool',
    'streamThreadRun system',
    'a thread that ends on a system message streams',
    (s) => s.stream(endsOn(s, 'system')),
  ),
  noViolation('threads.stream-ends-on-user-or-tool', '', 'the plain form runs behind an assistant message', (s) =>
    s.run(endsOn(s, 'assistant')),
  ),
  upholds('threads.run-reads-whole-thread', 'runThread', 'the question stands before a system message', (s) =>
    s.run(endsOn(s, 'system')),
  ),
  violates('threads.run-reads-whole-thread', 'runThread', 'only the newest message is looked at', (s) =>
    s.run(endsOn(s, 'system'), '', no),
  ),
  ...threadContentCases,
  ...threadCases,
  ...threadListCases,
  ...threadTraceCases,
])
