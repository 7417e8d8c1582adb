/** Tests that servers which treat the suite better than customers do not recognise it. */
import { expect, test } from 'vitest'
import { trialClient, trialProfile } from '../../cli/prove/trial.ts'
import { type ClientOptions, judge, run, type Trace } from '../../conformance/index.ts'
import { createMock } from '../../mock-server/index.ts'
import { behindDevice, type DefeatDevice, defeatDevices } from './defeat-devices.ts'

/** More seeds show how often a device loses; two keep the test short. */
const seeds = Array.from({ length: Number(process.env.ACS_DISGUISE_SEEDS ?? 2) }, (_, index) => index + 1)

async function gateTrace(seed: number, device: DefeatDevice | null): Promise<Trace> {
  await using mock = await createMock({ seed, clock: { mode: 'stepped' } })
  const fetch: typeof mock.fetch = mock.fetch.bind(mock)
  const subject =
    device === null ? mock : Object.assign(Object.create(mock), { fetch: faced(fetch, device), clock: mock.clock })
  const client = (options: ClientOptions) => trialClient(subject)(options)
  for await (const event of run(trialProfile({}), { tier: 'gate', seed, client }))
    if (event.type === 'finished') return event.trace
  throw new Error('the run ended without a trace')
}

/** The device sees the request; header names as written go on to the mock. */
function faced(fetch: (request: Request, options?: RequestInit) => Promise<Response> | Response, device: DefeatDevice) {
  const pending = new WeakMap<Request, RequestInit | undefined>()
  const guarded = behindDevice((request) => fetch(request, pending.get(request)), device)
  return (request: Request, options?: RequestInit) => {
    pending.set(request, options)
    return guarded(request)
  }
}

const losses = new Map<string, number>()

test.each(defeatDevices.map((device) => [device.name, device] as const))(
  'a device that looks for %s loses',
  async (name, device) => {
    for (const seed of seeds) {
      const { outcome } = judge(await gateTrace(seed, device))
      losses.set(name, (losses.get(name) ?? 0) + (outcome === 'nonconformant' ? 1 : 0))
    }
    if (seeds.length > 2) process.stdout.write(`${losses.get(name)} of ${seeds.length}: ${name}\n`)
    expect(losses.get(name)).toBeGreaterThanOrEqual(Math.ceil(seeds.length / 2))
  },
)

test('an honest server is conformant under the same seeds', async () => {
  for (const seed of seeds) expect(judge(await gateTrace(seed, null), { strict: true }).outcome).toBe('conformant')
})

const operationsOf = ({ exchanges }: Trace): readonly string[] =>
  exchanges.map(({ request }) => `${request.method} ${request.url.replaceAll(/[0-9a-f-]{36}/g, '*').split('?')[0]}`)

test('two seeds have few operations at the same place, and no word tells the suite', async () => {
  const [one, other] = await Promise.all([gateTrace(11, null), gateTrace(22, null)])
  const [left, right] = [operationsOf(one), operationsOf(other)]
  const same = left.filter((operation, index) => operation === right[index]).length
  expect(same / left.length).toBeLessThan(0.5)
  const texts = one.exchanges.map(({ request }) => request.url + JSON.stringify(request.body)).join('\n')
  expect(texts).not.toMatch(/\(ref\. |conformance|acs-kit|not-a-uuid|assistants\/first/)
})
