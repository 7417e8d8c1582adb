/** Proof of the oracles of chapter tenancy. */

import { key, keys } from '../../../../test/trace-builder/key-lists.ts'
import {
  inconclusive,
  noViolation,
  proveOracles,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { askAbout, matters } from '../../../../test/trace-builder/quoting-answers.ts'
import {
  assistant,
  assistantIds,
  errorBody,
  type Fields,
  ndjsonText,
  rejectedWith,
  uuid,
} from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder, TraceBuilderOptions } from '../../../../test/trace-builder/trace-builder.ts'
import { tenancyOracles } from './tenancy.ts'

/** A list of keys with these values, by a profile that names two keys of the tenant. */
const keysOf =
  (...values: readonly string[]) =>
  (s: TraceBuilder): unknown =>
    keys(s, { with: { api_keys: values.map((api_key) => ({ ...key(s), id: s.id(), api_key })) } })
const twoKeys: TraceBuilderOptions = {
  profile: { tenants: { primary: { key: 'own-key' }, spare: { key: 'spare-key' } } },
}
/** A thread of the first key, read by another key, of the tenant `id` as well or of one of its own. */
const readByOther = (trace: TraceBuilder, id: string | null, change: Parameters<TraceBuilder['list']>[1]) => {
  const api_keys = [key(trace)]
  for (const as of ['primary', 'throttled'])
    trace.send('listMyApiKeys', {}, { id: id ?? trace.id(), name: 'Tenant', api_keys }, { as })
  const thread = trace.assistants().thread()
  trace.list(thread, { as: 'throttled', ...change })
}
/** A completion of another key of the tenant in a thread of the first one. */
const goOnByOther = (trace: TraceBuilder, change: Change, made = completed): void => {
  const record = { id: trace.id(), name: 'Tenant', api_keys: [key(trace)] }
  for (const as of ['primary', 'throttled']) trace.send('listMyApiKeys', {}, record, { as })
  const thread_id = made(trace.assistants().assistants(undefined, { as: 'throttled' }))
  trace.complete({}, { as: 'throttled', query: `?thread_id=${thread_id}`, with: { thread_id }, ...change })
}
const completed = (trace: TraceBuilder): string => String(trace.complete().thread_id)
const notFound = rejectedWith('thread_not_found', 404)
const other = { as: 'secondary' }
/** The lists of both tenants: one assistant each. */
const twoTenants = (s: TraceBuilder): TraceBuilder =>
  s.assistants([assistant(assistantIds.plain)]).assistants([assistant(assistantIds.foreign)], other)
const foreign = { assistant_id: assistantIds.foreign }
const readForeign = (s: TraceBuilder, change: Change): void => {
  twoTenants(s)
  s.send('getAssistant', { in: { assistant_id: assistantIds.foreign } }, assistant(assistantIds.foreign), change)
}
/** A thread of the first tenant with one message. */
const owned = (s: TraceBuilder): string => {
  const thread = s.assistants().thread()
  s.add(thread, 'user', 'A secret of the first tenant.')
  return thread
}

/** What an unknown thread gets, and then a thread of another tenant. */
const unknownAndForeign = (s: TraceBuilder, unknown: Change, foreignThread: Change): void => {
  s.assistants().list(uuid(99), unknown)
  s.list(owned(s), { ...other, ...foreignThread })
}
const gone = (detail: string, status = 404): Change => ({
  status,
  body: { error_code: 'thread_not_found', detail },
})
const goneWith = (thread: string): Change => ({
  status: 404,
  body: { ...errorBody('thread_not_found'), message: `No thread ${thread}` },
})
/** A completion of another tenant that names a thread of the first. */
const goOn = (s: TraceBuilder, change: Change, thread_id = owned(s)): void => {
  s.complete({}, { ...other, query: `?thread_id=${thread_id}`, ...change })
}

const storage = { status: { path: '/v1/storage/{file_id}', pointer: '/processing/state', complete: ['DONE'] } }
const mapped: TraceBuilderOptions = { profile: { files: storage } }
const missing = rejectedWith('resource_not_found', 404)
/** Uploads a small file and gives its id. */
const uploaded = (s: TraceBuilder): string => {
  const file_id = s.id()
  const path = `https://store.test/${file_id}?signature=s`
  const grant = { file_id, file_url: path, expires_in: 900, file_limits: fileLimits }
  s.send('createUploadGrant', {}, grant, { query: '?filename=a.txt', headers: [['user-id', 'ann']] })
  s.send('uploadFile', {}, '', { as: null, path, sends: 'a', text: '' })
  return file_id
}
/** Asks for the status of a file. */
const poll = (s: TraceBuilder, id: string, state = 'DONE', change: Change = {}): unknown =>
  s.send('getFileStatus', {}, { id, processing: { state } }, { path: `/v1/storage/${id}`, ...change })
const complete = (s: TraceBuilder): string => {
  const id = uploaded(s)
  poll(s, id)
  return id
}
const fileLimits = {
  allowed_types: [
    'text/csv',
    'text/plain',
    'application/pdf',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
  max_size: 10_485_760,
}

proveOracles(tenancyOracles, [
  upholds('tenancy.record-fields', 'listMyApiKeys name', 'all three fields', (s) => keys(s)),
  violates('tenancy.record-fields', 'listMyApiKeys name', 'no name', (s) => keys(s, { with: { name: undefined } })),
  violates('tenancy.record-fields', 'listMyApiKeys api_keys', 'a word is no list of keys, empty or not', (s) =>
    keys(s, { with: { api_keys: 'none' } }),
  ),
  violates('tenancy.record-fields', 'listMyApiKeys id', 'a record without an id is the same tenant or not', (s) => {
    keys(s, { with: { id: undefined } })
    keys(s, { with: { id: undefined } }, uuid(61))
  }),
  violates('tenancy.key-record-fields', 'listMyApiKeys id', 'keys without an id have no id in common', (s) => {
    keys(s, { with: { api_keys: [{ ...key(s), id: undefined }] } })
    keys(s, { ...other, with: { api_keys: [{ ...key(s), id: undefined }] } }, uuid(61))
  }),
  upholds('tenancy.key-record-fields', 'listMyApiKeys api_key', 'all four fields', (s) => keys(s)),
  violates('tenancy.key-record-fields', 'listMyApiKeys last_updated_at', 'last_updated_at is null', (s) =>
    keys(s, { with: { api_keys: [{ ...key(s), last_updated_at: null }] } }),
  ),
  upholds('tenancy.key-ids-unique', 'listMyApiKeys', 'two keys with ids of their own', (s) =>
    keys(s, { with: { api_keys: [key(s), { ...key(s), id: uuid(88) }] } }),
  ),
  violates('tenancy.key-ids-unique', 'listMyApiKeys', 'two keys under the id of their tenant', (s) =>
    keys(s, {
      with: {
        api_keys: [
          { ...key(s), id: uuid(60) },
          { ...key(s), id: uuid(60), api_key: 'other' },
        ],
      },
    }),
  ),
  unexercised('tenancy.key-ids-unique', 'listMyApiKeys', 'one key shows nothing', (s) => keys(s)),
  upholds('tenancy.calling-key-listed', 'listMyApiKeys', 'at least one key', (s) => keys(s)),
  violates('tenancy.calling-key-listed', 'listMyApiKeys', 'no key', (s) => keys(s, { with: { api_keys: [] } })),
  violates('tenancy.calling-key-listed', 'listMyApiKeys', 'another key alone', keysOf('spare-key'), twoKeys),
  ...['own-key', 'own-***'].map((own) =>
    noViolation('tenancy.calling-key-listed', 'listMyApiKeys', `${own} beside it`, keysOf('spare-key', own), twoKeys),
  ),
  violates('tenancy.calling-key-listed', 'listMyApiKeys', 'no keys at first, and no keys later', (s) => {
    for (const api_keys of [[], [key(s)], []]) keys(s, { with: { api_keys } })
    keys(s, { ...other, with: { api_keys: [key(s)] } }, uuid(61))
    keys(s, { ...other, with: { api_keys: [] } }, uuid(61))
  }),
  upholds('tenancy.keys-are-own', 'listMyApiKeys', 'no key in common', (s) => {
    keys(s)
    keys(s, other, uuid(61))
  }),
  violates('tenancy.keys-are-own', 'listMyApiKeys', 'the keys of all tenants', (s) => {
    const shared = key(s)
    keys(s, { with: { api_keys: [shared] } })
    keys(s, { ...other, with: { api_keys: [shared, key(s)] } }, uuid(61))
  }),
  noViolation('tenancy.keys-are-own', '', 'a throttled key may be of the same tenant', (s) => {
    const shared = key(s)
    keys(s, { with: { api_keys: [shared] } })
    keys(s, { as: 'throttled', with: { api_keys: [shared] } })
  }),
  upholds('tenancy.record-is-stable', 'listMyApiKeys', 'one key, one tenant', (s) => {
    keys(s)
    keys(s)
  }),
  upholds('tenancy.record-is-stable', 'listMyApiKeys', 'a key is added', (s) => {
    const [old, added] = [key(s), key(s)]
    keys(s, { with: { api_keys: [old] } })
    keys(s, { with: { api_keys: [added, old] } })
  }),
  violates('tenancy.record-is-stable', 'listMyApiKeys', 'the same keys, two tenants', (s) => {
    const api_keys = [key(s)]
    keys(s, { with: { api_keys } })
    keys(s, { with: { api_keys } }, uuid(61))
  }),
  violates('tenancy.record-is-stable', 'listMyApiKeys', 'one key, two tenants', (s) => {
    keys(s)
    keys(s, {}, uuid(61))
  }),
  violates('tenancy.record-is-stable', 'listMyApiKeys', 'the ids of keys are drawn anew', (s) => {
    keys(s, { with: { api_keys: [key(s)] } })
    keys(s, { with: { api_keys: [key(s)] } })
  }),
  violates('tenancy.record-is-stable', 'listMyApiKeys', 'a key is listed once more with each read', (s) => {
    const shared = key(s)
    keys(s, { with: { api_keys: [shared] } })
    keys(s, { with: { api_keys: [shared, shared] } })
  }),
  upholds('tenancy.record-is-stable', 'listMyApiKeys', 'a record that joins a key twice whenever it is read', (s) => {
    const shared = key(s)
    keys(s, { with: { api_keys: [shared, shared] } })
    keys(s, { with: { api_keys: [shared, shared] } })
  }),
  violates('tenancy.record-is-stable', 'listMyApiKeys', 'a value is shown whole once and masked from then on', (s) => {
    const shown = key(s)
    keys(s, { with: { api_keys: [shown] } })
    keys(s, { with: { api_keys: [{ ...shown, api_key: '…cret' }] } })
  }),
  upholds('tenancy.record-is-stable', 'listMyApiKeys', 'a key was renewed in between, and says when', (s) => {
    const shown = key(s)
    keys(s, { with: { api_keys: [shown] } })
    keys(s, { with: { api_keys: [{ ...shown, api_key: 'renewed', last_updated_at: s.stamp() }] } })
  }),
  violates('tenancy.record-is-stable', 'listMyApiKeys', 'a thread is known to the key that made it only', (s) =>
    readByOther(s, s.id(), rejectedWith('thread_not_found', 404)),
  ),
  upholds('tenancy.record-is-stable', 'listMyApiKeys', 'a thread is known to each key of its tenant', (s) =>
    readByOther(s, s.id(), {}),
  ),
  violates('tenancy.record-is-stable', 'listMyApiKeys', 'a completion goes on for one key of its tenant only', (s) =>
    goOnByOther(s, rejectedWith('resource_not_found', 404)),
  ),
  upholds('tenancy.record-is-stable', 'listMyApiKeys', 'a completion goes on for each key of its tenant', (s) =>
    goOnByOther(s, {}),
  ),
  noViolation('tenancy.record-is-stable', '', 'a completion in a thread that a client made', (s) =>
    goOnByOther(s, rejectedWith('resource_not_found', 404), (trace) => trace.thread()),
  ),
  noViolation('tenancy.record-is-stable', '', 'a throttled key may be over its limit', (s) =>
    readByOther(s, s.id(), rejectedWith('rate_limit_gateway', 429)),
  ),
  noViolation('tenancy.record-is-stable', '', 'a throttled key may be of a tenant of its own', (s) =>
    readByOther(s, null, rejectedWith('thread_not_found', 404)),
  ),
  upholds('tenancy.foreign-assistant-refused', 'createChatCompletion', 'the code of the contract', (s) =>
    twoTenants(s).complete(foreign, rejectedWith('assistant_not_available', 403)),
  ),
  violates('tenancy.foreign-assistant-refused', 'createChatCompletion', 'a foreign assistant answers', (s) =>
    twoTenants(s).complete(foreign),
  ),
  violates('tenancy.foreign-assistant-refused', 'createChatCompletion', 'another code', (s) =>
    twoTenants(s).complete(foreign, rejectedWith('resource_not_found', 404)),
  ),
  inconclusive('tenancy.foreign-assistant-refused', 'createChatCompletion', 'a model that is late says nothing', (s) =>
    twoTenants(s).complete(foreign, rejectedWith('api_timeout_error', 504)),
  ),
  upholds('tenancy.foreign-assistant-hidden', 'getAssistant', 'it cannot be read', (s) => {
    readForeign(s, { as: 'secondary' })
    readForeign(s, rejectedWith('resource_not_found', 404))
  }),
  inconclusive('tenancy.foreign-assistant-hidden', 'getAssistant', 'no assistant can be read', (s) =>
    readForeign(s, rejectedWith('resource_not_found', 404)),
  ),
  violates('tenancy.foreign-assistant-hidden', 'getAssistant', 'it can be read', (s) => readForeign(s, {})),
  upholds('tenancy.foreign-thread-refused', 'listMessages', 'it cannot be listed', (s) =>
    s.list(owned(s), { ...other, ...notFound }),
  ),
  violates('tenancy.foreign-thread-refused', 'listMessages', 'it can be listed', (s) => s.list(owned(s), other)),
  violates('tenancy.foreign-thread-refused', 'createMessage', 'it can be added to', (s) =>
    s.add(owned(s), 'user', 'I am somebody else.', other),
  ),
  noViolation('tenancy.foreign-thread-refused', '', 'each tenant may have a thread of one id', (s) =>
    namesakes(s, (own) => own),
  ),
  violates('tenancy.foreign-thread-refused', 'createMessage', 'the owner is shown what another tenant added', (s) =>
    namesakes(s, (own, foreign) => [foreign, ...own]),
  ),
  noViolation('threads.created-is-listed', '', 'what another tenant added need not be listed', (s) => {
    const thread = owned(s)
    s.add(thread, 'user', 'From elsewhere.', { ...other, ...rejectedWith('thread_not_found', 404) })
    s.list(thread)
  }),
  noViolation('tenancy.foreign-thread-refused', '', 'a throttled key may be of the same tenant', (s) =>
    s.list(owned(s), { as: 'throttled' }),
  ),
  upholds('tenancy.foreign-thread-like-unknown', 'listMessages', 'as if it did not exist', (s) =>
    s.list(owned(s), { ...other, ...notFound }),
  ),
  violates('tenancy.foreign-thread-like-unknown', 'listMessages', 'forbidden tells that it exists', (s) =>
    s.list(owned(s), { ...other, ...rejectedWith('forbidden', 403) }),
  ),
  upholds('tenancy.foreign-thread-like-unknown', 'listMessages', 'the same words with another id', (s) =>
    unknownAndForeign(s, goneWith(uuid(99)), goneWith(uuid(101))),
  ),
  violates('tenancy.foreign-thread-like-unknown', 'listMessages', 'other words', (s) =>
    unknownAndForeign(s, gone('No such thread'), gone('Not your thread')),
  ),
  upholds('tenancy.foreign-thread-like-unknown', 'listMessages', 'a code has no status of its own', (s) =>
    unknownAndForeign(s, notFound, rejectedWith('thread_not_found', 403)),
  ),
  violates('tenancy.foreign-thread-like-unknown', 'listMessages', 'another code', (s) =>
    unknownAndForeign(s, gone('Some detail'), rejectedWith('forbidden', 404)),
  ),
  violates(
    'threads.unknown-thread-error',
    'listMessages',
    'a wrong code that is the same for both hides the thread',
    (s) => unknownAndForeign(s, rejectedWith('gone', 410), rejectedWith('gone', 410)),
  ),
  upholds('tenancy.foreign-thread-not-continued', 'createChatCompletion', 'it is refused', (s) =>
    goOn(s, rejectedWith('thread_not_found', 404)),
  ),
  inconclusive(
    'tenancy.foreign-thread-not-continued',
    'createChatCompletion',
    'its tenant is served no completion',
    (s) => goOn(s, rejectedWith('resource_not_found', 404)),
  ),
  unexercised('tenancy.foreign-thread-not-continued', 'createChatCompletion', 'a thread that nobody has', (s) =>
    goOn(s, rejectedWith('resource_not_found', 404), uuid(99)),
  ),
  inconclusive('tenancy.foreign-thread-not-continued', 'createChatCompletion', 'silence says nothing', (s) =>
    goOn(s, { silent: true }),
  ),
  violates(
    'resources.message-fields',
    'createChatCompletion content',
    'friendly words are no answer in any thread',
    (s) => goOn(s, { body: { message: 'Please ask the owner' } }),
  ),
  violates('tenancy.foreign-thread-not-continued', 'createChatCompletion', 'the thread goes on in capitals', (s) => {
    const thread_id = s.assistants().thread({ with: { id: uuid(70).replace('8000', '8abc') } })
    goOn(s, { with: { thread_id: thread_id.toUpperCase() } }, thread_id)
  }),
  upholds('tenancy.foreign-thread-not-continued', 'createChatCompletion', 'another thread is made', (s) =>
    s.complete({}, { ...other, query: `?thread_id=${owned(s)}` }),
  ),
  violates('tenancy.foreign-thread-not-continued', 'createChatCompletion', 'the foreign thread goes on', (s) => {
    const thread_id = owned(s)
    s.complete({}, { ...other, query: `?thread_id=${thread_id}`, with: { thread_id } })
  }),
  upholds('tenancy.foreign-thread-not-continued', 'streamChatCompletion', 'a stream starts in another thread', (s) =>
    s.completeStream({}, { ...other, query: `?thread_id=${owned(s)}` }),
  ),
  violates('tenancy.foreign-thread-not-continued', 'streamChatCompletion', 'the foreign thread goes on', (s) => {
    const thread = owned(s)
    const text = ndjsonText(s.chunks(s.answer(thread, 'The answer.'), ['The ', 'answer.']))
    s.completeStream({}, { ...other, query: `?thread_id=${thread}`, text })
  }),
  upholds(
    'tenancy.foreign-file-hidden',
    'getFileStatus',
    'another tenant is not told the status',
    (s) => poll(s, complete(s), '', { ...missing, as: 'secondary' }),
    mapped,
  ),
  violates(
    'tenancy.foreign-file-hidden',
    'getFileStatus',
    'another tenant is told the status',
    (s) => poll(s, complete(s), 'DONE', { as: 'secondary' }),
    mapped,
  ),
  upholds(
    'tenancy.foreign-file-hidden',
    'getFileStatus',
    'a success that says unknown tells nothing',
    (s) => poll(s, complete(s), 'UNKNOWN', { as: 'secondary' }),
    mapped,
  ),
  inconclusive(
    'tenancy.foreign-file-hidden',
    'getFileStatus',
    'what its own tenant is not told is hidden from nobody',
    (s) => {
      const id = uploaded(s)
      poll(s, id, 'WORK')
      poll(s, id, '', { ...missing, as: 'secondary' })
    },
    mapped,
  ),
  unexercised(
    'tenancy.foreign-file-hidden',
    'getFileStatus',
    'the throttled key may be of the same tenant',
    (s) => poll(s, complete(s), 'DONE', { as: 'throttled' }),
    mapped,
  ),
  upholds('tenancy.answers-are-own', 'runThread', 'two tenants are answered with what they said', (s) => {
    askAbout(s.assistants().assistants(undefined, other), matters[0], matters[0], other)
    askAbout(s, matters[1], matters[1])
  }),
  violates('tenancy.answers-are-own', 'runThread', 'an answer quotes what only another tenant has said', (s) => {
    askAbout(s.assistants().assistants(undefined, other), matters[0], null, other)
    askAbout(s, matters[1], `${matters[1]} and ${matters[0]}`)
  }),
])

/** A service that makes threads by their first message; two tenants use one id, and the owner lists. */
function namesakes(s: TraceBuilder, listed: (own: readonly Fields[], foreign: Fields) => readonly Fields[]): void {
  const thread = uuid(97)
  s.assistants()
  const own = s.add(thread, 'user', 'Of the owner.')
  const foreign = s.add(thread, 'user', 'Of another tenant.', other)
  s.list(thread, { body: { cursor: null, items: [foreign] }, ...other })
  s.list(thread, { body: { cursor: null, items: listed([own], foreign) } })
}
