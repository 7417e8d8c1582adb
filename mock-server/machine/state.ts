/**
 * The whole state of a world, as persistent data: every step creates a new state that shares the unchanged parts.
 * A fork, a snapshot or a reset is therefore one assignment, whatever the size.
 */
import { derive, type Key, rootKey } from '../randomness/key.ts'
import { IdMap } from './id-map.ts'
import { emptyLog, type MessageLog } from './message-log.ts'
import { emptyMap, type PersistentMap } from './persistent.ts'

export type Role = 'user' | 'system' | 'tool' | 'assistant'

export interface State {
  readonly threads: IdMap<Thread>
  readonly files: IdMap<StoredFile>
  /** The number of times the same creating request was seen; distinguishes repetitions without a shared counter. */
  readonly twins: PersistentMap<number, number>
  readonly windows: PersistentMap<string, QuotaWindow>
}

export interface Thread {
  readonly id: string
  readonly tenantId: string
  readonly assistantId: string
  /** Threads created by a completion take no messages from the create-message operation. */
  readonly origin: 'completion' | 'created'
  /** Source of everything random in the thread; a function of its id. */
  readonly key: Key
  readonly log: MessageLog
  /** Tick of the latest stamp given out in the thread; the next one is later. */
  readonly lastTickUs: number
  /** Messages and runs so far: the ordinal that ids and draws are keyed by. */
  readonly ordinal: number
  readonly answers: number
  /** Position of the latest user message in the log, -1 without one. */
  readonly lastUserAt: number
  readonly lastRole: Role | null
  /** Tool calls that assistant messages of the thread asked for. */
  readonly calls: PersistentMap<string, 'open' | 'answered'>
  readonly openCalls: number
}

export interface StoredFile {
  readonly id: string
  readonly tenantId: string
  readonly userId: string
  readonly filename: string
  readonly persist: boolean
  readonly expiresAtUs: number
  readonly upload: StoredUpload | null
  /** Status reads since the upload. */
  readonly polls: number
}

export interface StoredUpload {
  readonly sizeBytes: number
  readonly mediaType: string
  /** Hex digest of the exact bytes. */
  readonly sha256: string
  readonly atUs: number
}

export interface QuotaWindow {
  readonly opensAtUs: number
  readonly used: number
}

/** A world before its first request. */
export const emptyState: State = { threads: new IdMap(), files: new IdMap(), twins: emptyMap(), windows: emptyMap() }

/** A thread without messages. */
export function emptyThread(
  creation: Pick<Thread, 'id' | 'tenantId' | 'assistantId' | 'origin'>,
  tickUs: number,
): Thread {
  return {
    ...creation,
    key: derive(rootKey(0), creation.id),
    log: emptyLog,
    lastTickUs: tickUs,
    ordinal: 0,
    answers: 0,
    lastUserAt: -1,
    lastRole: null,
    calls: emptyMap(),
    openCalls: 0,
  }
}

/** The state with one thread put in place. */
export function withThread(state: State, thread: Thread): State {
  return { ...state, threads: state.threads.set(thread.id, thread) }
}
