/** A fetch handler is recorded like a server. */
import { expect, test } from 'vitest'
import type { TargetProfile } from '../profile/target-profile.ts'
import { createPseudonyms } from '../pseudonyms/pseudonyms.ts'
import { textOfPieces } from '../trace/bytes.ts'
import { type FetchHandler, fetchClient, headersAsWritten } from './fetch-client.ts'
import { createMeter } from './meter.ts'

const profile = {
  baseUrl: 'http://acs.test/base',
  tenants: { primary: { key: 'secret-key-of-primary' } },
  budget: { timeoutMs: 15, maxBodyBytes: 100 },
} as unknown as TargetProfile

const clientOf = (handler: FetchHandler) =>
  fetchClient(handler)({
    profile,
    pseudonyms: createPseudonyms({ secrets: [profile.tenants.primary.key] }),
    meter: createMeter({ maxExchanges: 2 }),
  })
const listing = { method: 'GET', path: '/v1/assistants', credential: 'primary', operation: null, intent: null } as const

test('the handler gets method, URL below the base, key and body, and the evidence holds no key', async () => {
  const seen: (string | null)[] = []
  const client = clientOf(async (request) => {
    seen.push(request.method, request.url, request.headers.get('api-key'), await request.text())
    return Response.json({ id: 1 }, { status: 201 })
  })
  const exchange = await client.send({ ...listing, method: 'POST', body: '{"a":1}' })
  expect(seen).toEqual(['POST', 'http://acs.test/base/v1/assistants', 'secret-key-of-primary', '{"a":1}'])
  expect(exchange).toMatchObject({ id: 'E1', ending: 'complete', response: { status: 201 } })
  expect(JSON.stringify(exchange)).not.toContain('secret-key-of-primary')
})

test('header names are remembered as the suite wrote them', async () => {
  let names: readonly string[] | undefined
  const client = clientOf((request) => {
    names = headersAsWritten(request)?.map(([name]) => name)
    return new Response()
  })
  await client.send({ ...listing, leaveOut: ['api-key'], headers: [['API-Key', 'k']] })
  expect(names).toEqual(['user-agent', 'accept', 'API-Key'])
  expect(headersAsWritten(new Request('http://acs.test'))).toBeUndefined()
})

test('a streamed answer is recorded piece by piece', async () => {
  const pieces = ['{"a":1}\n', '{"a":2}\n']
  const { response } = await clientOf(
    () => new Response(ReadableStream.from(pieces.map((piece) => Buffer.from(piece)))),
  ).send(listing)
  expect(response?.pieces.length).toBe(2)
  expect(textOfPieces(response?.pieces ?? [])).toBe(pieces.join(''))
})

test.each<[string, FetchHandler, string]>([
  ['a handler that throws is unreachable', () => Promise.reject(new Error('no route')), 'unreachable'],
  ['a handler that never answers times out', () => new Promise(() => {}), 'timed-out'],
  ['a body above the limit is capped', () => new Response('x'.repeat(500)), 'capped'],
])('%s', async (_, handler, ending) => {
  expect(await clientOf(handler).send({ ...listing, retry: 'none' })).toMatchObject({ ending })
})

test('a request that no handler can be given ends without an answer, and names why', async () => {
  const client = clientOf(() => Response.json({}))
  const headers = [['user-id', 'a\u0000b']] as const
  expect(await client.sendRaw({ ...listing, headers })).toMatchObject({
    ending: 'unreachable',
    response: null,
    failure: 'a fetch handler cannot be given this request',
  })
})

test('the meter refuses before the handler is asked', async () => {
  let asked = 0
  const client = clientOf(() => {
    asked += 1
    return Response.json({})
  })
  await client.send(listing)
  await client.send(listing)
  await expect(client.send(listing)).rejects.toMatchObject({ code: 'budget' })
  expect(asked).toBe(2)
})

test('closing ends what is under way', async () => {
  const client = clientOf(() => {
    void client.close()
    return new Promise(() => {})
  })
  expect(await client.send(listing)).toMatchObject({ ending: 'aborted' })
})
