/** Runs a script of bench/ in its own process and returns the JSON on its last line. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { scriptPath } from './child-server.ts'

const timeoutMs = 300_000

/** `node <flags> <script> <job as JSON>`; throws when the script fails or takes longer than five minutes. */
export const runScript = async <Result>(
  name: string,
  job: unknown,
  nodeFlags: readonly string[] = [],
): Promise<Result> => {
  const args = [...nodeFlags, scriptPath(name), JSON.stringify(job)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: timeoutMs, maxBuffer: 1e8 })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Result
}
