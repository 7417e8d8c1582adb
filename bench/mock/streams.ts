/**
 * Measures unpaced NDJSON streams of 200 chunks beside a bare writer of lines of the same size and number.
 */
import { bar, fact } from '../bar.ts'
import { startAcsMock, startBareStream } from '../competitors.ts'
import { load, steadyRate } from '../load/load.ts'
import type { WireRequest } from '../load/request-bytes.ts'
import { type Chapter, steadyRounds } from '../plan.ts'
import { speech, streamedCompletion } from './speech.ts'

const wantedChunks = 200

/** Chunks per second of POST /v1/chat/completions/stream. */
export const streamsChapter: Chapter = {
  name: 'streams',
  async measure({ rounds, windowMs }) {
    await using stack = new AsyncDisposableStack()
    const ours = stack.use(await startAcsMock({ speaker: { answer: speech(wantedChunks) } }))
    const requests: readonly WireRequest[] = [streamedCompletion(ours)]
    const options = { requests, windowMs, countLines: true }
    const sample = await load(ours.server, { ...options, windowMs: 300 })
    const lines = Math.round(sample.linesPerSecond / sample.answersPerSecond)
    const framingBytes = 7
    const lineBytes = Math.round(sample.bytesPerAnswer / lines - framingBytes)
    const bare = stack.use(await startBareStream({ lines, lineBytes, pauseMs: 0 }))
    const { rounds: samples, noise } = await steadyRounds(
      rounds,
      {
        bare: () => load(bare, options),
        ours: () => load(ours.server, options),
      },
      steadyRate,
    )
    const all = (
      name: 'bare' | 'ours',
      figure: 'linesPerSecond' | 'generatorCores' | 'serverCores' | 'serverUsPerAnswer',
    ) => samples.map((round) => round[name][figure])
    return {
      bars: [
        bar(
          { name: `${wantedChunks}-chunk streams, chunks per second`, unit: '× bare writer' },
          { atLeast: 0.7 },
          samples.map(({ bare, ours }) => ours.linesPerSecond / bare.linesPerSecond),
          noise,
        ),
      ],
      facts: [
        fact({ name: 'streams, chunks of a stream', unit: 'chunks' }, [lines]),
        fact({ name: 'streams, size of a chunk', unit: 'B' }, [lineBytes]),
        fact({ name: 'streams, bare', unit: 'chunks/s' }, all('bare', 'linesPerSecond')),
        fact({ name: 'streams, ours', unit: 'chunks/s' }, all('ours', 'linesPerSecond')),
        fact({ name: 'streams, bare, CPU of a stream', unit: 'µs' }, all('bare', 'serverUsPerAnswer')),
        fact({ name: 'streams, ours, CPU of a stream', unit: 'µs' }, all('ours', 'serverUsPerAnswer')),
        fact({ name: 'streams, CPU of the bare server', unit: 'cores' }, all('bare', 'serverCores')),
        fact({ name: 'streams, CPU of the generator on bare', unit: 'cores' }, all('bare', 'generatorCores')),
      ],
    }
  },
}
