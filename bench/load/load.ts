/**
 * Loads a server from a process of its own and returns what came back.
 */
import type { ChildServer } from '../child-server.ts'
import { runScript } from '../run-script.ts'
import type { WireRequest } from './request-bytes.ts'

export interface LoadJob {
  readonly url: string
  /** Connection n sends request n modulo their number, again and again. */
  readonly requests: readonly WireRequest[]
  readonly connections: number
  readonly warmUpMs: number
  readonly windowMs: number
  /** Whether NDJSON lines are counted. */
  readonly countLines?: boolean
}

export interface LoadResult {
  readonly answers: number
  readonly answersPerSecond: number
  readonly linesPerSecond: number
  /** Mean size of a body, chunk framing included. */
  readonly bytesPerAnswer: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU that the generator itself took, in cores. */
  readonly generatorCores: number
}

/** A load's result, with what it cost the server. */
export interface Loaded extends LoadResult {
  /** CPU that the server took, in cores. */
  readonly serverCores: number
  /** CPU time of the server for one answer, µs: less at the mercy of a busy machine than the rate. */
  readonly serverUsPerAnswer: number
}

type LoadOptions = Omit<LoadJob, 'url' | 'warmUpMs' | 'connections'> & Partial<Pick<LoadJob, 'connections'>>

/** A server in a closed loop takes most of a core; with less, others had it. */
const leastCores = 0.75

/** How fast a bare server answered; `null` when it did not get the processor. */
export const steadyRate = ({ serverCores, answersPerSecond }: Loaded): number | null =>
  serverCores < leastCores ? null : answersPerSecond

/** Loads a server with 16 connections unless told otherwise. */
export const load = async (server: ChildServer, options: LoadOptions): Promise<Loaded> => {
  const warmUpMs = options.windowMs / 4
  const job: LoadJob = { connections: 16, ...options, url: server.url, warmUpMs }
  const cpuBeforeMs = server.cpuMs()
  const result = await runScript<LoadResult>('load/load-worker.ts', job)
  const serverCores = (server.cpuMs() - cpuBeforeMs) / (warmUpMs + options.windowMs)
  if (result.answers === 0) throw new Error(`${server.url} gave no answer within ${options.windowMs} ms`)
  return { ...result, serverCores, serverUsPerAnswer: (serverCores * 1e6) / result.answersPerSecond }
}
