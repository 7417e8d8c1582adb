/**
 * Judging alone, on a trace that was recorded before: exchanges per second, and memory against the trace's length.
 */
import { bar, type Fact, fact } from '../bar.ts'
import { startAcsMock } from '../competitors.ts'
import type { Chapter } from '../plan.ts'
import { runScript } from '../run-script.ts'

export interface JudgingJob {
  readonly url: string
  /** About how long the trace is to be. */
  readonly exchanges: number
  readonly judgements: number
}

export interface JudgingResult {
  readonly exchanges: number
  /** Of every judgement. */
  readonly perSecond: readonly number[]
  readonly traceBytes: number
  /** What the last judgement holds on to. */
  readonly judgementBytes: number
  readonly peakRssBytes: number
}

const lengths = [2_000, 10_000, 40_000]

/** Rate and memory of judging. */
export const judgingChapter: Chapter = {
  name: 'judging',
  async measure({ rounds, say }) {
    await using stack = new AsyncDisposableStack()
    const { server } = stack.use(await startAcsMock())
    const results: JudgingResult[] = []
    for (const exchanges of lengths) {
      say(`judging ${exchanges} exchanges`)
      const job: JudgingJob = { url: `${server.url}/w/judge-${exchanges}`, exchanges, judgements: rounds }
      const flags = ['--expose-gc', '--max-old-space-size=6000']
      results.push(await runScript<JudgingResult>('suite/judging-probe.ts', job, flags))
    }
    const longest = results.at(-1)
    if (longest === undefined) throw new Error('nothing was judged')
    return {
      bars: [bar({ name: 'judging alone', unit: 'exchanges/s' }, { atLeast: 20_000 }, longest.perSecond)],
      facts: results.flatMap(factsOf),
    }
  },
}

const factsOf = ({
  exchanges,
  perSecond,
  traceBytes,
  judgementBytes,
  peakRssBytes,
}: JudgingResult): readonly Fact[] => [
  fact({ name: `judging ${exchanges} exchanges`, unit: 'exchanges/s' }, perSecond),
  fact({ name: `judging ${exchanges} exchanges, the trace itself`, unit: 'B/exchange' }, [traceBytes / exchanges]),
  fact({ name: `judging ${exchanges} exchanges, the judgement`, unit: 'B/exchange' }, [judgementBytes / exchanges]),
  fact({ name: `judging ${exchanges} exchanges, peak memory`, unit: 'MiB' }, [peakRssBytes / 2 ** 20]),
]
