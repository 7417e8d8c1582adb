/** In recorded traffic a key is valid only if the service accepted it. A refused key causes no violation. */
import { expect, test } from 'vitest'
import { harToTrace } from '../../imported-traffic/har/har.ts'
import { judge } from '../judge.ts'

const unauthorized = { error_code: 'unauthorized', detail: 'Unknown key' }
const entry = (key: string, status: number, answer: unknown, path = '/v1/assistants') => ({
  startedDateTime: '2026-01-02T03:04:05.500Z',
  time: 30,
  request: { method: 'GET', url: `https://acs.example${path}`, headers: [{ name: 'api-key', value: key }] },
  response: {
    status,
    headers: [{ name: 'content-type', value: 'application/json' }],
    content: { text: JSON.stringify(answer) },
  },
})
const violatedIn = (...entries: readonly object[]): readonly string[] =>
  judge(harToTrace(JSON.stringify({ log: { entries } })), { strict: true }).verdicts.flatMap(
    ({ outcome, requirement }) => (outcome === 'violated' ? [requirement] : []),
  )
const grants = '/v1/files/signed-url?filename=a.txt'

test.each([401, 400, 200])('a mistyped key that is refused with status %i causes no violation', (status) => {
  const wrong = [entry('mistyped', status, unauthorized), entry('mistyped', status, unauthorized, grants)]
  expect(violatedIn(entry('good-key-1', 200, []), ...wrong)).toEqual([])
  expect(violatedIn(...wrong, entry('good-key-1', 200, []))).toEqual([])
})

test('a key that is revoked in the middle causes no violation', () => {
  expect(violatedIn(entry('good-key-1', 200, []), entry('good-key-1', 401, unauthorized))).toEqual([])
})

test('a good key vouches for its request, and a refusal of it counts', () => {
  const refused = entry('good-key-1', 400, { error_code: 'bad_request', detail: 'Bad request' })
  expect(violatedIn(entry('good-key-1', 200, []), refused)).toContain('http.operation-served')
})

test('two good keys may be of one tenant', () => {
  const tenant = { id: 'e7d3ba1a-7a3f-4c36-9e5f-3e5d2c0f9a11', name: 'T', api_keys: [] }
  const reads = ['good-key-1', 'good-key-2'].map((key) => entry(key, 200, tenant, '/v1/tenants/my-api-keys'))
  expect(violatedIn(...reads)).not.toContain('auth.key-names-tenant')
})
