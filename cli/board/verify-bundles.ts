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

/** One verdict for each file, in their order. */
export const verifyBundles = async (
  files: readonly string[],
  demands: BoardDemands,
): Promise<readonly BoardVerdict[]> => {
  const verdicts = new Map<string, BoardVerdict>()
  const queue = files.values()
  const script = new URL(`./verify-worker${extname(import.meta.url)}`, import.meta.url)
  const count = Math.min(files.length, availableParallelism())
  const workers = Array.from({ length: count }, () => new Worker(script, { workerData: demands }))
  try {
    await Promise.all(workers.map((worker) => feed(worker, queue, (verdict) => verdicts.set(verdict.file, verdict))))
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
  return files.flatMap((file) => verdicts.get(file) ?? [])
}

/** Keeps a worker busy until the queue is empty. */
const feed = (worker: Worker, queue: Iterator<string>, onVerdict: (verdict: BoardVerdict) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const give = (): void => {
      const next = queue.next()
      if (next.done === true) resolve()
      else worker.postMessage(next.value)
    }
    worker.on('message', (verdict: BoardVerdict) => {
      onVerdict(verdict)
      give()
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('a worker of the board ended before its work')))
    give()
  })
