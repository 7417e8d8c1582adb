/** The worker thread of the proof: gets names of subjects, tries the suite on them, sends back the results. */
import { parentPort, workerData } from 'node:worker_threads'
import { type SubjectKind, subjectOf } from './mutant.ts'
import { runTrial, type Trial, type TrialOptions } from './trial.ts'

parentPort?.on('message', async ({ kind, id }: { readonly kind: SubjectKind; readonly id: string }) => {
  const reply = await tried(kind, id).catch((cause: unknown) => ({
    kind,
    id,
    fault: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
  }))
  parentPort?.postMessage(reply)
})

const tried = async (kind: SubjectKind, id: string): Promise<Trial> =>
  runTrial(await subjectOf(kind, id), workerData as TrialOptions)
