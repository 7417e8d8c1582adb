/**
 * Runs the trials of a proof: a sample in this process, all of them in worker threads.
 * A worker loads and compiles the whole product anew, which costs more than a sample has to gain from two cores.
 */
import { subjectOf } from '../../cli/prove/mutant.ts'
import { runTrials, type SubjectName } from '../../cli/prove/run-trials.ts'
import { runTrial, type Trial, type TrialOptions } from '../../cli/prove/trial.ts'
import { sampling } from './samples.ts'

/** The trials in the order of the names. */
export async function sampledTrials(names: readonly SubjectName[], options: TrialOptions): Promise<readonly Trial[]> {
  if (sampling.whole) return runTrials(names, { ...options, jobs: 2 })
  const trials: Trial[] = []
  for (const { kind, id } of names) trials.push(await runTrial(await subjectOf(kind, id), options))
  return trials
}
