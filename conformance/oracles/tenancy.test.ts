/** Proof of the oracles of chapter tenancy. */
import { assistant, assistantIds, type Fields, lines, refused, uuid } from '../trace-notation/material.ts'
import { allows, breaks, keeps, leavesOpen, prove } from '../trace-notation/prove.ts'
import type { Change, Story } from '../trace-notation.ts'
import { tenancyOracles } from './tenancy.ts'

const key = (s: Story): Fields => ({ id: s.id(), api_key: 'secret', created_at: s.stamp(), last_updated_at: s.stamp() })
const keys = (s: Story, change: Change = {}, id: string = uuid(60)) =>
  s.send('listMyApiKeys', {}, { id, name: 'Tenant', api_keys: [{ ...key(s), id: id.replace('4000', '4001') }] }, change)
const notFound = refused('thread_not_found', 404)
const other = { as: 'secondary' }
/** The lists of both tenants: one assistant each. */
const twoTenants = (s: Story): Story =>
  s.assistants([assistant(assistantIds.plain)]).assistants([assistant(assistantIds.foreign)], other)
const foreign = { assistant_id: assistantIds.foreign }
const readForeign = (s: Story, change: Change): void => {
  twoTenants(s)
  s.send('getAssistant', { in: { assistant_id: assistantIds.foreign } }, assistant(assistantIds.foreign), change)
}
/** A thread of the first tenant with one message. */
const owned = (s: Story): string => {
  const thread = s.assistants().thread()
  s.add(thread, 'user', 'A secret of the first tenant.')
  return thread
}

prove(tenancyOracles, [
  keeps('tenancy.record-fields', 'listMyApiKeys name', 'all three fields', (s) => keys(s)),
  breaks('tenancy.record-fields', 'listMyApiKeys name', 'no name', (s) => keys(s, { with: { name: undefined } })),
  keeps('tenancy.key-record-fields', 'listMyApiKeys api_key', 'all four fields', (s) => keys(s)),
  breaks('tenancy.key-record-fields', 'listMyApiKeys last_updated_at', 'last_updated_at is null', (s) =>
    keys(s, { with: { api_keys: [{ ...key(s), last_updated_at: null }] } }),
  ),
  keeps('tenancy.calling-key-listed', 'listMyApiKeys', 'at least one key', (s) => keys(s)),
  breaks('tenancy.calling-key-listed', 'listMyApiKeys', 'no key', (s) => keys(s, { with: { api_keys: [] } })),
  keeps('tenancy.keys-are-own', 'listMyApiKeys', 'no key in common', (s) => {
    keys(s)
    keys(s, other, uuid(61))
  }),
  breaks('tenancy.keys-are-own', 'listMyApiKeys', 'the keys of all tenants', (s) => {
    const shared = key(s)
    keys(s, { with: { api_keys: [shared] } })
    keys(s, { ...other, with: { api_keys: [shared, key(s)] } }, uuid(61))
  }),
  allows('tenancy.keys-are-own', '', 'a throttled key may be of the same tenant', (s) => {
    const shared = key(s)
    keys(s, { with: { api_keys: [shared] } })
    keys(s, { as: 'throttled', with: { api_keys: [shared] } })
  }),
  keeps('tenancy.record-is-stable', 'listMyApiKeys', 'one key, one tenant', (s) => {
    keys(s)
    keys(s)
  }),
  breaks('tenancy.record-is-stable', 'listMyApiKeys', 'one key, two tenants', (s) => {
    keys(s)
    keys(s, {}, uuid(61))
  }),
  breaks('tenancy.record-is-stable', 'listMyApiKeys', 'the ids of keys are drawn anew', (s) => {
    keys(s, { with: { api_keys: [key(s)] } })
    keys(s, { with: { api_keys: [key(s)] } })
  }),
  keeps('tenancy.foreign-assistant-refused', 'createChatCompletion', 'the code of the contract', (s) =>
    twoTenants(s).complete(foreign, refused('assistant_not_available', 403)),
  ),
  breaks('tenancy.foreign-assistant-refused', 'createChatCompletion', 'a foreign assistant answers', (s) =>
    twoTenants(s).complete(foreign),
  ),
  breaks('tenancy.foreign-assistant-refused', 'createChatCompletion', 'another code', (s) =>
    twoTenants(s).complete(foreign, refused('resource_not_found', 404)),
  ),
  leavesOpen('tenancy.foreign-assistant-refused', 'createChatCompletion', 'a model that is late says nothing', (s) =>
    twoTenants(s).complete(foreign, refused('api_timeout_error', 504)),
  ),
  keeps('tenancy.foreign-assistant-hidden', 'getAssistant', 'it cannot be read', (s) =>
    readForeign(s, refused('resource_not_found', 404)),
  ),
  breaks('tenancy.foreign-assistant-hidden', 'getAssistant', 'it can be read', (s) => readForeign(s, {})),
  keeps('tenancy.foreign-thread-refused', 'listMessages', 'it cannot be listed', (s) =>
    s.list(owned(s), { ...other, ...notFound }),
  ),
  breaks('tenancy.foreign-thread-refused', 'listMessages', 'it can be listed', (s) => s.list(owned(s), other)),
  breaks('tenancy.foreign-thread-refused', 'createMessage', 'it can be added to', (s) =>
    s.add(owned(s), 'user', 'I am somebody else.', other),
  ),
  allows('tenancy.foreign-thread-refused', '', 'a throttled key may be of the same tenant', (s) =>
    s.list(owned(s), { as: 'throttled' }),
  ),
  keeps('tenancy.foreign-thread-like-unknown', 'listMessages', 'as if it did not exist', (s) =>
    s.list(owned(s), { ...other, ...notFound }),
  ),
  breaks('tenancy.foreign-thread-like-unknown', 'listMessages', 'forbidden tells that it exists', (s) =>
    s.list(owned(s), { ...other, ...refused('forbidden', 403) }),
  ),
  keeps('tenancy.foreign-thread-not-continued', 'createChatCompletion', 'another thread is made', (s) =>
    s.complete({}, { ...other, query: `?thread_id=${owned(s)}` }),
  ),
  breaks('tenancy.foreign-thread-not-continued', 'createChatCompletion', 'the foreign thread goes on', (s) => {
    const thread_id = owned(s)
    s.complete({}, { ...other, query: `?thread_id=${thread_id}`, with: { thread_id } })
  }),
  keeps('tenancy.foreign-thread-not-continued', 'streamChatCompletion', 'a stream starts in another thread', (s) =>
    s.completeStream({}, { ...other, query: `?thread_id=${owned(s)}` }),
  ),
  breaks('tenancy.foreign-thread-not-continued', 'streamChatCompletion', 'the foreign thread goes on', (s) => {
    const thread = owned(s)
    const text = lines(s.chunks(s.answer(thread, 'The answer.'), ['The ', 'answer.']))
    s.completeStream({}, { ...other, query: `?thread_id=${thread}`, text })
  }),
])
