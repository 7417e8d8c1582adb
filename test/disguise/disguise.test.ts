/**
 * Tests that servers which treat the suite better than customers do not recognise it.
 * Recorded runs are answered as each device would have; `npm run prove` takes a hundred nonces, `npm test` some of them.
 */
import { expect, test } from 'vitest'
import { judge, type Trace } from '../../conformance/index.ts'
import { sampleCount, sampling } from '../support/samples.ts'
import { slowTest } from '../support/slow-test.ts'
import { customerSession } from './customers.ts'
import { defeatDevices } from './defeat-devices.ts'
import { classifierRate } from './naive-bayes.ts'
import { recordGate } from './record-gate.ts'
import { behindDevice, seenIn } from './recorded-device.ts'

const nonces = sampleCount('nonces of runs before servers with defeat devices')
const seeds = Array.from({ length: nonces }, (_, index) => sampling.seed + index)
/** Of a hundred nonces; a device that loses less often pays. */
const leastLost = 0.95

slowTest(
  'twenty devices lose for 95 of 100 nonces, and an honest server is conformant under each',
  async () => {
    expect(defeatDevices.length).toBeGreaterThanOrEqual(20)
    const lost = new Map<string, number>(defeatDevices.map(({ name }) => [name, 0]))
    for (const seed of seeds) {
      const trace = await recordGate(seed)
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
  },
  3_600_000,
)

const operationsOf = ({ exchanges }: Trace): readonly string[] =>
  exchanges.map(({ request }) => `${request.method} ${request.url.replaceAll(/[0-9a-f-]{36}/g, '*').split('?')[0]}`)
/** Without signatures, which are secrets and recorded as pseudonyms. */
const sentIn = ({ exchanges }: Trace): readonly unknown[] =>
  exchanges.map(({ request: { method, url, body } }) => [method, url.replace(/signature=\w+/, ''), body])

slowTest('two seeds share few places, no word tells the suite, and one seed sends the same twice', async () => {
  const [one, other, again] = await Promise.all([recordGate(11), recordGate(22), recordGate(11)])
  const [left, right] = [operationsOf(one), operationsOf(other)]
  const same = left.filter((operation, index) => operation === right[index]).length
  expect(same / left.length).toBeLessThan(0.5)
  const texts = one.exchanges.map(({ request }) => request.url + JSON.stringify(request.body)).join('\n')
  expect(texts).not.toMatch(/\(ref\. |conformance|acs-kit|not-a-uuid|assistants\/first/)
  expect(sentIn(again)).toEqual(sentIn(one))
})

test('the classifier tells nothing where there is no difference, and all where there is one', () => {
  const customers = Array.from({ length: 60 }, (_, seed) => customerSession(seed, 40))
  const halves = customers.map((steps, index) => ({ steps, isSuite: index % 2 === 0 }))
  expect(classifierRate(halves, ['operations', 'words', 'timing'])).toBeLessThan(0.75)
  const marked = halves.map(({ steps, isSuite }) => ({
    isSuite,
    steps: steps.map((step) => ({ ...step, words: isSuite ? ['marked'] : step.words })),
  }))
  expect(classifierRate(marked, ['words'])).toBe(1)
})
