/**
 * Runs the profile's command that makes a thread. It runs without a shell and with a time limit, and its output is read
 * as one id.
 */
import { spawn } from 'node:child_process'

/** `isHung`: it was stopped, and would be again. */
type ThreadCommandResult =
  | { readonly id: string; readonly holds: 'empty' }
  | { readonly none: string; readonly isHung?: true }

const timeoutMs = 30_000
const longestOutput = 64 * 1024

const hung = (output: string): ThreadCommandResult => ({
  none:
    output.length < longestOutput
      ? `The thread command did not end within ${timeoutMs / 1000} s.`
      : 'The thread command printed far more than one id.',
  isHung: true,
})

const read = (output: string, complaint: string, exit: string): ThreadCommandResult => {
  const id = output.trim()
  const said = complaint.trim().split('\n')[0] ?? ''
  if (exit !== '0')
    return { none: `The thread command exited with ${exit}${said === '' ? '' : `: ${said.slice(0, 200)}`}.` }
  if (id === '') return { none: 'The thread command printed nothing.' }
  return /\s/.test(id) ? { none: 'The thread command printed more than one id.' } : { id, holds: 'empty' }
}

/** Runs program and arguments with `variables` added to the environment; never rejects. */
export const runThreadCommand = (
  [program = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<ThreadCommandResult> =>
  new Promise((resolve) => {
    if (program === '') return resolve({ none: 'The thread command could not be started: it names no program.' })
    const child = spawn(program, args, {
      shell: false,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...variables },
    })
    const text = { output: '', complaint: '' }
    // Child processes of the command may keep the pipes open, so nothing waits for their end.
    const stop = (): void => {
      child.kill('SIGKILL')
      child.stdout.destroy()
      child.stderr.destroy()
      resolve(hung(text.output))
    }
    const timer = setTimeout(stop, timeoutMs)
    const collect = (name: keyof typeof text) => (bytes: Buffer) => {
      text[name] += bytes.toString('utf8')
      if (text[name].length >= longestOutput) stop()
    }
    child.stdout.on('data', collect('output'))
    child.stderr.on('data', collect('complaint'))
    const end = (result: ThreadCommandResult): void => {
      clearTimeout(timer)
      resolve(result)
    }
    child.on('error', (error) => end({ none: `The thread command could not be started: ${error.message}.` }))
    child.on('close', (code, signal) => end(read(text.output, text.complaint, String(code ?? signal))))
  })
