/** What a quick look at a line tells is what the whole record tells. */
import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { TraceBuilder } from '../../../test/trace-builder/trace-builder.ts'
import type { Exchange } from '../../trace/exchange.ts'
import { encodeRecord } from '../../trace/trace.ts'
import { judgeProfile } from '../judge-profile.ts'
import { createLineReader, factsOf } from './line-facts.ts'

const builder = new TraceBuilder().assistants()
const thread = builder.thread()
builder.add(thread, 'user', 'Hello')
builder.complete()
builder.list(thread)
const { header, exchanges } = builder.trace()
const profile = judgeProfile(header)
const read = createLineReader(profile)

/** An exchange like the completion, with another answer. */
const completion = exchanges.find(({ request }) => request.url.endsWith('/v1/chat/completions'))
const answered = (status: number, ...texts: readonly string[]): Exchange => {
  if (completion?.response == null) throw new Error('the trace has no completion')
  const pieces = texts.map((text) => ({ atMs: 1, bytes: { utf8: text } }))
  return { ...completion, response: { ...completion.response, status, pieces } }
}
const at = (exchange: Exchange, method: string, path: string): Exchange => ({
  ...exchange,
  request: { ...exchange.request, method, url: `${profile.baseUrl}${path}` },
})

const id = '5d0c9a52-8f3e-4c1b-8a77-1f6d2f0b9c01'
const grant = '/v1/files/signed-url?filename=a.pdf'
const cases: readonly (readonly [name: string, exchange: Exchange, links: number])[] = [
  ['a refused completion', answered(422, '{"error_code":"unprocessable_entity","detail":[]}'), 0],
  ['a refusal that names a thread', answered(404, `{"detail":"gone","thread_id":"${id}"}`), 1],
  ['an id that two pieces share', answered(200, '{"id":"x","thr', `ead_id":"${id}"}`), 1],
  ['a name with an escape', answered(200, `{"thread\\u005fid":"${id}"}`), 1],
  ['a stream', answered(200, `{"thread_id":"${id}"}\n`, `{"thread_id":"${id}"}\n`), 1],
  ['a request without an answer', { ...answered(200), response: null, ending: 'timed-out' }, 0],
  ['a refused thread', at(answered(422, '{"error_code":"bad_request"}'), 'POST', '/v1/threads'), 0],
  ['a grant', at(answered(200, '{"file_url":"http://h/u/1?s=2#f","id":"y"}'), 'GET', grant), 1],
  ['a grant whose URL has escapes', at(answered(200, '{"file_url":"http:\\/\\/h\\/u\\/1"}'), 'GET', grant), 1],
  ['a refused grant', at(answered(422, '{"error_code":"bad_request"}'), 'GET', grant), 0],
  ['an upload', at(answered(403, ''), 'PUT', '/u/1?s=2'), 1],
  ['the state of a file', at(answered(200, '{"id":"z"}'), 'GET', `/v1/files/${id}/status`), 0],
]

test.each(cases)('%s is linked as its record says', (_, exchange, links) => {
  const quick = read(Buffer.from(encodeRecord(exchange).trimEnd()), 2)
  const whole = factsOf(exchange, profile)
  // One link too many changes no verdict, one too few does.
  expect(quick).toEqual({ ...whole, links: expect.arrayContaining([...whole.links]) })
  expect(quick.links).toHaveLength(links)
})

test('every exchange of a conversation is linked as its record says', () => {
  for (const exchange of exchanges)
    expect(read(Buffer.from(encodeRecord(exchange).trimEnd()), 2)).toEqual(factsOf(exchange, profile))
})
