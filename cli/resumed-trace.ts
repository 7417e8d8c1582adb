/**
 * Reads the trace that `acs test --resume` continues, and marks it once another trace contains all of it.
 * It is separate from the trace file, which loads the suite: a starting command must not load it.
 */
import { statSync, writeFileSync } from 'node:fs'
import type { RunOptions, TargetProfile } from '../conformance/index.ts'
import { usageFailure } from './failure.ts'
import { parseFile, textIfAny } from './read-file.ts'

interface GivenOptions {
  readonly seed?: number
  readonly only?: string
}

/** The plan of the interrupted run; throws CommandFailure when it cannot be resumed. */
export const resumption = async (
  file: string,
  profile: TargetProfile,
  { seed, only }: GivenOptions,
): Promise<RunOptions> => {
  const { decodeTrace, resume } = await import('../conformance/index.ts')
  const later = textIfAny(markOf(file))
  if (later !== null)
    throw usageFailure(`--resume ${file}: ${later.trim()} already continues it; resume that one, or start a new run`)
  // A process that was killed may have left half a line.
  const trace = parseFile(file, (text) => decodeTrace(text.slice(0, text.lastIndexOf('\n') + 1)))
  const options = resume(trace, profile)
  const problem =
    'problem' in options
      ? options.problem
      : (seedProblem(seed, trace.header.seed) ?? onlyProblem(only, trace.header.plan?.only))
  if (problem !== null) throw usageFailure(`--resume ${file}: ${problem}`)
  return options as RunOptions
}

const seedProblem = (given: number | undefined, recorded: number): string | null =>
  given === undefined || given === recorded ? null : `its seed is ${recorded}, not ${given}`

const onlyProblem = (given: string | undefined, recorded: string | undefined): string | null => {
  if (given === undefined || given === recorded) return null
  const fix = recorded === undefined ? 'leave --only out' : `give the same one, or leave --only out`
  return `it was recorded ${recorded === undefined ? 'without --only' : `with --only ${recorded}`}, not with --only ${given}; ${fix}`
}

/** The file that marks a trace as continued: requests sent twice would look like faults of the target. */
const markOf = (trace: string): string => `${trace}.resumed`

/** Marks a trace whose exchanges stand in a later one; one that the later trace replaced needs no mark. */
export const markResumed = (trace: string, later: string): void => {
  if (isSameFile(trace, later)) return
  try {
    writeFileSync(markOf(trace), `${later}\n`)
  } catch {
    // The trace may be in a read-only place, and can still be resumed.
  }
}

/** Whether two paths lead to one file, also through links. */
const isSameFile = (left: string, right: string): boolean => {
  const [one, other] = [left, right].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
  return one !== undefined && one.dev === other?.dev && one.ino === other.ino
}
