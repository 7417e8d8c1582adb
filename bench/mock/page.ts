/**
 * Measures GET of a page of 100 messages beside a bare server with a fixed body of the same size.
 * The same page is also read from threads of a thousand and of a million messages.
 */
import { bar, fact } from '../bar.ts'
import { startAcsMock, startBareJson } from '../competitors.ts'
import { load, steadyRate } from '../load/load.ts'
import type { WireRequest } from '../load/request-bytes.ts'
import { type Chapter, steadyRounds } from '../plan.ts'

const fewMessages = 1000

/** Throughput of GET /v1/threads/{thread_id}/messages. */
export const pageChapter: Chapter = {
  name: 'page',
  async measure({ rounds, windowMs, manyMessages, say }) {
    await using stack = new AsyncDisposableStack()
    say(`seeding a thread with ${manyMessages} messages`)
    const ours = stack.use(await startAcsMock({ threads: [fewMessages, manyMessages] }))
    const [few, many] = ours.facts.threadIds.map(
      (id): WireRequest => ({ method: 'GET', path: `/v1/threads/${id}/messages`, headers: ours.headers }),
    )
    if (few === undefined || many === undefined) throw new Error('the mock made no threads')
    const { bytesPerAnswer } = await load(ours.server, { requests: [few], windowMs: 200 })
    const bare = stack.use(await startBareJson({ bodyBytes: Math.round(bytesPerAnswer), validates: false }))
    const { rounds: samples, noise } = await steadyRounds(
      rounds,
      {
        bare: () => load(bare, { requests: [few], windowMs }),
        few: () => load(ours.server, { requests: [few], windowMs }),
        many: () => load(ours.server, { requests: [many], windowMs }),
      },
      steadyRate,
    )
    const rates = (name: 'bare' | 'few' | 'many') => samples.map((sample) => sample[name].answersPerSecond)
    const costs = (name: 'bare' | 'few' | 'many') => samples.map((sample) => sample[name].serverUsPerAnswer)
    return {
      bars: [
        bar(
          { name: 'GET page of 100, throughput', unit: '× bare' },
          { atLeast: 0.9 },
          samples.map(({ bare, few }) => few.answersPerSecond / bare.answersPerSecond),
          noise,
        ),
        bar(
          { name: `GET page out of ${manyMessages} messages, cost`, unit: `× out of ${fewMessages}` },
          { atMost: 1.15 },
          samples.map(({ few, many }) => few.answersPerSecond / many.answersPerSecond),
          noise,
        ),
      ],
      facts: [
        fact({ name: 'GET page of 100, bare', unit: 'answers/s' }, rates('bare')),
        fact({ name: 'GET page of 100, ours', unit: 'answers/s' }, rates('few')),
        fact({ name: `GET page of 100 out of ${manyMessages}, ours`, unit: 'answers/s' }, rates('many')),
        fact({ name: 'GET page of 100, bare, CPU of an answer', unit: 'µs' }, costs('bare')),
        fact({ name: 'GET page of 100, ours, CPU of an answer', unit: 'µs' }, costs('few')),
        fact({ name: 'GET page of 100, size of the answer', unit: 'B' }, [bytesPerAnswer]),
      ],
    }
  },
}
