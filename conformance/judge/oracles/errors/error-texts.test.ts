/** Proof of the oracles of the texts of errors, and of the operations that list a code. */
import {
  inconclusive,
  notBlamed,
  noViolation,
  proveOracles,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { errorBody, fieldError, rejectedWith, uuid } from '../../../../test/trace-builder/sample-data.ts'
import type { TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { detailText, listedWhere } from './error-texts.ts'

const text = 'errors.detail-text'
const where = 'errors.listed-where'
const list = 'listMessages'
const listsUnknown = (s: TraceBuilder, detail: unknown): void =>
  void s.assistants().list(uuid(99), { status: 404, body: errorBody('thread_not_found', detail) })
const adds = (s: TraceBuilder, role: string, content: string, code: string, detail?: unknown): void => {
  const thread = s.assistants().thread()
  s.add(thread, role, content, { status: 400, body: errorBody(code, detail) })
}
const asksFor = (s: TraceBuilder, body: Readonly<Record<string, unknown>>, code: string): void =>
  void s.assistants().complete(body, rejectedWith(code))

proveOracles({ [text]: detailText, [where]: listedWhere }, [
  upholds(text, `${list} thread_not_found`, 'the text of the table', (s) => listsUnknown(s, 'Thread not found')),
  violates(text, `${list} thread_not_found`, 'words of its own', (s) => listsUnknown(s, 'Gone')),
  violates(text, `${list} thread_not_found`, 'a full stop behind the text', (s) =>
    listsUnknown(s, 'Thread not found.'),
  ),
  violates(text, 'createMessage message_content_empty', 'another code has another text', (s) =>
    adds(s, 'user', '', 'message_content_empty', 'Thread not found'),
  ),
  violates(text, `${list} internal_service_error`, 'a code that no obligation names', (s) =>
    s.assistants().list(uuid(99), { status: 503, body: errorBody('internal_service_error', 'Down') }),
  ),
  notBlamed(text, '', 'a code of nobody has no text', (s) => {
    s.assistants().list(uuid(99), { status: 429, body: errorBody('slow_down', 'Slow down') })
  }),
  noViolation(text, '', 'a list of field errors is no text', (s) =>
    s.assistants().complete({ user_id: 'ann' }, { status: 422, body: fieldError(['body', 'user_id'], 'uuid_parsing') }),
  ),
  notBlamed(text, '', 'the contract shows no errors of assistants', (s) =>
    s.assistants([], { status: 404, body: errorBody('resource_not_found', 'Nothing') }),
  ),
  noViolation(text, '', 'who refuses a key may say what it likes', (s) =>
    s.list(uuid(99), { as: null, status: 401, body: errorBody('tenant_not_found', 'No key') }),
  ),
  upholds(where, list, 'a listed code', (s) => listsUnknown(s, 'Thread not found')),
  violates(where, list, 'a model is not asked for a list', (s) =>
    s.assistants().list(s.thread(), rejectedWith('api_timeout_error', 504)),
  ),
  violates(where, list, 'a list of an unknown thread has a code of completions', (s) =>
    s.assistants().list(uuid(99), rejectedWith('resource_not_found', 404)),
  ),
  violates(where, 'createChatCompletion', 'a completion in an unknown thread has a code of threads', (s) =>
    s.assistants().complete({}, { query: `?thread_id=${uuid(99)}`, ...rejectedWith('thread_not_found', 404) }),
  ),
  violates(where, 'createMessage', 'empty content has a code of the own keys', (s) =>
    adds(s, 'user', '', 'bad_request'),
  ),
  violates(where, 'createChatCompletion', 'a wrong user_id has a code of the own keys', (s) =>
    asksFor(s, { user_id: 'ann' }, 'bad_request'),
  ),
  inconclusive(where, 'createMessage', 'no listed code tells of a malformed field', (s) =>
    adds(s, 'moderator', 'Hello', 'bad_request'),
  ),
  inconclusive(where, 'runThread', 'no listed code tells of a thread without a question', (s) =>
    s.assistants().run(s.thread(), '', rejectedWith('bad_request')),
  ),
  inconclusive(where, list, 'a request that may be right may be refused with any code', (s) =>
    s.assistants().list(s.thread(), { query: '?limit=0', ...rejectedWith('validation_error') }),
  ),
  inconclusive(where, 'createChatCompletion', 'of two faults either may be told', (s) =>
    asksFor(s, { user_id: 'ann', messages: [] }, 'bad_request'),
  ),
  inconclusive(where, 'createChatCompletion', 'a field that the contract does not show may be what is refused', (s) =>
    asksFor(s, { user_id: 'ann', temperature: 1 }, 'bad_request'),
  ),
  notBlamed(where, '', 'a code of nobody is listed nowhere', (s) => {
    s.assistants().list(uuid(99), rejectedWith('slow_down', 429))
  }),
  notBlamed(where, '', 'the contract lists no errors of assistants', (s) =>
    s.assistants([], rejectedWith('thread_not_found', 404)),
  ),
])
