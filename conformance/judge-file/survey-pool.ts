/** Surveys the parts of a trace on worker threads and returns the surveys in the order of the parts. */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { TracePart } from '../judge/partition/parts.ts'
import type { PartSurvey } from '../judge/partition/survey-part.ts'
import type { TraceIndex } from '../judge/partition/trace-index.ts'
import { TraceError } from '../trace/trace.ts'
import type { PartJob, PartReply, WorkerSettings } from './part-worker.ts'
import { placesOf } from './trace-lines.ts'

interface SurveyPoolOptions {
  readonly files: readonly string[]
  readonly workers: number
  /** Heap of one worker, MiB. */
  readonly heapMiB: number
}

/** The most surveyed parts per worker that wait in memory until the parts before them are done. */
const mostWaiting = 4

/** The surveys of all parts, in order. */
export async function* surveys(
  index: TraceIndex,
  parts: readonly TracePart[],
  { files, workers, heapMiB }: SurveyPoolOptions,
): AsyncGenerator<PartSurvey> {
  const source = new URL(`./part-worker${extname(import.meta.url)}`, import.meta.url)
  const settings: WorkerSettings = { files, header: index.header }
  const resourceLimits = { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: 48 }
  const threads = Array.from(
    { length: Math.max(1, Math.min(workers, parts.length)) },
    () => new Worker(source, { workerData: settings, resourceLimits }),
  )
  const queue = new PartQueue(index, parts, threads.length * mostWaiting)
  for (const thread of threads) queue.serve(thread)
  try {
    for (let part = 0; part < parts.length; part += 1) yield await queue.survey(part)
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()))
  }
}

interface Waiting {
  readonly resolve: (survey: PartSurvey) => void
  readonly reject: (cause: Error) => void
}

class PartQueue {
  readonly #index: TraceIndex
  readonly #parts: readonly TracePart[]
  readonly #mostAhead: number
  readonly #ready = new Map<number, PartSurvey>()
  readonly #idle: Worker[] = []
  #next = 0
  #taken = 0
  #waiting: Waiting | null = null
  #failure: Error | null = null

  constructor(index: TraceIndex, parts: readonly TracePart[], mostAhead: number) {
    this.#index = index
    this.#parts = parts
    this.#mostAhead = mostAhead
  }

  serve(thread: Worker): void {
    thread.on('message', (reply: PartReply) => this.#take(thread, reply))
    thread.on('error', (cause) => this.#fail(cause))
    this.#give(thread)
  }

  /** The survey of the next part. */
  survey(part: number): Promise<PartSurvey> {
    this.#taken = part
    for (const thread of this.#idle.splice(0)) this.#give(thread)
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#settle()
    })
  }

  #give(thread: Worker): void {
    const part = this.#parts[this.#next]
    if (part === undefined) return
    if (this.#next - this.#taken >= this.#mostAhead) {
      this.#idle.push(thread)
      return
    }
    const lines = [...part.own, ...part.context].sort((left, right) => left - right)
    const own = new Set(part.own)
    const components = Int32Array.from(lines, (line) => (own.has(line) ? (this.#index.components[line] ?? -1) : -1))
    const job: PartJob = { part: this.#next, places: placesOf(this.#index, lines), components }
    this.#next += 1
    thread.postMessage(job)
  }

  #take(thread: Worker, reply: PartReply): void {
    if ('fault' in reply) {
      this.#fail(reply.line === null ? new Error(reply.fault) : new TraceError(reply.line, reply.fault))
      return
    }
    this.#ready.set(reply.part, reply.survey)
    this.#give(thread)
    this.#settle()
  }

  #fail(cause: Error): void {
    this.#failure ??= cause
    this.#settle()
  }

  #settle(): void {
    const waiting = this.#waiting
    if (waiting === null) return
    const survey = this.#ready.get(this.#taken)
    if (this.#failure !== null) waiting.reject(this.#failure)
    else if (survey !== undefined) {
      this.#ready.delete(this.#taken)
      waiting.resolve(survey)
    } else return
    this.#waiting = null
  }
}
