/**
 * A competitor in its own process: started, awaited until it answers, weighed and ended. Whatever happens to the
 * benchmark, no server outlives it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'

export interface ChildServer extends AsyncDisposable {
  /** Base URL without a slash at its end. */
  readonly url: string
  /** What the process wrote to stdout until it answered. */
  readonly output: string
  /** From the start of the process to its first answer, ms. */
  readonly startMs: number
  /** Resident memory now, bytes. */
  rssBytes(): number
  /** CPU time so far, ms; 0 where the system does not tell. */
  cpuMs(): number
}

interface ServerCommand {
  /** Arguments of node. */
  readonly args: readonly string[]
  /** Given by whoever must be told a port; without it the first URL on stdout is taken. */
  readonly port?: number
  /** A path that answers at once, with its headers. */
  readonly probe?: { readonly path: string; readonly headers?: Readonly<Record<string, string>> }
  readonly cwd?: string
}

const startLimitMs = 120_000
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** The path of a script of bench/. */
export const scriptPath = (name: string): string => join(import.meta.dirname, name)

/** Starts `node …args` and waits for its first answer. */
export const startServer = async (command: ServerCommand): Promise<ChildServer> => {
  const startedAt = performance.now()
  const child = spawn(process.execPath, command.args, {
    cwd: command.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const { url, output } = await announced(child, command)
  await firstAnswer(child, `${url}${command.probe?.path ?? '/'}`, command.probe?.headers ?? {})
  const pid = child.pid ?? 0
  return {
    url,
    output: output(),
    startMs: performance.now() - startedAt,
    rssBytes: () => rssBytesOf(pid),
    cpuMs: () => cpuMsOf(pid),
    [Symbol.asyncDispose]: () => ended(child),
  }
}

/** A port that was free a moment ago, for servers that cannot choose one themselves. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0))
    })
  })

const announced = (
  child: ChildProcess,
  { args, port }: ServerCommand,
): Promise<{ readonly url: string; readonly output: () => string }> => {
  let output = ''
  let complaint = ''
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`${args[0]} named no URL within ${startLimitMs} ms`))
    }, startLimitMs)
    const found = (url: string) => {
      clearTimeout(timer)
      resolve({ url, output: () => output })
    }
    child.stderr?.on('data', (piece) => {
      complaint = (complaint + piece).slice(-4000)
    })
    child.stdout?.on('data', (piece) => {
      // A server that talks for hours must not fill the benchmark's memory.
      if (output.length > 1_000_000) return
      output += piece
      const url = /(http:\/\/127\.0\.0\.1:\d+).*\n/.exec(output)?.[1]
      if (port === undefined && url !== undefined) found(url)
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`${args[0]} ended with ${code}: ${complaint}`))
    })
    if (port !== undefined) found(`http://127.0.0.1:${port}`)
  })
}

const firstAnswer = async (child: ChildProcess, url: string, headers: Readonly<Record<string, string>>) => {
  const deadline = performance.now() + startLimitMs
  while (!(await answers(url, headers))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`no answer from ${url}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const answers = (url: string, headers: Readonly<Record<string, string>>): Promise<boolean> =>
  new Promise((resolve) => {
    get(url, { headers, agent: false }, (response) => {
      response.resume()
      response.once('end', () => resolve(true))
    }).once('error', () => resolve(false))
  })

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve()
      return
    }
    const force = setTimeout(() => child.kill('SIGKILL'), 3000)
    child.once('exit', () => {
      clearTimeout(force)
      resolve()
    })
    child.kill('SIGTERM')
  })

const rssBytesOf = (pid: number): number => {
  try {
    const kibibytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kibibytes) * 1024
  } catch {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
  }
}

const ticksPerSecond = 100

const cpuMsOf = (pid: number): number => {
  try {
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? ''
    const fields = afterName.split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
  } catch {
    return 0
  }
}
