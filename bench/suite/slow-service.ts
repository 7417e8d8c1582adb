/**
 * Measures how long a gate run takes on slow services.
 * Time passes in the service, so that the figures hardly depend on the machine.
 */
import { setTimeout as sleepMs } from 'node:timers/promises'
import { referenceProfile } from '../../cli/reference-profile.ts'
import { type FetchHandler, judge, run, type Trace } from '../../conformance/index.ts'
import { createMock } from '../../mock-server/index.ts'
import { serveHandler } from '../../test/support/serve-handler.ts'
import { unreliable } from '../../test/support/unreliable.ts'
import { bar } from '../bar.ts'
import type { Chapter } from '../plan.ts'

const workers = 8
/** Ten times 60 a minute, so that a round ends within a minute. */
const requestsPerMinute = 600

/** Wall time of the gate tier where the service sets the pace. */
export const slowServiceChapter: Chapter = {
  name: 'slow-service',
  async measure({ rounds }) {
    const perRequest: number[] = []
    const perAnswer: number[] = []
    const overLimit: number[] = []
    for (let round = 0; round < Math.min(rounds, mostRounds); round += 1) {
      perRequest.push((await gateOn((handler) => unreliable(handler, { delayMs: 400 }))).seconds)
      perAnswer.push((await gateOn((handler) => unreliable(handler, { modelDelayMs: 8_000 }))).seconds)
      const limited = await gateOn(rateLimited)
      const answered = limited.trace.exchanges.filter(({ response }) => response?.status !== 429).length
      overLimit.push(limited.seconds / ((60 * answered) / requestsPerMinute))
    }
    return {
      bars: [
        bar({ name: 'gate, 400 ms per request, 8 workers', unit: 's' }, { atMost: 45 }, perRequest),
        bar({ name: 'gate, 8 s per answer of the model, 8 workers', unit: 's' }, { atMost: 90 }, perAnswer),
        bar(
          { name: `gate behind a limit of ${requestsPerMinute} a minute that nobody told`, unit: '× what it dictates' },
          { atMost: 1.1 },
          overLimit,
        ),
      ],
      facts: [],
    }
  },
}

const mostRounds = 3

interface GateRun {
  readonly seconds: number
  readonly trace: Trace
}

/** A run against the mock behind a handler; throws when it is not conformant, since its time would mean nothing. */
async function gateOn(slowed: (handler: FetchHandler) => FetchHandler): Promise<GateRun> {
  const mock = await createMock({ seed: 5 })
  const served = await serveHandler(slowed((request) => mock.fetch(request)))
  try {
    const startedAt = performance.now()
    let trace: Trace | undefined
    for await (const event of run(referenceProfile(served.url), { tier: 'gate', seed: 3, concurrency: workers }))
      if (event.type === 'finished') trace = event.trace
    const seconds = (performance.now() - startedAt) / 1000
    if (trace === undefined) throw new Error('the run ended without a trace')
    const { outcome, reason } = judge(trace)
    if (outcome !== 'conformant') throw new Error(`the run is ${outcome} (${reason ?? 'no reason'})`)
    return { seconds, trace }
  } finally {
    await served.close()
    await mock.close()
  }
}

/** A token bucket in front of a handler, as gateways have it: refusals without a body of the contract. */
function rateLimited(handler: FetchHandler): FetchHandler {
  const size = 10
  let tokens = size
  let atMs = performance.now()
  return async (request) => {
    const nowMs = performance.now()
    tokens = Math.min(size, tokens + ((nowMs - atMs) * requestsPerMinute) / 60_000)
    atMs = nowMs
    if (tokens < 1) return new Response('<h1>slow down</h1>', { status: 429 })
    tokens -= 1
    await sleepMs(1)
    return handler(request)
  }
}
