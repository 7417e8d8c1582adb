/** Proof of the oracles of chapter auth. */

import {
  noViolation,
  proveOracles,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { rejectedWith } from '../../../../test/trace-builder/sample-data.ts'
import type { TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { authOracles } from './auth.ts'

const keyless = { as: null }
const madeUp = { as: null, headers: [['api-key', 'nobody']] } as const
const oddName = { leaveOut: ['api-key'], headers: [['API-Key', 'a']] } as const
const signIn = { ...keyless, status: 302, text: '', answers: [['location', 'https://login.test/']] } as const
/**
 * A run without a key is led to a sign-in page, as the message before it was; whether that was stored, only the last list
 * says.
 */
const runSentElsewhere = (trace: TraceBuilder, isListed: boolean): TraceBuilder => {
  const [asked, thread] = [trace.assistants().thread(), trace.thread()]
  trace.add(asked, 'user', 'Hello')
  trace.run(asked)
  trace.add(thread, 'user', 'Hello')
  trace.send('createMessage', { in: { thread_id: thread }, json: { role: 'user', content: 'And?' } }, '', signIn)
  trace.send('runThread', { in: { thread_id: thread }, json: {} }, '', signIn)
  if (isListed) trace.list(thread)
  return trace
}
/** The same list with a good key: without it a refusal would show nothing about the key. */
const listed = (trace: TraceBuilder): TraceBuilder => trace.assistants()
const keys = (trace: TraceBuilder, as: string, id: string) =>
  trace.send('listMyApiKeys', {}, { id, name: 'Tenant', api_keys: [] }, { as, with: { api_keys: [keyRecord(trace)] } })
const keyRecord = (trace: TraceBuilder) => ({
  id: trace.id(),
  api_key: 'secret',
  created_at: trace.stamp(),
  last_updated_at: trace.stamp(),
})

proveOracles(authOracles, [
  upholds('auth.key-required', 'listAssistants', 'without a key the list is refused', (s) =>
    listed(s).assistants([], { ...keyless, ...rejectedWith('unauthorized', 401) }),
  ),
  upholds('auth.key-required', 'listAssistants', 'a refusal needs no body of the contract', (s) =>
    listed(s).assistants([], { ...keyless, status: 403, text: 'Forbidden' }),
  ),
  upholds('auth.key-required', 'listAssistants', 'without a key the way leads to a sign-in page elsewhere', (s) =>
    listed(s).assistants([], { ...keyless, status: 302, text: '', answers: [['location', 'https://login.test/']] }),
  ),
  upholds('auth.key-required', 'listAssistants', 'without a key the way leads to a sign-in page beside it', (s) =>
    listed(s).assistants([], { ...keyless, status: 302, text: '', answers: [['location', '/login']] }),
  ),
  upholds(
    'auth.key-required',
    'runThread',
    'a run is sent elsewhere behind a message that was, and the list lacks that',
    (s) => runSentElsewhere(s, true),
  ),
  upholds('auth.key-required', 'runThread', 'without the list the thread ended on a message of the user as well', (s) =>
    runSentElsewhere(s, false),
  ),
  upholds('auth.key-required', 'runThread', 'a stream and then a run are sent elsewhere, which kept no answer', (s) => {
    const [asked, thread] = [s.assistants().thread(), s.thread()]
    s.add(asked, 'user', 'Hello')
    s.run(asked)
    s.add(thread, 'user', 'Hello')
    s.send('streamThreadRun', { in: { thread_id: thread }, json: {} }, '', signIn)
    s.send('runThread', { in: { thread_id: thread }, json: {} }, '', signIn)
  }),
  noViolation(
    'threads.rejected-leaves-no-trace',
    '',
    'a message with a bearer token is stored, and redirected to itself',
    (s) => {
      const thread = s.assistants().thread()
      const message = { id: s.id(), thread_id: thread, role: 'user', content: 'Hello', created_at: s.stamp() }
      s.send('createMessage', { in: { thread_id: thread }, json: { role: 'user', content: 'Hello' } }, '', {
        ...keyless,
        headers: [['authorization', 'Bearer a']],
        status: 303,
        text: '',
        answers: [['location', `/v1/threads/${thread}/messages/${message.id}`]],
      })
      s.keep(thread, message)
      s.list(thread)
    },
  ),
  violates('auth.key-required', 'listAssistants', 'without a key the list is served', (s) =>
    s.assistants(undefined, keyless),
  ),
  violates('auth.key-required', 'createMessage', 'without a key a message is added', (s) =>
    s.assistants().add(s.thread(), 'user', 'Hello', keyless),
  ),
  noViolation('auth.key-required', '', 'a friendly status without the data is no success', (s) =>
    s.assistants([], { ...keyless, body: { message: 'Please sign in' } }),
  ),
  upholds('auth.unknown-key-refused', 'listAssistants', 'a made-up key is refused', (s) =>
    listed(s).assistants([], { ...madeUp, ...rejectedWith('unauthorized', 401) }),
  ),
  violates('auth.unknown-key-refused', 'listAssistants', 'a made-up key is served', (s) =>
    s.assistants(undefined, madeUp),
  ),
  noViolation(
    'auth.unknown-key-refused',
    '',
    'a key whose name the trace of a proxy does not know may be good',
    (s) => s.assistants(undefined, madeUp),
    { source: 'proxy' },
  ),
  upholds('auth.header-name-any-case', 'listAssistants', 'API-Key is the same header', (s) =>
    s.assistants(undefined, { leaveOut: ['api-key'], headers: [['API-Key', 'a']] }),
  ),
  upholds('auth.header-name-any-case', 'listAssistants', 'API-Key is the same header where a redirect leads', (s) =>
    s
      .assistants([], { ...oddName, status: 307, text: '', answers: [['location', '/v1/assistants/']] })
      .assistants(undefined, { ...oddName, path: '/v1/assistants/' }),
  ),
  violates('auth.header-name-any-case', 'listAssistants', 'API-Key is not found', (s) =>
    s.assistants(undefined, {
      leaveOut: ['api-key'],
      headers: [['API-Key', 'a']],
      ...rejectedWith('unauthorized', 401),
    }),
  ),
  unexercised('auth.header-name-any-case', 'listAssistants', 'api-key is the name as it is written', (s) =>
    s.assistants(),
  ),
  unexercised('auth.header-name-any-case', 'listAssistants', 'a made-up key is refused under any name', (s) =>
    s.assistants([], { as: null, headers: [['API-Key', 'nobody']], ...rejectedWith('unauthorized', 401) }),
  ),
  unexercised('auth.key-required', 'listAssistants', 'a bearer token is another question', (s) =>
    s.assistants(undefined, { ...keyless, headers: [['authorization', 'Bearer a']] }),
  ),
  upholds('auth.key-names-tenant', 'listMyApiKeys', 'two keys read two tenants', (s) => {
    keys(s, 'primary', s.id())
    keys(s, 'secondary', s.id())
  }),
  violates('auth.key-names-tenant', 'listMyApiKeys', 'two keys read one tenant', (s) => {
    const id = s.id()
    keys(s, 'primary', id)
    keys(s, 'secondary', id)
  }),
  upholds('auth.key-names-tenant', 'listMyApiKeys', 'it matters not which key reads first', (s) => {
    keys(s, 'secondary', s.id())
    keys(s, 'primary', s.id())
  }),
  violates('auth.key-names-tenant', 'listMyApiKeys', 'each of two keys of a tenant is listed to itself only', (s) => {
    const id = s.id()
    keys(s, 'primary', id)
    keys(s, 'throttled', id)
  }),
  noViolation('auth.key-names-tenant', '', 'a key that came later is in one list only', (s) => {
    const [id, first] = [s.id(), keyRecord(s)]
    s.send('listMyApiKeys', {}, { id, name: 'Tenant', api_keys: [first] })
    s.send('listMyApiKeys', {}, { id, name: 'Tenant', api_keys: [first, keyRecord(s)] }, { as: 'throttled' })
  }),
  violates('auth.key-names-tenant', 'listMyApiKeys', 'a list lacks a key that the lists around it show', (s) => {
    const [id, one, other] = [s.id(), keyRecord(s), keyRecord(s)]
    for (const shown of [[one, other], [one], [one, other]])
      s.send('listMyApiKeys', {}, { id, name: 'Tenant', api_keys: shown })
  }),
  violates('auth.key-names-tenant', 'listMyApiKeys', 'two keys of a tenant read two ids of it', (s) => {
    const shown = [keyRecord(s)]
    for (const as of ['primary', 'spare'])
      s.send('listMyApiKeys', {}, { id: s.id(), name: 'Tenant', api_keys: shown }, { as })
  }),
  unexercised('auth.key-names-tenant', 'listMyApiKeys', 'one key alone tells nothing', (s) =>
    keys(s, 'secondary', s.id()),
  ),
  unexercised('auth.key-names-tenant', 'listMyApiKeys', 'a refusal is no record of another tenant', (s) => {
    keys(s, 'primary', s.id())
    s.send('listMyApiKeys', {}, {}, { as: 'secondary', ...rejectedWith('rate_limit_gateway', 429) })
  }),
])
