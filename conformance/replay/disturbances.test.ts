/** A run is disturbed by gateway errors and broken connections, not by what the service itself answers. */
import { expect, test } from 'vitest'
import type { Exchange, Trace } from '../trace/exchange.ts'
import { disturbancesIn } from './disturbances.ts'

const exchange = (changes: Partial<Exchange>): Exchange => ({
  kind: 'exchange',
  id: 'E1',
  credential: 'primary',
  sentAtMs: 0,
  endedAtMs: 1,
  request: { method: 'GET', url: 'http://acs.test/v1/assistants', headers: [], body: null },
  response: null,
  ending: 'complete',
  intent: { probe: 'p', operation: 'listAssistants', purpose: 'valid', expects: 'accepted' },
  ...changes,
})
const answered = (status: number, utf8: string): Exchange =>
  exchange({ response: { status, headers: [], headAtMs: 1, pieces: [{ atMs: 1, bytes: { utf8 } }] } })
const disturbed = (one: Exchange) => disturbancesIn({ exchanges: [one] } as Pick<Trace, 'exchanges'> as Trace)

test('a gateway status disturbs, in whatever form its body is', () => {
  for (const body of ['', '<html>', 'null', '{"error_code":"bad_gateway"}'])
    expect(disturbed(answered(502, body))).toEqual(['E1'])
})

test('an error of the contract is an answer of the service', () => {
  expect(disturbed(answered(503, '{"error_code":"internal_service_error"}'))).toEqual([])
  expect(disturbed(answered(500, 'Oops'))).toEqual([])
  expect(disturbed(answered(200, '[]'))).toEqual([])
})

test('a broken connection disturbs, but not one that the suite ended or a wrong request brought about', () => {
  for (const ending of ['cut', 'timed-out', 'unreachable'] as const)
    expect(disturbed(exchange({ ending }))).toEqual(['E1'])
  for (const ending of ['aborted', 'capped'] as const) expect(disturbed(exchange({ ending }))).toEqual([])
  const wrong = { probe: 'p', operation: 'listAssistants', purpose: 'mutant', expects: 'rejected' } as const
  expect(disturbed(exchange({ ending: 'cut', intent: wrong }))).toEqual([])
})
