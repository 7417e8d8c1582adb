/** What the proxy and the thread of its recording send to each other. */
import type { TargetProfile } from '../profile/target-profile.ts'
import type { Trace } from '../trace/exchange.ts'
import type { PackedExchange } from './passed-exchange.ts'

export interface RecordingOptions {
  readonly upstream: string
  readonly profile: TargetProfile | undefined
  /** Where the report goes; the first file of the recording stands there as trace.ndjson. */
  readonly folder: string
  /** A file that grew so large is followed by another one. */
  readonly fileBytes: number
  /** The oldest files give way above this. */
  readonly keptBytes: number
  /** Whether all traffic of the profile's tenants passes here. */
  readonly isExclusive: boolean
}

export interface RecordingWorkerData extends RecordingOptions {
  /** KiB that were sent to the thread and are not written yet. */
  readonly waitingKiB: Int32Array
}

export type RecordingRequest = PackedExchange | { readonly ask: 'files' | 'end' }

/** The whole recording while it is short, its files afterwards. */
export type Recorded = { readonly trace: Trace } | { readonly files: readonly string[] }

/** That it can begin; a line about a rule that is first seen broken; or what was asked for: `null` for the files of a short one. */
export type RecordingReply =
  | { readonly isReady: true }
  | { readonly line: string }
  | { readonly recorded: Recorded | null }

/** What an exchange costs while it waits. */
export const kibibytesOf = ({ json, bytes }: PackedExchange): number => 1 + ((json.length + bytes.byteLength) >> 10)
