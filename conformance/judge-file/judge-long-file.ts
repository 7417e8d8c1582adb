/** Judges a trace file that is too long for memory, on all cores. */
import { availableParallelism } from 'node:os'
import type { JudgeOptions } from '../judge/judge.ts'
import { type JudgedInParts, judgeInParts } from '../judge/partition/judge-in-parts.ts'
import { partsOf } from '../judge/partition/parts.ts'
import { surveys } from './survey-pool.ts'
import { placesOf, readExchanges, TraceFiles } from './trace-lines.ts'

interface LongFileOptions extends JudgeOptions {
  /** Worker threads; default all cores. */
  readonly workers?: number
  /** Total memory, MiB; default 1024. */
  readonly memoryMiB?: number
  /** Bytes of the file that are surveyed at once by each worker; default by the memory. */
  readonly partBytes?: number
}

/** The memory of the index and the last judgement. */
const restMiB = 360
/** The memory of a worker beside its heap: code, new objects, buffers of lines. */
const workerMiB = 56
/** A part takes about ten times its bytes while it is surveyed, and as much again before garbage is collected. */
const timesItsBytes = 40

/** Judges a trace in one or several files of one recording, in their order; throws TraceError for a broken one. */
export const judgeLongFile = async (
  files: readonly string[],
  { workers = availableParallelism(), memoryMiB = 1024, partBytes, ...options }: LongFileOptions = {},
): Promise<JudgedInParts> => {
  const heapMiB = Math.max(96, Math.floor((memoryMiB - restMiB) / workers) - workerMiB)
  const mostBytes = partBytes ?? (heapMiB / timesItsBytes) * 2 ** 20
  using lines = new TraceFiles(files)
  const index = lines.index()
  const surveyed = surveys(index, partsOf(index, mostBytes), { files, workers, heapMiB })
  const read = (exchanges: readonly number[]) => readExchanges(lines, placesOf(index, exchanges))
  const only = options.only ?? index.header.plan?.only
  return await judgeInParts(index, surveyed, read, { ...options, ...(only === undefined ? {} : { only }) })
}
