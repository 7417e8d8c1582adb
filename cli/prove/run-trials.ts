/**
 * Runs many trials at once in worker threads. A few subjects are in flight in each, since a gate run mostly waits for
 * slow answers. It is separate from the trial because it handles only threads.
 */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { SubjectKind } from './mutant.ts'
import type { Trial, TrialOptions } from './trial.ts'

export interface SubjectName {
  readonly kind: SubjectKind
  readonly id: string
}

export interface TrialsOptions extends TrialOptions {
  /** Worker threads. */
  readonly jobs: number
  /** Called for every trial that is over, with the number of those that are. */
  readonly onTrial?: (trial: Trial, done: number) => void
  readonly signal?: AbortSignal
}

/** Subjects in flight in each thread. */
const lanes = 4

/**
 * Tries the suite on all subjects; the trials come in the order of the names, those until the signal aborts. Throws when
 * the suite itself fails on one.
 */
export const runTrials = async (names: readonly SubjectName[], options: TrialsOptions): Promise<readonly Trial[]> => {
  const done = new Map<string, Trial>()
  const queue = names.values()
  const file = new URL(`./trial-worker${extname(import.meta.url)}`, import.meta.url)
  const jobs = Math.max(1, Math.min(options.jobs, Math.ceil(names.length / lanes)))
  const { tier, seed, concurrency = 1, signal } = options
  const onTrial = (trial: Trial): void => {
    done.set(keyOf(trial), trial)
    options.onTrial?.(trial, done.size)
  }
  const workers = Array.from({ length: jobs }, () => new Worker(file, { workerData: { tier, seed, concurrency } }))
  const stop = (): void => void Promise.all(workers.map((worker) => worker.terminate()))
  signal?.addEventListener('abort', stop)
  if (signal?.aborted === true) stop()
  try {
    await Promise.all(workers.map((worker) => feed(worker, queue, { onTrial, signal })))
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
  return names.flatMap((name) => done.get(keyOf(name)) ?? [])
}

const keyOf = ({ kind, id }: SubjectName): string => `${kind} ${id}`

interface FeedOptions {
  readonly onTrial: (trial: Trial) => void
  readonly signal: AbortSignal | undefined
}

/** Feeds a worker until the queue is empty, or until the signal aborts. */
const feed = (worker: Worker, queue: Iterator<SubjectName>, { onTrial, signal }: FeedOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    let open = 0
    const give = (): void => {
      const next = queue.next()
      if (next.done !== true) {
        open += 1
        worker.postMessage(next.value)
      } else if (open === 0) resolve()
    }
    worker.on('message', (reply: Trial | (SubjectName & { readonly fault: string })) => {
      if ('fault' in reply) {
        reject(new Error(`${reply.kind} ${reply.id}: ${reply.fault}`))
        return
      }
      onTrial(reply)
      open -= 1
      give()
    })
    worker.once('error', reject)
    worker.once('exit', () => {
      if (signal?.aborted === true) resolve()
      else reject(new Error('a proof worker exited early'))
    })
    for (let lane = 0; lane < lanes; lane += 1) give()
  })
