/** Proof of the oracles of chapter auth. */
import { refused } from '../trace-notation/material.ts'
import { allows, breaks, keeps, passesBy, prove } from '../trace-notation/prove.ts'
import type { Story } from '../trace-notation.ts'
import { authOracles } from './auth.ts'

const keyless = { as: null }
const madeUp = { as: null, headers: [['api-key', 'nobody']] } as const
const keys = (story: Story, as: string, id: string) =>
  story.send('listMyApiKeys', {}, { id, name: 'Tenant', api_keys: [] }, { as, with: { api_keys: [keyRecord(story)] } })
const keyRecord = (story: Story) => ({
  id: story.id(),
  api_key: 'secret',
  created_at: story.stamp(),
  last_updated_at: story.stamp(),
})

prove(authOracles, [
  keeps('auth.key-required', 'listAssistants', 'without a key the list is refused', (s) =>
    s.assistants([], { ...keyless, ...refused('unauthorized', 401) }),
  ),
  keeps('auth.key-required', 'listAssistants', 'a refusal needs no body of the contract', (s) =>
    s.assistants([], { ...keyless, status: 403, text: 'Forbidden' }),
  ),
  keeps('auth.key-required', 'listAssistants', 'without a key the way leads to a sign-in page elsewhere', (s) =>
    s.assistants([], { ...keyless, status: 302, text: '', answers: [['location', 'https://login.test/']] }),
  ),
  breaks('auth.key-required', 'listAssistants', 'without a key the list is served', (s) =>
    s.assistants(undefined, keyless),
  ),
  breaks('auth.key-required', 'createMessage', 'without a key a message is added', (s) =>
    s.assistants().add(s.thread(), 'user', 'Hello', keyless),
  ),
  allows('auth.key-required', '', 'a friendly status without the data is no success', (s) =>
    s.assistants([], { ...keyless, body: { message: 'Please sign in' } }),
  ),
  keeps('auth.unknown-key-refused', 'listAssistants', 'a made-up key is refused', (s) =>
    s.assistants([], { ...madeUp, ...refused('unauthorized', 401) }),
  ),
  breaks('auth.unknown-key-refused', 'listAssistants', 'a made-up key is served', (s) =>
    s.assistants(undefined, madeUp),
  ),
  allows(
    'auth.unknown-key-refused',
    '',
    'a key whose name the trace of a proxy does not know may be good',
    (s) => s.assistants(undefined, madeUp),
    { source: 'proxy' },
  ),
  keeps('auth.header-name-any-case', 'listAssistants', 'API-Key is the same header', (s) =>
    s.assistants(undefined, { leaveOut: ['api-key'], headers: [['API-Key', 'a']] }),
  ),
  breaks('auth.header-name-any-case', 'listAssistants', 'API-Key is not found', (s) =>
    s.assistants(undefined, { leaveOut: ['api-key'], headers: [['API-Key', 'a']], ...refused('unauthorized', 401) }),
  ),
  passesBy('auth.header-name-any-case', 'listAssistants', 'api-key is the name as it is written', (s) =>
    s.assistants(),
  ),
  passesBy('auth.header-name-any-case', 'listAssistants', 'a made-up key is refused under any name', (s) =>
    s.assistants([], { as: null, headers: [['API-Key', 'nobody']], ...refused('unauthorized', 401) }),
  ),
  passesBy('auth.key-required', 'listAssistants', 'a bearer token is another question', (s) =>
    s.assistants(undefined, { ...keyless, headers: [['authorization', 'Bearer a']] }),
  ),
  keeps('auth.key-names-tenant', 'listMyApiKeys', 'two keys read two tenants', (s) => {
    keys(s, 'primary', s.id())
    keys(s, 'secondary', s.id())
  }),
  breaks('auth.key-names-tenant', 'listMyApiKeys', 'two keys read one tenant', (s) => {
    const id = s.id()
    keys(s, 'primary', id)
    keys(s, 'secondary', id)
  }),
  keeps('auth.key-names-tenant', 'listMyApiKeys', 'it matters not which key reads first', (s) => {
    keys(s, 'secondary', s.id())
    keys(s, 'primary', s.id())
  }),
  passesBy('auth.key-names-tenant', 'listMyApiKeys', 'one key alone tells nothing', (s) =>
    keys(s, 'secondary', s.id()),
  ),
  passesBy('auth.key-names-tenant', 'listMyApiKeys', 'a refusal is no record of another tenant', (s) => {
    keys(s, 'primary', s.id())
    s.send('listMyApiKeys', {}, {}, { as: 'secondary', ...refused('internal_service_error', 503) })
  }),
])
