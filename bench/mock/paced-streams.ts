/**
 * Measures a thousand streams with one chunk per 20 ms: lateness of chunks, and early delivery of the first.
 * A bare writer with one timer shows what the machine itself allows.
 */
import { bar, fact } from '../bar.ts'
import { startAcsMock, startBareStream } from '../competitors.ts'
import { type PacedRead, readPaced } from '../load/paced.ts'
import { type Chapter, interleaved } from '../plan.ts'
import { speech, streamedCompletion } from './speech.ts'

const streams = 1000
const pauseMs = 20
const chunks = 125
/** Streams begin within a second and last 2.5, so all of them run at once for 1.5. */
const openingMs = 1000
const chunkBytes = 212

/** Lateness of paced chunks. */
export const pacedStreamsChapter: Chapter = {
  name: 'paced-streams',
  async measure({ rounds }) {
    await using stack = new AsyncDisposableStack()
    const latency = { first_chunk_ms: pauseMs, chunks_per_second: 1000 / pauseMs, jitter: 0 }
    const ours = stack.use(await startAcsMock({ speaker: { answer: speech(chunks), latency } }))
    const bare = stack.use(await startBareStream({ lines: chunks, lineBytes: chunkBytes, pauseMs }))
    const job = { request: streamedCompletion(ours), streams, openingMs, firstChunkMs: pauseMs, pauseMs }
    const samples = await interleaved(rounds, {
      bare: () => readPaced(bare, job),
      ours: () => readPaced(ours.server, job),
    })
    const all = (name: 'bare' | 'ours', figure: keyof PacedRead) => samples.map((round) => round[name][figure])
    const title = `${streams} streams paced at ${pauseMs} ms`
    return {
      bars: [
        bar({ name: `${title}, p99 lateness`, unit: 'ms' }, { atMost: 25 }, all('ours', 'p99Ms')),
        bar(
          { name: `${title}, first chunk on the wire before the second exists`, unit: 'share of streams' },
          { atLeast: 1 },
          all('ours', 'firstBeforeSecond'),
        ),
      ],
      facts: [
        fact({ name: `${title}, median lateness`, unit: 'ms' }, all('ours', 'p50Ms')),
        fact({ name: `${title}, worst lateness`, unit: 'ms' }, all('ours', 'maxMs')),
        fact({ name: `${title}, chunks`, unit: 'chunks' }, all('ours', 'chunks')),
        fact({ name: `${title}, CPU of the server`, unit: 'cores' }, all('ours', 'serverCores')),
        fact({ name: `${title}, bare writer, CPU of the server`, unit: 'cores' }, all('bare', 'serverCores')),
        fact({ name: `${title}, CPU of the reader`, unit: 'cores' }, all('ours', 'generatorCores')),
        fact({ name: `${title}, bare writer, p99 lateness`, unit: 'ms' }, all('bare', 'p99Ms')),
      ],
    }
  },
}
