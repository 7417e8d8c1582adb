/**
 * Measures the time from `acs mock` to the first answer, and the memory of the idle server, beside bare Node.
 * The command is measured as it is published, so the package is built first.
 */
import { bar, fact } from '../bar.ts'
import { buildPackage } from '../build-package.ts'
import { type ChildServer, startServer } from '../child-server.ts'
import { availablePeers, startBareNode } from '../competitors.ts'
import { type Chapter, interleaved } from '../plan.ts'
import { runScript } from '../run-script.ts'

const settleMs = 300

interface Start {
  readonly startMs: number
  readonly rssMiB: number
}

/** Time to the first answer, idle memory, and the time of `createMock` itself. */
export const startChapter: Chapter = {
  name: 'start',
  async measure({ rounds, say }) {
    const command = buildPackage(say)
    const { peers } = availablePeers(say)
    const competitors: Record<string, () => Promise<Start>> = {
      bare: () => weigh(startBareNode),
      ours: () => weigh(() => startCommand(command)),
    }
    for (const { name, start } of peers) competitors[name] = () => weigh(start)
    const samples = await interleaved(rounds, competitors)
    const createMs: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      createMs.push((await runScript<{ readonly createMs: number }>('mock/create-probe.ts', {})).createMs)
    }
    const all = (name: string, figure: keyof Start) => samples.map((round) => round[name]?.[figure] ?? 0)
    const ratio = (figure: keyof Start) =>
      samples.map(({ bare, ours }) => (ours?.[figure] ?? 0) / (bare?.[figure] ?? 0))
    return {
      bars: [
        bar({ name: 'acs mock, start to first answer', unit: '× bare Node' }, { atMost: 6 }, ratio('startMs')),
        bar({ name: 'createMock in-process, after import', unit: 'ms' }, { atMost: 15 }, createMs),
        bar({ name: 'acs mock, idle memory', unit: '× bare Node' }, { atMost: 2.5 }, ratio('rssMiB')),
      ],
      facts: Object.keys(competitors).flatMap((name) => [
        fact({ name: `start to first answer, ${name}`, unit: 'ms' }, all(name, 'startMs')),
        fact({ name: `idle memory, ${name}`, unit: 'MiB' }, all(name, 'rssMiB')),
      ]),
    }
  },
}

const startCommand = (command: string): Promise<ChildServer> =>
  startServer({
    args: [command, 'mock', '--port', '0'],
    probe: { path: '/v1/assistants', headers: { 'api-key': 'acs-demo-primary' } },
  })

const weigh = async (start: () => Promise<ChildServer>): Promise<Start> => {
  await using server = await start()
  await new Promise((resolve) => setTimeout(resolve, settleMs))
  return { startMs: server.startMs, rssMiB: server.rssBytes() / 2 ** 20 }
}
