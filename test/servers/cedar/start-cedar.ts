/** Starts cedar, a server in Python, on a free port; its profile is acs.target.yaml with that port. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { loadProfile, type TargetProfile } from '../../../conformance/index.ts'

/** How to start cedar. */
export interface CedarOptions {
  /** The fault to switch on; none when left out. */
  readonly fault?: string
  /** The legal choices to take instead of the usual ones. */
  readonly legal?: readonly string[]
}

/** A running cedar. */
interface Cedar {
  readonly profile: TargetProfile
  close(): Promise<void>
}

const folder = import.meta.dirname
/** Long enough that the requests of a slow machine fall into one window. */
const rateLimit = ['--rate', '12', '--window', '10']

const probe = ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']
/** Whether this machine can run cedar. */
export const hasPython: boolean = spawnSync('python3', probe).status === 0

async function urlOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('cedar has no output')
  for await (const line of createInterface({ input: child.stdout })) {
    const told: unknown = JSON.parse(line)
    if (typeof told === 'object' && told !== null && 'url' in told) return String(told.url)
  }
  throw new Error('cedar ended before it listened')
}

/** Starts the server and tells how to reach it. */
export async function startCedar({ fault = '', legal = [] }: CedarOptions = {}): Promise<Cedar> {
  const choices = ['--fault', fault, ...legal.flatMap((name) => ['--legal', name])]
  const child = spawn('python3', [join(folder, 'server.py'), '--port', '0', ...rateLimit, ...choices], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  })
  const closed = once(child, 'close')
  const profile = await loadProfile(join(folder, 'acs.target.yaml'))
  return {
    profile: { ...profile, baseUrl: await urlOf(child) },
    async close() {
      child.kill()
      await closed
    },
  }
}
