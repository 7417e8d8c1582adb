/** From a probe's words to a request. */
import { expect, test } from 'vitest'
import { buildRequest } from './request-spec.ts'

test('an ask without more is the plain legal form with the primary key', () => {
  expect(buildRequest('assistants.read', 'listAssistants', {})).toEqual({
    method: 'GET',
    path: '/v1/assistants',
    credential: 'primary',
    operation: 'listAssistants',
    intent: { probe: 'assistants.read', operation: 'listAssistants', purpose: 'valid', expects: 'accepted' },
    body: null,
  })
})

test('path and query are percent-encoded', () => {
  const ask = { in: { thread_id: 'a/b c' }, query: [['cursor', 'x=y&z+1'] as const] }
  expect(buildRequest('p', 'listMessages', ask).path).toBe('/v1/threads/a%2Fb%20c/messages?cursor=x%3Dy%26z%2B1')
})

test('a body that is given as text goes out as it is', () => {
  const body = '{"role":"user"'
  expect(buildRequest('p', 'createMessage', { in: { thread_id: 't' }, body, json: { role: 'user' } }).body).toBe(body)
})

test('no key at all and a made-up key are not the primary key', () => {
  expect(buildRequest('p', 'listAssistants', { as: null }).credential).toBeNull()
  expect(buildRequest('p', 'listAssistants', { as: { raw: 'k' } }).credential).toEqual({ raw: 'k' })
})
