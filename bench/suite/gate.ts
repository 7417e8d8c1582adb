/**
 * Measures the gate tier against the loopback mock: time of the command, and exchanges per second with judging.
 * The ceiling is bare undici sending the same requests.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bar, fact } from '../bar.ts'
import { buildPackage } from '../build-package.ts'
import { startAcsMock } from '../competitors.ts'
import type { Chapter } from '../plan.ts'
import { runScript } from '../run-script.ts'

export interface GateJob {
  readonly url: string
  readonly rounds: number
}

export interface GateTurn {
  readonly exchanges: number
  readonly modelCalls: number
  readonly runMs: number
  readonly judgeMs: number
  readonly bareAnswers: number
  readonly bareMs: number
}

export interface GateResult {
  readonly turns: readonly GateTurn[]
}

/** Wall time and rate of the gate tier. */
export const gateChapter: Chapter = {
  name: 'gate',
  async measure({ rounds, say }) {
    await using stack = new AsyncDisposableStack()
    const { server } = stack.use(await startAcsMock())
    const command = buildPackage(say)
    const wallMs: number[] = []
    for (let round = 0; round < rounds; round += 1)
      wallMs.push(await commandMs(command, `${server.url}/w/cli-${round}`))
    const { turns } = await runScript<GateResult>('suite/gate-probe.ts', { url: server.url, rounds } satisfies GateJob)
    const perSecond = ({ exchanges, runMs, judgeMs }: GateTurn) => (1000 * exchanges) / (runMs + judgeMs)
    const barePerSecond = ({ bareAnswers, bareMs }: GateTurn) => (1000 * bareAnswers) / bareMs
    return {
      bars: [
        bar(
          { name: 'gate, exchanges per second with judging', unit: '× bare undici' },
          { atLeast: 0.5 },
          turns.map((turn) => perSecond(turn) / barePerSecond(turn)),
        ),
      ],
      facts: [
        fact({ name: 'gate, wall time of the command with its report', unit: 'ms' }, wallMs),
        fact(
          { name: 'gate, wall time of run and judgement, warm', unit: 'ms' },
          turns.map((t) => t.runMs + t.judgeMs),
        ),
        fact(
          { name: 'gate, of it judging', unit: 'ms' },
          turns.map((t) => t.judgeMs),
        ),
        fact(
          { name: 'gate, exchanges', unit: 'exchanges' },
          turns.map((t) => t.exchanges),
        ),
        fact(
          { name: 'gate, model calls', unit: 'calls' },
          turns.map((t) => t.modelCalls),
        ),
        fact({ name: 'gate, exchanges per second with judging', unit: '1/s' }, turns.map(perSecond)),
        fact({ name: 'bare undici, the same requests', unit: '1/s' }, turns.map(barePerSecond)),
      ],
    }
  },
}

/** How long `acs test` takes as a user runs it, report included. */
const commandMs = async (command: string, url: string): Promise<number> => {
  const out = await mkdtemp(join(tmpdir(), 'acs-bench-'))
  const startedAt = performance.now()
  try {
    await promisify(execFile)(process.execPath, [command, 'test', url, '--out', out])
    return performance.now() - startedAt
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}
