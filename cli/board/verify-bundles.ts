/** Verifies many bundles in worker threads, since each is judged and re-enacted as a whole. */
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { certifiedRun } from '../../reports/index.ts'

type CertifiedRun = NonNullable<ReturnType<typeof certifiedRun>>

export interface BoardDemands {
  /** ISO 8601, UTC. */
  readonly now: string
  /** Keys that count; empty: any key. */
  readonly trustedKeyIds: readonly string[]
}

/** A bundle that counts, or why it does not. */
export type BoardVerdict =
  | { readonly file: string; readonly run: CertifiedRun; readonly problem?: undefined }
  | { readonly file: string; readonly run?: undefined; readonly problem: string }

interface Limits {
  /** How long one bundle may take. */
  readonly deadlineMs?: number
  /** The script of the workers. */
  readonly script?: URL
}

const ownScript = new URL(`./verify-worker${extname(import.meta.url)}`, import.meta.url)

/** One verdict for each file, in their order. A bundle that ends its worker, or takes too long, costs no other its verdict. */
export const verifyBundles = async (
  files: readonly string[],
  demands: BoardDemands,
  { deadlineMs = 600_000, script = ownScript }: Limits = {},
): Promise<readonly BoardVerdict[]> => {
  const verdicts = new Map<string, BoardVerdict>()
  const queue = files.values()
  const workThrough = async (): Promise<void> => {
    let worker: Worker | null = null
    for (const file of queue) {
      worker ??= new Worker(script, { workerData: demands })
      const verdict = await answerOf(worker, file, deadlineMs)
      if (typeof verdict === 'object') verdicts.set(file, verdict)
      else {
        verdicts.set(file, { file, problem: verdict })
        await worker.terminate()
        worker = null
      }
    }
    await worker?.terminate()
  }
  await Promise.all(Array.from({ length: Math.min(files.length, availableParallelism()) }, workThrough))
  return files.flatMap((file) => verdicts.get(file) ?? [])
}

/** The verdict of a worker on a file, or why there is none. */
const answerOf = (worker: Worker, file: string, deadlineMs: number): Promise<BoardVerdict | string> =>
  new Promise((resolve) => {
    const end = (answer: BoardVerdict | string) => {
      clearTimeout(timer)
      worker.off('message', end).off('error', onError).off('exit', onExit)
      // Its later events are ignored, and must not end the process.
      if (typeof answer === 'string') worker.on('error', () => {})
      resolve(answer)
    }
    const onError = ({ message }: Error) => end(`its verification failed: ${message}`)
    const onExit = () => end('its verification ended without a result')
    const timer = setTimeout(() => end(`it takes longer than ${deadlineMs / 1000} s`), deadlineMs)
    worker.on('message', end).on('error', onError).on('exit', onExit)
    worker.postMessage(file)
  })
