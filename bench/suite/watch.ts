/**
 * Measures what `acs watch` adds to a bare proxy under a steady load, and its memory over time.
 * `npm run bench:watch -- 60` does so for an hour.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bar, bar, type Fact, type Findings, fact } from '../bar.ts'
import { type ChildServer, freePort, scriptPath, startServer } from '../child-server.ts'
import { startAcsMock } from '../competitors.ts'
import type { SteadyJob, SteadyResult } from '../load/steady-worker.ts'
import type { Chapter } from '../plan.ts'
import { runScript } from '../run-script.ts'

const perSecond = 500

/** Added latency and memory of the watching proxy. */
export const watchChapter: Chapter = {
  name: 'watch',
  measure: ({ rounds, windowMs, say }) => measureWatch(rounds, (windowMs * 5) / 1000, say),
}

/** Loads the bare proxy and the watching one in turn, so many seconds each. */
const measureWatch = async (rounds: number, seconds: number, say: (text: string) => void): Promise<Findings> => {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'acs-bench-watch-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const { server, facts } = stack.use(await startAcsMock())
  const bare = stack.use(
    await startServer({ args: [scriptPath('servers/bare-proxy.ts'), JSON.stringify({ upstream: server.url })] }),
  )
  const watching = stack.use(await startWatch(server.url, folder))
  const read = (proxy: ChildServer): Promise<SteadyResult> => {
    const job: SteadyJob = { url: proxy.url, key: facts.key, perSecond, seconds }
    return runScript<SteadyResult>('load/steady-worker.ts', job)
  }
  const added: number[] = []
  const bareMs: number[] = []
  const memory: number[] = []
  let failures = 0
  for (let round = 0; round <= rounds; round += 1) {
    const [without, through] = [await read(bare), await read(watching)]
    say(`bare p99 ${without.p99Ms} ms, watch p99 ${through.p99Ms} ms, ${Math.round(watching.rssBytes() / 2 ** 20)} MiB`)
    // Compilers and caches warm up in the first round.
    if (round === 0) continue
    failures += through.failures
    added.push(Math.max(0.001, through.p99Ms - without.p99Ms))
    bareMs.push(without.p99Ms)
    memory.push(watching.rssBytes() / 2 ** 20)
  }
  return { bars: barsOf(added, memory), facts: factsOf(bareMs, memory, failures) }
}

const title = `acs watch at ${perSecond} requests/s`

const barsOf = (added: readonly number[], memory: readonly number[]): readonly Bar[] => {
  const half = memory.length >> 1
  const growth = Math.max(...memory.slice(half)) / Math.max(...memory.slice(0, Math.max(1, half)))
  return [
    bar({ name: `${title}, p99 added to a bare proxy`, unit: 'ms' }, { atMost: 2 }, added),
    bar({ name: `${title}, memory of the second half to the first`, unit: '×' }, { atMost: 1.15 }, [growth]),
  ]
}

const factsOf = (bareMs: readonly number[], memory: readonly number[], failures: number): readonly Fact[] => [
  fact({ name: `${title}, p99 of the bare proxy`, unit: 'ms' }, bareMs),
  fact({ name: `${title}, memory`, unit: 'MiB' }, memory),
  fact({ name: `${title}, requests without an answer`, unit: 'requests' }, [failures]),
]

/** `acs watch` in a process of its own, which judges every minute. */
const startWatch = async (upstream: string, folder: string): Promise<ChildServer> => {
  const port = await freePort()
  const bin = scriptPath('../cli/bin.ts')
  const options = ['--port', String(port), '--out', folder, '--report-every', '1', '--keep', '256']
  return startServer({ args: [bin, 'watch', '--upstream', upstream, ...options], port })
}

if (import.meta.main) {
  const minutes = Number(process.argv[2] ?? '60')
  const { findingsText } = await import('../results.ts')
  const rounds = Math.max(1, Math.round(minutes / 4))
  console.log(findingsText(await measureWatch(rounds, 120, (text) => console.error(text))))
}
