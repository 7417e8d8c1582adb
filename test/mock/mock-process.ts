/**
 * Runs `acs mock` as a process of its own. It is started, asked for its URL, and ended in whatever way a test needs.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { builtCommand } from '../support/built-command.ts'

export interface MockProcess extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  /** What it printed so far. */
  readonly out: () => string
  end(signal: NodeJS.Signals): Promise<void>
}

/** Starts `acs mock --port 0` with more options. */
export async function startMock(...options: readonly string[]): Promise<MockProcess> {
  const args = [await builtCommand(), 'mock', '--port', '0', ...options]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  child.stdout?.on('data', (piece) => {
    out += piece
  })
  child.stderr?.on('data', (piece) => {
    err += piece
  })
  const url = await urlOf(child).catch((cause: unknown) => {
    throw new Error(`acs mock did not start: ${err}`, { cause })
  })
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return { url, pid: child.pid ?? 0, out: () => out, end, [Symbol.asyncDispose]: () => end('SIGKILL') }
}

function urlOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = ''
    child.stdout?.on('data', (piece) => {
      out += piece
      const url = /http:\/\/[\d.]+:\d+/.exec(out)?.[0]
      if (url !== undefined) resolve(url)
    })
    child.once('exit', (code) => reject(new Error(`exit code ${code}`)))
  })
}
