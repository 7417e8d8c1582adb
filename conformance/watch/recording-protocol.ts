/** The messages between the proxy and its recording thread. */
import type { TargetProfile } from '../profile/target-profile.ts'
import type { Trace } from '../trace/exchange.ts'
import type { PackedExchange } from './passed-exchange.ts'

export interface RecordingOptions {
  readonly upstream: string
  readonly profile: TargetProfile | undefined
  /** The folder of the report, with the first file of the recording as trace.ndjson. */
  readonly folder: string
  /** The size at which the next file is started. */
  readonly fileBytes: number
  /** The total size above which the oldest files are deleted. */
  readonly keptBytes: number
  /** Whether all traffic of the profile's tenants passes here. */
  readonly isExclusive: boolean
}

export interface RecordingWorkerData extends RecordingOptions {
  /** KiB sent to the thread and not written yet. */
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

/** The memory cost of a waiting exchange. */
export const kibibytesOf = ({ json, bytes }: PackedExchange): number => 1 + ((json.length + bytes.byteLength) >> 10)
