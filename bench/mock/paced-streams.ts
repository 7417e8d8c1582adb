/**
 * Measures a thousand streams with one chunk per 20 ms: lateness of chunks, and early delivery of the first.
 * A bare writer with one timer shows what the machine itself allows.
 */
import { bar, fact } from '../bar.ts'
import { startAcsMock, startBareStream } from '../competitors.ts'
import { type PacedRead, readPaced } from '../load/paced.ts'
import { type Chapter, steadyRounds } from '../plan.ts'
import { speech, streamedCompletion } from './speech.ts'

const streams = 1000
const pauseMs = 20
const chunks = 125
/** Streams begin within a second and last 2.5, so all of them run at once for 1.5. */
const openingMs = 1000
const chunkBytes = 212

/** A bare writer that is late by a pause did not get the processor. */
const steadyLateness = ({ p50Ms }: PacedRead): number | null => (p50Ms > pauseMs / 2 ? null : p50Ms)

/** Lateness of paced chunks. */
export const pacedStreamsChapter: Chapter = {
  name: 'paced-streams',
  async measure({ rounds }) {
    await using stack = new AsyncDisposableStack()
    const latency = { first_chunk_ms: pauseMs, chunks_per_second: 1000 / pauseMs, jitter: 0 }
    const ours = stack.use(await startAcsMock({ speaker: { answer: speech(chunks), latency } }))
    const bare = stack.use(await startBareStream({ lines: chunks, lineBytes: chunkBytes, pauseMs }))
    const job = { request: streamedCompletion(ours), streams, openingMs, firstChunkMs: pauseMs, pauseMs }
    const { rounds: samples, noise } = await steadyRounds(
      rounds,
      {
        bare: () => readPaced(bare, job),
        ours: () => readPaced(ours.server, job),
      },
      steadyLateness,
    )
    const all = (name: 'bare' | 'ours', figure: keyof PacedRead) => samples.map((round) => round[name][figure])
    const ratio = (figure: keyof PacedRead) => samples.map(({ ours, bare }) => ours[figure] / bare[figure])
    const title = `${streams} streams paced at ${pauseMs} ms`
    return {
      bars: [
        bar({ name: `${title}, p99 lateness`, unit: '× bare writer' }, { atMost: 1.5 }, ratio('p99Ms'), noise),
        bar(
          { name: `${title}, first chunk on the wire before the second exists`, unit: '× bare writer' },
          { atLeast: 0.99 },
          ratio('firstBeforeSecond'),
          noise,
        ),
      ],
      facts: [
        fact({ name: `${title}, p99 lateness`, unit: 'ms' }, all('ours', 'p99Ms')),
        fact({ name: `${title}, first chunks in time`, unit: 'share' }, all('ours', 'firstBeforeSecond')),
        fact({ name: `${title}, bare writer, first chunks in time`, unit: 'share' }, all('bare', 'firstBeforeSecond')),
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
