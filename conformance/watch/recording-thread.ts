/** Records exchanges in a separate thread, so that the proxy's thread is not slowed down. */
import { once } from 'node:events'
import { extname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type PassedExchange, packPassed } from './passed-exchange.ts'
import {
  kibibytesOf,
  type Recorded,
  type RecordingOptions,
  type RecordingReply,
  type RecordingRequest,
  type RecordingWorkerData,
} from './recording-protocol.ts'

export interface RecordingThread extends AsyncDisposable {
  readonly add: (passed: PassedExchange) => void
  /** A promise to await before more is added, when the thread is far behind. */
  readonly catchUp: () => Promise<void> | undefined
  /** The files of a long recording so far; `null` while it is short. */
  readonly files: () => Promise<readonly string[] | null>
  /** The whole recording, once everything added is written. */
  readonly end: () => Promise<Recorded>
  /** Rejects when the thread cannot go on, for instance since the disk is full. */
  readonly failed: Promise<never>
}

const pollMs = 5

/**
 * Starts to record; `tell` gets a line for each rule that is first seen broken. At most `mostWaitingKiB` may wait for the
 * thread; above it, requests wait until the thread has caught up.
 */
export const startRecordingThread = async (
  options: RecordingOptions,
  tell: (line: string) => void,
  mostWaitingKiB = 65_536,
): Promise<RecordingThread> => {
  const waitingKiB = new Int32Array(new SharedArrayBuffer(4))
  const workerData: RecordingWorkerData = { ...options, waitingKiB }
  const worker = new Worker(new URL(`./recording-worker${extname(import.meta.url)}`, import.meta.url), { workerData })
  const answers: ((recorded: Recorded | null) => void)[] = []
  let isOver = false
  const failed = new Promise<never>((_, reject) => {
    worker.once('error', (cause) => {
      isOver = true
      reject(cause)
    })
  })
  failed.catch(() => undefined)
  worker.on('message', (reply: RecordingReply) => {
    if ('line' in reply) tell(reply.line)
    else if ('recorded' in reply) answers.shift()?.(reply.recorded)
  })
  const post = (request: RecordingRequest): void =>
    worker.postMessage(request, 'bytes' in request ? [request.bytes.buffer] : [])
  const ask = (request: 'files' | 'end'): Promise<Recorded | null> => {
    const answered = new Promise<Recorded | null>((resolve) => answers.push(resolve))
    post({ ask: request })
    return Promise.race([answered, failed])
  }
  const isBehind = (): boolean => !isOver && Atomics.load(waitingKiB, 0) > mostWaitingKiB
  await Promise.race([once(worker, 'message'), failed])
  return {
    add: (passed) => {
      const packed = packPassed(passed)
      Atomics.add(waitingKiB, 0, kibibytesOf(packed))
      post(packed)
    },
    catchUp: () => (isBehind() ? waitWhile(isBehind) : undefined),
    files: async () => {
      const recorded = await ask('files')
      return recorded !== null && 'files' in recorded ? recorded.files : null
    },
    end: async () => {
      const recorded = await ask('end')
      if (recorded === null) throw new Error('the recording ended without a trace')
      return recorded
    },
    failed,
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  }
}

const waitWhile = async (holds: () => boolean): Promise<void> => {
  while (holds()) await delay(pollMs)
}
