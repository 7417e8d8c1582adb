/** Runs stock Prism as a process, as a mock or as a validating proxy. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const prismBin = fileURLToPath(new URL('../../node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url))

export interface PrismProcess extends AsyncDisposable {
  readonly url: string
}

/** Starts Prism on a free port, and resolves once it listens. */
export async function startPrism(command: 'mock' | 'proxy', ...args: readonly string[]): Promise<PrismProcess> {
  const child = spawn(process.execPath, [prismBin, command, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    const listen = (data: Buffer) => {
      said += data.toString()
      const found = /listening on (http:\/\/[\d.:]+)/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', () => reject(new Error(`prism ended: ${said}`)))
  })
  const end = async () => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
  return { url, [Symbol.asyncDispose]: end }
}
