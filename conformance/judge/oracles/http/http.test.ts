/** Proof of the oracles of chapter http. */
import { expect, test } from 'vitest'
import {
  inconclusive,
  noViolation,
  proveOracles,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import {
  assistant,
  assistantIds,
  outcomeOf,
  rejectedWith,
  uuid,
  violatedIn,
} from '../../../../test/trace-builder/sample-data.ts'
import { TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { httpOracles } from './http.ts'

const bare = (status: number) => ({ status, body: { message: 'no' } })
const redirectTo = (status: number, location: string) =>
  ({ status, text: '', answers: [['location', location]] }) as const

const filled = (s: TraceBuilder, size: number): string => {
  const thread = s.assistants().thread()
  for (let index = 0; index < size; index += 1) s.add(thread, 'user', `Remark ${index}`)
  return thread
}

/** One assistant answers, and each attempt of a question to another one fails, which answers another question before where told so. */
const failingAssistant = (s: TraceBuilder, answersBefore: boolean): void => {
  s.assistants().complete()
  const question = { assistant_id: assistantIds.whole, messages: [{ role: 'user', content: 'Who is it?' }] }
  if (answersBefore) s.complete({ ...question, messages: [{ role: 'user', content: 'Hello' }] })
  for (let attempt = 0; attempt < 3; attempt += 1) s.complete(question, rejectedWith('internal_service_error', 503))
  s.complete()
}

const namedRunner = { profile: { runBody: { assistant_id: '{{assistant_id}}' } } }

/** Three runs of a thread fail, of which another assistant than the plain one runs two, which answers elsewhere where told so. */
type Attempt = readonly ['runThread' | 'streamThreadRun', assistant: string]
const byTwoAssistants: readonly Attempt[] = [
  ['runThread', assistantIds.whole],
  ['runThread', assistantIds.whole],
  ['runThread', assistantIds.plain],
]
const inBothForms: readonly Attempt[] = [
  ['streamThreadRun', assistantIds.plain],
  ['runThread', assistantIds.plain],
  ['runThread', assistantIds.plain],
]

const failingThread = (s: TraceBuilder, answersElsewhere: boolean, attempts = byTwoAssistants): void => {
  const [thread, other] = [s.assistants().thread(), s.thread()]
  s.add(other, 'user', 'Hello')
  s.send(
    'runThread',
    { in: { thread_id: other }, json: { assistant_id: assistantIds.plain } },
    s.answer(other, 'The answer.'),
  )
  if (answersElsewhere) s.complete({ assistant_id: assistantIds.whole })
  s.add(thread, 'user', 'Hello')
  for (const [operation, assistant_id] of attempts)
    s.send(
      operation,
      { in: { thread_id: thread }, json: { assistant_id } },
      {},
      rejectedWith('internal_service_error', 503),
    )
  s.complete()
}

proveOracles(httpOracles, [
  violates('http.operation-served', 'listMessages', 'every list fails, and the service serves the rest', (s) => {
    const thread = s.assistants().thread()
    for (const _ of [1, 2, 3]) s.list(thread, rejectedWith('internal_service_error', 503))
    s.add(thread, 'user', 'Hello')
  }),
  violates('http.operation-served', 'createChatCompletion', 'one question to a sound assistant fails every time', (s) =>
    failingAssistant(s, true),
  ),
  noViolation('http.operation-served', '', 'what is behind one assistant may be down', (s) =>
    failingAssistant(s, false),
  ),
  violates('http.operation-served', 'listMessages', 'one legal request is cut every time', (s) => {
    const thread = s.assistants().thread()
    s.list(thread)
    for (const _ of [1, 2, 3]) s.list(thread, { query: '?limit=100', ending: 'cut' })
    s.add(thread, 'user', 'Hello')
  }),
  upholds('http.operation-served', 'listMessages', 'a failure that passes is no violation', (s) => {
    const thread = s.assistants().thread()
    for (const _ of [1, 2, 3]) s.list(thread, { status: 502, text: 'Bad gateway' })
    s.list(thread)
  }),
  inconclusive('http.operation-served', 'listMessages', 'nothing shows that the service was up again', (s) => {
    const thread = s.assistants().thread()
    for (const _ of [1, 2, 3]) s.list(thread, { status: 502, text: 'Bad gateway' })
  }),
  violates('http.operation-served', 'runThread', 'a thread that was run before fails for good from then on', (s) => {
    const thread = s.assistants().thread()
    s.add(thread, 'user', 'Hello')
    s.run(thread, 'The answer.')
    s.add(thread, 'user', 'Hello again')
    for (const _ of [1, 2, 3]) {
      s.run(thread, '', rejectedWith('internal_service_error', 503))
      s.list(thread)
    }
    s.run(s.thread(), '', rejectedWith('validation_error', 422))
  }),
  violates(
    'http.operation-served',
    'runThread',
    'a thread fails for good, whichever assistant runs it that answers elsewhere',
    (s) => failingThread(s, true),
    namedRunner,
  ),
  violates(
    'http.operation-served',
    'streamThreadRun',
    'a thread fails for good, whichever form runs it',
    (s) => failingThread(s, true, inBothForms),
    namedRunner,
  ),
  violates('http.operation-served', 'streamThreadRun', 'a thread is run whole, but is streamed no more', (s) => {
    const [thread, other] = [s.assistants().thread(), s.thread()]
    for (const id of [thread, other]) s.add(id, 'user', 'Hello')
    s.run(other, 'The answer.')
    s.add(other, 'user', 'Hello again')
    s.stream(other)
    for (const _ of [1, 2, 3]) {
      s.stream(thread, undefined, rejectedWith('internal_service_error', 503))
      s.list(thread)
    }
    s.run(thread, 'The answer.')
  }),
  noViolation(
    'http.operation-served',
    'runThread',
    'what is behind an assistant that never answered may be down in a thread as well',
    (s) => failingThread(s, false),
    namedRunner,
  ),
  upholds('http.operation-served', 'runThread', 'a run that fails at first is served in the end', (s) => {
    const thread = s.assistants().thread()
    s.add(thread, 'user', 'Hello')
    for (const _ of [1, 2, 3]) {
      s.run(thread, '', rejectedWith('internal_service_error', 503))
      s.list(thread)
    }
    s.run(thread, 'The answer.')
    s.list(thread)
  }),
  inconclusive('http.operation-served', 'runThread', 'a model that is late all the time is not the service', (s) => {
    const thread = s.assistants().thread()
    s.add(thread, 'user', 'Hello')
    for (const _ of [1, 2, 3]) s.run(thread, '', rejectedWith('api_timeout_error', 504))
    s.list(thread)
  }),
  upholds('http.operation-served', 'listAssistants', 'a list is served', (s) => s.assistants()),
  violates('http.operation-served', 'listAssistants', 'a legal request is refused', (s) =>
    s.assistants(undefined, rejectedWith('bad_request')),
  ),
  violates('http.operation-served', 'createMessage', 'a legal message is met by a bare 500', (s) =>
    s.assistants().add(s.thread(), 'user', 'Hello', bare(500)),
  ),
  inconclusive('http.operation-served', 'listAssistants', 'a gateway that is down says nothing', (s) =>
    s.assistants(undefined, bare(503)),
  ),
  inconclusive('http.operation-served', 'listAssistants', 'an unavailable service says nothing', (s) =>
    s.assistants(undefined, rejectedWith('internal_service_error', 200)),
  ),
  inconclusive('http.operation-served', 'listAssistants', 'silence says nothing', (s) =>
    s.assistants(undefined, { silent: true }),
  ),
  noViolation('http.operation-served', '', 'content of blanks alone may be refused', (s) =>
    s.assistants().add(s.thread(), 'user', '  ', rejectedWith('message_content_empty')),
  ),
  noViolation('http.operation-served', '', 'a body field that is not shown may be refused', (s) => {
    s.assistants()
    s.complete({ temperature: 1 }, rejectedWith('bad_request'))
  }),
  noViolation('http.operation-served', '', 'a completion without user_id may be refused', (s) => {
    s.assistants()
    s.complete({ user_id: undefined }, rejectedWith('bad_request'))
  }),
  noViolation('http.operation-served', '', 'an upper-case UUID may be refused', (s) => {
    s.assistants([assistant(uuid(1).replace('4000', '4abc'))])
    s.complete({ assistant_id: uuid(1).replace('4000', '4ABC') }, rejectedWith('bad_request'))
  }),
  noViolation('http.operation-served', '', 'any success status is a success', (s) => {
    s.assistants(undefined, { status: 206 })
    s.add(s.thread(), 'user', 'Hello', { status: 200 })
  }),
  noViolation('http.operation-served', '', 'a stream that began as another was refused may have been first', (s) => {
    const thread = s.assistants().thread()
    s.add(thread, 'user', 'What now?', { at: [1000, 1100] })
    s.stream(thread, undefined, { at: [2000, 2002] })
    s.stream(thread, [], { at: [1999, 2000], ...rejectedWith('bad_request') })
  }),
  noViolation('http.operation-served', '', 'a repeated key in a body may be refused', (s) => {
    const thread = s.assistants().thread()
    s.add(thread, 'user', 'Hello', {
      sends: '{"role":"user","content":"a","content":"Hello"}',
      ...rejectedWith('bad_request'),
    })
  }),
  noViolation('http.operation-served', '', 'a thread of sixty messages may be full', (s) => {
    const thread = filled(s, 60)
    s.add(thread, 'user', 'One more', rejectedWith('thread_full'))
    s.add(thread, 'user', '', rejectedWith('thread_full'))
    s.run(thread, 'The answer.', rejectedWith('thread_too_long'))
  }),
  violates('http.operation-served', 'createMessage', 'a thread of ten messages is no long one', (s) =>
    s.add(filled(s, 10), 'user', 'One more', rejectedWith('thread_full')),
  ),
  upholds('http.operation-served', 'listAssistants', 'a path may lead on to the one with a slash at its end', (s) => {
    s.assistants([], { status: 307, text: '', answers: [['location', '/v1/assistants/']] })
    s.assistants(undefined, { path: '/v1/assistants/' })
  }),
  noViolation('http.operation-served', '', 'a path with a slash at its end may be unknown', (s) =>
    s.assistants().assistants(undefined, { path: '/v1/assistants/', ...bare(404) }),
  ),
  unexercised('http.operation-served', 'listAssistants', 'a friendly word without a key serves nothing', (s) =>
    s.assistants([], { as: null, body: { message: 'Please sign in' } }),
  ),
  unexercised('http.versioned-path', 'listAssistants', 'a friendly word without a key shows no route', (s) =>
    s.assistants([], { as: null, body: { message: 'Please sign in' } }),
  ),
  unexercised(
    'http.versioned-path',
    'listMessages',
    'what nobody knows to be there may be missing',
    (s) => s.list(uuid(99), rejectedWith('not_here', 404)),
    { source: 'proxy' },
  ),
  violates('http.operation-served', 'listAssistants', 'a route that was there once is not unknown', (s) =>
    s.assistants().assistants(undefined, bare(404)),
  ),
  ...[405, 501].map((status) =>
    violates('http.versioned-path', 'listAssistants', `a route that answers ${status} is unknown`, (s) =>
      s.assistants(undefined, bare(status)),
    ),
  ),
  violates('http.versioned-path', 'createMessage', 'a redirect that turns a message into a GET serves none', (s) =>
    s.assistants().add(s.thread(), 'user', 'Hello', redirectTo(301, 'messages/')),
  ),
  upholds('http.versioned-path', 'createMessage', 'one redirect does not hide that messages are served', (s) => {
    s.add(s.thread(), 'user', 'Hello', redirectTo(301, 'messages/'))
    s.add(s.thread(), 'user', 'Hello')
  }),
  ...[
    [307, 'messages/'],
    [302, 'https://sign-in.test/'],
  ].map(([status, location]) =>
    noViolation('http.versioned-path', '', `a message may be redirected by ${status} to ${location}`, (s) =>
      s.assistants().add(s.thread(), 'user', 'Hello', redirectTo(Number(status), String(location))),
    ),
  ),
  violates('http.operation-served', 'createMessage', 'a thread that is missing is no missing route', (s) =>
    s.assistants().add(s.thread(), 'user', 'Hello', rejectedWith('thread_not_found', 404)),
  ),
  upholds('http.versioned-path', 'listAssistants', 'the list stands below /v1', (s) => s.assistants()),
  violates('http.versioned-path', 'listAssistants', 'the route is unknown', (s) => s.assistants(undefined, bare(404))),
  upholds('http.json-response', 'listAssistants', 'a JSON array is a document', (s) => s.assistants()),
  upholds(
    'http.json-response',
    'listAssistants',
    'blanks and a byte order mark around the document are no matter',
    (s) => s.assistants([], { text: '\uFEFF [] \r\n' }),
  ),
  violates('http.json-response', 'listAssistants', 'two documents are not one', (s) =>
    s.assistants([], { text: '[]\n[]' }),
  ),
  violates('http.json-response', 'listAssistants', 'a page of HTML is no document', (s) =>
    s.assistants([], { text: '<html></html>' }),
  ),
  violates('http.json-response', 'listAssistants', 'an empty body is no document', (s) =>
    s.assistants([], { text: '' }),
  ),
  upholds('http.json-request', 'createMessage whitespace', 'white space between tokens is read over', (s) =>
    s.assistants().add(s.thread(), 'user', 'Hello', { sends: '{ "role": "user",\n "content": "Hello" }' }),
  ),
  violates('http.json-request', 'createMessage whitespace', 'white space between tokens is refused', (s) =>
    s.assistants().add(s.thread(), 'user', 'Hello', {
      sends: '{ "role": "user",\n "content": "Hello" }',
      ...rejectedWith('bad_request'),
    }),
  ),
  violates('http.json-request', 'createMessage escapes', 'an escape is stored as it is spelled', (s) =>
    s.assistants().add(s.thread(), 'user', 'Hello', {
      sends: '{"role":"user","content":"\\u0048ello"}',
      with: { content: '\\u0048ello' },
    }),
  ),
  violates('http.json-request', 'createMessage escapes', 'the same content in plain spelling comes back whole', (s) => {
    const thread = s.assistants().thread()
    s.add(thread, 'user', 'A <b>', { with: { content: 'A b' } })
    s.add(thread, 'user', 'B 🦉')
    s.add(thread, 'user', 'B 🦉', { sends: '{"role":"user","content":"B \\ud83e\\udd89"}', with: { content: 'B ' } })
  }),
  violates('http.json-request', 'createMessage key-order', 'another order of keys is refused', (s) => {
    const thread = s.assistants().thread()
    s.add(thread, 'user', 'Hello')
    s.add(thread, 'user', 'Hello again', {
      sends: '{"content":"Hello again","role":"user"}',
      ...rejectedWith('validation_error'),
    })
  }),
  unexercised(
    'http.json-request',
    'createMessage whitespace',
    'what is refused anyhow may be spelled in any way',
    (s) =>
      s.assistants().add(s.thread(), 'wizard', 'Hello', {
        sends: '{ "role": "wizard",\n "content": "Hello" }',
        ...rejectedWith('bad_request'),
      }),
  ),
  violates('http.json-request', 'createMessage key-order', 'another order of keys loses the content', (s) => {
    const thread = s.assistants().thread()
    s.add(thread, 'user', 'Hello')
    s.add(thread, 'user', 'Again', { sends: '{"content":"Again","role":"user"}', with: { content: 'Hello' } })
  }),
  violates('http.json-request', 'createMessage escapes', 'no escape at all is read', (s) => {
    const thread = s.assistants().thread()
    for (const content of ['\\u0048ello', '\\u0041gain'])
      s.add(thread, 'user', JSON.parse(`"${content}"`), {
        sends: `{"role":"user","content":"${content}"}`,
        with: { content },
      })
  }),
  noViolation('http.json-request', '', 'an escape that must be is no unusual spelling', (s) => {
    s.assistants().add(s.thread(), 'user', 'a "quoted" line\n')
  }),
])

test('a spelling is not at fault where plain messages come back changed as well', () => {
  const trace = new TraceBuilder()
  const thread = trace.assistants().thread()
  trace.add(thread, 'user', 'A 🦉', { with: { content: 'A ' } })
  trace.add(thread, 'user', 'B 🦉', { sends: '{"role":"user","content":"B \\ud83e\\udd89"}', with: { content: 'B ' } })
  const judgement = trace.judge()
  expect(violatedIn(judgement)).toEqual(['threads.create-echoes'])
  expect(outcomeOf(judgement, 'http.json-request', 'createMessage', 'escapes')).toBe('inconclusive')
})
