/** The worker thread of a long judgement: gets the places of a part's lines, reads and surveys them. */
import { parentPort, workerData } from 'node:worker_threads'
import { type PartSurvey, surveyPart } from '../judge/partition/survey-part.ts'
import type { TraceHeader } from '../trace/exchange.ts'
import { TraceError } from '../trace/trace.ts'
import { type LinePlaces, readExchanges, TraceFiles } from './trace-lines.ts'

export interface WorkerSettings {
  readonly files: readonly string[]
  readonly header: TraceHeader
}

export interface PartJob {
  readonly part: number
  readonly places: LinePlaces
  /** By line; -1 for context. */
  readonly components: Int32Array
}

export type PartReply =
  | { readonly part: number; readonly survey: PartSurvey }
  | { readonly part: number; readonly fault: string; readonly line: number | null }

const { files, header } = workerData as WorkerSettings
const lines = new TraceFiles(files)

const surveyed = ({ part, places, components }: PartJob): PartReply => {
  try {
    const exchanges = readExchanges(lines, places)
    const owners = Array.from(components, (component) => (component < 0 ? null : component))
    return { part, survey: surveyPart({ header, exchanges, components: owners }) }
  } catch (cause) {
    if (cause instanceof TraceError) return { part, fault: cause.reason, line: cause.line }
    return { part, fault: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause), line: null }
  }
}

parentPort?.on('message', (job: PartJob) => parentPort?.postMessage(surveyed(job)))
