/** A run ends within its limits of time and memory, with its evidence. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { profileFor } from '../../test/hostile-target/recording-client.ts'
import { type Client, createClient } from '../client/client.ts'
import type { ClientOptions } from '../client/send-request.ts'
import { judge } from '../judge/judge.ts'
import type { Budget } from '../profile/target-profile.ts'
import type { Trace } from '../trace/exchange.ts'
import { run } from './run.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
}

const traceOf = async (answer: Answer, budget: Partial<Budget>, client = createClient): Promise<Trace> => {
  const server = createServer((_, response) => response.writeHead(answer.status, answer.headers).end(answer.body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let trace: Trace | undefined
  for await (const event of run(profileFor(`http://127.0.0.1:${port}`, budget), { tier: 'smoke', seed: 1, client }))
    if (event.type === 'finished') trace = event.trace
  server.close()
  if (trace === undefined) throw new Error('no trace')
  return trace
}

const json = { 'content-type': 'application/json' }
const large = `[${'{},'.repeat(20_000)}{}]`

test('a target that always asks to wait ends the run at its limit of time', async () => {
  const busy = { status: 429, headers: { ...json, 'retry-after': '60' }, body: '{}' }
  const trace = await traceOf(busy, { totalMs: 300 })
  expect(trace.footer).toMatchObject({ complete: false, reason: 'time: the limit of 0.01 min is reached' })
  expect(trace.exchanges.length).toBeGreaterThan(0)
})

test.each([
  ['a document', `${'{"id":'.repeat(6000)}0${'}'.repeat(6000)}`],
  ['a list', `[${'['.repeat(6000)}${']'.repeat(6000)}]`],
])('a target that answers everything with %s of 6000 levels is run and judged to the end', async (_, body) => {
  const trace = await traceOf({ status: 200, headers: json, body }, {})
  expect(trace.footer?.reason ?? '').not.toContain('suite-fault')
  const { verdicts } = judge(trace)
  expect(verdicts.filter(({ outcome }) => outcome === 'suite-fault')).toEqual([])
})

test.each([
  ['plain', json, large],
  ['packed', { ...json, 'content-encoding': 'gzip' }, gzipSync(large)],
])('what a run keeps of %s bodies has a limit as a whole', async (_, headers, body) => {
  const trace = await traceOf({ status: 200, headers, body }, { maxRunBytes: 200_000 })
  const kept = trace.exchanges.flatMap(({ response }) => response?.pieces ?? [])
  expect(JSON.stringify(kept).length).toBeLessThan(300_000)
  expect(trace.exchanges.at(-1)).toMatchObject({ ending: 'capped', failure: expect.stringMatching(/larger|more than/) })
  expect(trace.footer).toMatchObject({ complete: false, reason: 'budget' })
  const cut = trace.exchanges.at(-1)?.id ?? ''
  const { verdicts } = judge(trace)
  expect(verdicts.filter(({ outcome, exchanges }) => outcome === 'violated' && exchanges.includes(cut))).toEqual([])
})

test('a programming error inside a probe ends the run as a fault of the suite, not as a request of the target', async () => {
  const failing = (options: ClientOptions): Client => {
    const client = createClient(options)
    let sent = 0
    const send: Client['send'] = (request) => {
      sent += 1
      if (sent > 3) throw new TypeError("Cannot read properties of undefined (reading 'id')")
      return client.send(request)
    }
    return { ...client, send }
  }
  const trace = await traceOf({ status: 200, headers: json, body: '[]' }, {}, failing)
  expect(trace.footer).toMatchObject({ complete: false, reason: expect.stringContaining('suite-fault: Cannot read') })
})
