/**
 * Reads paced streams from a process of its own and returns how late their chunks came.
 */
import type { ChildServer } from '../child-server.ts'
import { runScript } from '../run-script.ts'
import type { WireRequest } from './request-bytes.ts'

export interface PacedJob {
  readonly url: string
  readonly request: WireRequest
  readonly streams: number
  /** Within which all streams are begun. */
  readonly openingMs: number
  readonly firstChunkMs: number
  readonly pauseMs: number
}

/** Lateness is arrival at the client minus (sending of the request + when the chunk is due). */
export interface PacedResult {
  readonly chunks: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Share of streams whose first chunk had arrived before the second was stamped. */
  readonly firstBeforeSecond: number
  /** From the first request to the end of the last stream. */
  readonly seconds: number
  /** CPU that the reader itself took, in cores. */
  readonly generatorCores: number
}

/** A result, with what it cost the server. */
export interface PacedRead extends PacedResult {
  readonly serverCores: number
}

/** Reads the streams once. */
export const readPaced = async (server: ChildServer, options: Omit<PacedJob, 'url'>): Promise<PacedRead> => {
  const cpuBeforeMs = server.cpuMs()
  const result = await runScript<PacedResult>('load/paced-worker.ts', { ...options, url: server.url })
  return { ...result, serverCores: (server.cpuMs() - cpuBeforeMs) / 1000 / result.seconds }
}
