/**
 * Tests that servers which treat the suite better than customers do not recognise it, and that a seed says what is sent.
 * Recorded runs are answered as each device would have; `npm run prove` takes a hundred nonces, `npm test` some of them.
 */
import { expect, test } from 'vitest'
import { trialClient, trialProfile } from '../../cli/prove/trial.ts'
import { type ClientOptions, judge, run, type Trace } from '../../conformance/index.ts'
import { createMock } from '../../mock-server/index.ts'
import { sampleCount } from '../support/samples.ts'
import { defeatDevices } from './defeat-devices.ts'
import { behindDevice, seenIn } from './recorded-device.ts'

const nonces = sampleCount('nonces of runs before servers with defeat devices')
const seeds = Array.from({ length: nonces }, (_, index) => index + 1)
/** Of a hundred nonces; a device that loses less often pays. */
const leastLost = 0.95

async function gateTrace(seed: number): Promise<Trace> {
  await using mock = await createMock({ seed, clock: { mode: 'stepped' } })
  const client = (options: ClientOptions) => trialClient(mock)(options)
  for await (const event of run(trialProfile({}), { tier: 'gate', seed, client }))
    if (event.type === 'finished') return event.trace
  throw new Error('the run ended without a trace')
}

test('at least twenty devices lose for at least 95 of 100 nonces, and an honest server is conformant under each', async () => {
  expect(defeatDevices.length).toBeGreaterThanOrEqual(20)
  const lost = new Map<string, number>(defeatDevices.map(({ name }) => [name, 0]))
  for (const seed of seeds) {
    const trace = await gateTrace(seed)
    expect(judge(trace, { strict: true }).outcome).toBe('conformant')
    const seen = seenIn(trace, seed)
    for (const device of defeatDevices) {
      const { outcome } = judge(behindDevice(trace, seen, device))
      if (outcome === 'nonconformant') lost.set(device.name, (lost.get(device.name) ?? 0) + 1)
    }
  }
  if (nonces >= 100) for (const [name, count] of lost) process.stdout.write(`${count} of ${nonces}: ${name}\n`)
  const wins = [...lost].filter(([, count]) => count < Math.floor(leastLost * nonces))
  expect(wins).toEqual([])
}, 3_600_000)

const operationsOf = ({ exchanges }: Trace): readonly string[] =>
  exchanges.map(({ request }) => `${request.method} ${request.url.replaceAll(/[0-9a-f-]{36}/g, '*').split('?')[0]}`)
const sentIn = ({ exchanges }: Trace): readonly unknown[] =>
  exchanges.map(({ request: { method, url, body } }) => [method, url, body])

test('two seeds have few operations at the same place, no word tells the suite, and one seed sends the same twice', async () => {
  const [one, other, again] = await Promise.all([gateTrace(11), gateTrace(22), gateTrace(11)])
  const [left, right] = [operationsOf(one), operationsOf(other)]
  const same = left.filter((operation, index) => operation === right[index]).length
  expect(same / left.length).toBeLessThan(0.5)
  const texts = one.exchanges.map(({ request }) => request.url + JSON.stringify(request.body)).join('\n')
  expect(texts).not.toMatch(/\(ref\. |conformance|acs-kit|not-a-uuid|assistants\/first/)
  expect(sentIn(again)).toEqual(sentIn(one))
})
