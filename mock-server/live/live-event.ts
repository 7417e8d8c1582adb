/** The events of `GET /_acs/events`: changes of exchanges and worlds. */
import type { OperationId } from '../../spec/index.ts'
import type { ClientOutcome } from '../exchange/in-flight-request.ts'
import type { InjectedFault } from '../fault-catalogue/injection-record.ts'
import type { ReasonId } from '../reasons/reasons.ts'

/** The actions of a watcher on a waiting exchange. */
export const streamActions = ['hold', 'release', 'step', 'drop', 'edit', 'inject', 'close'] as const
export type StreamAction = (typeof streamActions)[number]

/** The known data of a running exchange. Ids count exchanges that had to wait, in all worlds together. */
export interface RunningExchange {
  readonly id: number
  readonly world: string
  readonly method: string
  readonly target: string
  readonly operation: OperationId | null
  readonly tenant: string | null
  readonly started_at: string
  /** The number of chunks of the whole answer, `null` for one without. */
  readonly chunks: number | null
  readonly held: boolean
  /** Those that it allows: an answer without chunks has none to drop, and those of a recording cannot be changed. */
  readonly actions: readonly StreamAction[]
}

/** An exchange that has ended, without its bodies; the journal has them under the number. */
export interface EndedExchange extends Omit<RunningExchange, 'id' | 'chunks' | 'held' | 'actions'> {
  /** `null` for one that never had to wait. */
  readonly id: number | null
  readonly number: number
  readonly status: number
  readonly reason: ReasonId | null
  readonly outcome: ClientOutcome
  readonly duration_us: number
  /** How many chunks went out. */
  readonly chunks: number
  readonly faults: readonly InjectedFault[]
}

export interface SentChunk {
  readonly id: number
  /** From 0. */
  readonly index: number
  readonly at: string
  /** The line as it went out. */
  readonly text: string
}

/** A change of a world, or of its clock. */
export type WorldChange = 'made' | 'removed' | 'reset' | 'restored' | 'seeded' | 'edited' | 'clock'

export type LiveEvent =
  | { readonly event: 'open'; readonly running: readonly RunningExchange[]; readonly sent: readonly SentChunk[] }
  | ({ readonly event: 'running' } & RunningExchange)
  | ({ readonly event: 'chunk' } & SentChunk)
  | ({ readonly event: 'exchange' } & EndedExchange)
  | { readonly event: 'world'; readonly world: string; readonly change: WorldChange }
  /** All worlds play another scenario now. */
  | { readonly event: 'scenario' }
  /** The number of events that were dropped because they were not read in time. */
  | { readonly event: 'missed'; readonly count: number }
