/** The format of a state file: the worlds of a mock with threads, files, quotas and clocks, as readable JSON. */
import type { ClockMode } from '../clock/clock.ts'
import type { Role, Thread } from '../machine/state.ts'
import type { JsonObject } from '../scenario/scenario.ts'

/** All worlds of a mock. */
export interface ExportedState {
  readonly format: typeof stateFormat
  /** The default one first. */
  readonly worlds: readonly ExportedWorld[]
}

export const stateFormat = 'acs-mock-state/1'

/** One world; lists are in the order of ids, so that equal worlds have equal texts. */
export interface ExportedWorld {
  readonly name: string
  /** Ids, cursors and signed URLs follow from it. */
  readonly seed: number
  readonly clock: ExportedClock
  readonly threads: readonly ExportedThread[]
  readonly files: readonly ExportedFile[]
  readonly quotas: readonly ExportedQuota[]
  /** How often each creating request came, by its number: the next one like it gets another id. */
  readonly requests: readonly (readonly [number: number, times: number])[]
}

interface ExportedClock {
  readonly mode: ClockMode
  /** Left out for a real clock, which shows the machine's time. */
  readonly now?: string
  readonly factor?: number
}

export interface ExportedThread {
  readonly id: string
  /** Names; ids where there is no such name. */
  readonly tenant: string
  readonly assistant: string
  readonly origin: Thread['origin']
  /** The latest stamp that was given out in it. */
  readonly last_at: string
  /** Messages and runs so far. */
  readonly ordinal: number
  /** As they are listed, oldest first. */
  readonly messages: readonly (JsonObject & { readonly role: Role })[]
}

export interface ExportedFile {
  readonly id: string
  readonly tenant: string
  readonly user_id: string
  readonly filename: string
  readonly persist: boolean
  readonly expires_at: string
  readonly upload: {
    readonly size: number
    readonly media_type: string
    readonly sha256: string
    readonly at: string
  } | null
  readonly polls: number
}

interface ExportedQuota {
  /** Id of the key, never its value. */
  readonly key_id: string
  readonly opens_at: string
  readonly used: number
}
