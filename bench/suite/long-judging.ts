/** Measures `acs judge` on traces that are too long for memory: rate and memory against the length. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bar, fact } from '../bar.ts'
import { startAcsMock } from '../competitors.ts'
import type { Chapter } from '../plan.ts'
import { runScript } from '../run-script.ts'
import { recordGate } from './record.ts'
import { writeLongTrace } from './write-long-trace.ts'

export interface LongJudgingJob {
  readonly file: string
}

export interface LongJudgingResult {
  readonly exchanges: number
  readonly seconds: number
  readonly cpuSeconds: number
  readonly peakRssBytes: number
}

const bytes = 6000

/** Rate and memory of judging in parts. */
export const longJudgingChapter: Chapter = {
  name: 'long-judging',
  async measure({ rounds, say }) {
    await using stack = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'acs-bench-long-'))
    stack.defer(() => rmSync(folder, { recursive: true, force: true }))
    const { server } = stack.use(await startAcsMock())
    const recorded = await recordGate(`${server.url}/w/long`, 1)
    const lengths = rounds > 2 ? [100_000, 400_000] : [10_000, 40_000]
    const results: LongJudgingResult[] = []
    for (const exchanges of lengths) {
      const file = join(folder, 'trace.ndjson')
      writeLongTrace(file, recorded, { exchanges, bytes })
      say(`judging ${exchanges} exchanges in parts`)
      results.push(await runScript<LongJudgingResult>('suite/long-judging-probe.ts', { file } satisfies LongJudgingJob))
    }
    const rates = results.map(({ exchanges, seconds }) => exchanges / seconds)
    const memory = results.map(({ peakRssBytes }) => peakRssBytes / 2 ** 20)
    return {
      bars: [
        bar({ name: 'judging a long trace', unit: 'exchanges/s' }, { atLeast: 15_000 }, rates.slice(-1)),
        bar({ name: 'judging a long trace, peak memory', unit: 'MiB' }, { atMost: 1024 }, memory),
      ],
      facts: results.flatMap(({ exchanges, cpuSeconds }, at) => [
        fact({ name: `judging ${exchanges} exchanges in parts`, unit: 'exchanges/s' }, rates.slice(at, at + 1)),
        fact({ name: `judging ${exchanges} exchanges in parts, CPU`, unit: 'µs/exchange' }, [
          (1e6 * cpuSeconds) / exchanges,
        ]),
      ]),
    }
  },
}
