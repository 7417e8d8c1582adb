/** Judges a trace file that is too long for memory, on all cores. */
import { closeSync, openSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { JudgeOptions } from '../judge/judge.ts'
import { type JudgedInParts, judgeInParts } from '../judge/partition/judge-in-parts.ts'
import { partsOf } from '../judge/partition/parts.ts'
import { surveys } from './survey-pool.ts'
import { indexFile, placesOf, readExchanges } from './trace-lines.ts'

export interface LongFileOptions extends JudgeOptions {
  /** Worker threads; default all cores. */
  readonly workers?: number
  /** Bytes of the file that are surveyed at once by each worker. */
  readonly partBytes?: number
}

/** A part takes about ten times its bytes of memory while it is surveyed. */
const defaultPartBytes = 8 * 2 ** 20
const heapMiB = 320

/** Judges a file; throws TraceError for a broken one. */
export const judgeLongFile = async (file: string, options: LongFileOptions = {}): Promise<JudgedInParts> => {
  const { workers = availableParallelism(), partBytes = defaultPartBytes } = options
  const index = indexFile(file)
  const descriptor = openSync(file, 'r')
  try {
    const surveyed = surveys(index, partsOf(index, partBytes), { file, workers, heapMiB })
    return await judgeInParts(index, surveyed, (lines) => readExchanges(descriptor, placesOf(index, lines)), options)
  } finally {
    closeSync(descriptor)
  }
}
