/** Writes the contents of a world as a state file. */
import type { AdjustableClock } from '../clock/adjustable-clock.ts'
import { timestampOf } from '../clock/timestamp.ts'
import type { Machine } from '../machine/machine.ts'
import type { State, StoredFile, Thread } from '../machine/state.ts'
import type { ResolvedScenario } from '../scenario/resolved-scenario.ts'
import type { ExportedFile, ExportedThread, ExportedWorld } from './state-file.ts'

/** The part of a world that an export reads. */
interface ReadableWorld {
  readonly name: string
  readonly seed: number
  readonly clock: Pick<AdjustableClock, 'mode' | 'factor' | 'nowUs'>
  readonly state: State
  readonly machine: Machine
}

/** The world as data; the same world always gives the same text. */
export function exportWorld({ name, seed, clock, state, machine }: ReadableWorld): ExportedWorld {
  const { mode, factor } = clock
  return {
    name,
    seed,
    clock: {
      mode,
      ...(mode === 'real' ? null : { now: timestampOf(clock.nowUs()) }),
      ...(mode === 'scaled' ? { factor } : null),
    },
    threads: byId(state.threads.values()).map((thread) => threadOf(thread, machine.scenario)),
    files: byId(state.files.values()).map((file) => fileOf(file, machine.scenario)),
    quotas: quotasOf(state),
    requests: [...state.twins].sort(([left], [right]) => left - right),
  }
}

function byId<Item extends { readonly id: string }>(items: Iterable<Item>): readonly Item[] {
  return [...items].sort((left, right) => (left.id < right.id ? -1 : 1))
}

function quotasOf({ windows }: State): ExportedWorld['quotas'] {
  return [...windows]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key_id, { opensAtUs, used }]) => ({ key_id, opens_at: timestampOf(opensAtUs), used }))
}

function threadOf(thread: Thread, { tenants }: ResolvedScenario): ExportedThread {
  const tenant = tenants.find(({ id }) => id === thread.tenantId)
  const assistant = tenant?.assistants.find(({ id }) => id === thread.assistantId)
  return {
    id: thread.id,
    tenant: tenant?.name ?? thread.tenantId,
    assistant: assistant?.name ?? thread.assistantId,
    origin: thread.origin,
    last_at: timestampOf(thread.lastTickUs),
    ordinal: thread.ordinal,
    messages: [...thread.log].map((bytes) => JSON.parse(Buffer.from(bytes).toString())),
  }
}

function fileOf(file: StoredFile, { tenants }: ResolvedScenario): ExportedFile {
  const { upload } = file
  return {
    id: file.id,
    tenant: tenants.find(({ id }) => id === file.tenantId)?.name ?? file.tenantId,
    user_id: file.userId,
    filename: file.filename,
    persist: file.persist,
    expires_at: timestampOf(file.expiresAtUs),
    upload:
      upload === null
        ? null
        : {
            size: upload.sizeBytes,
            media_type: upload.mediaType,
            sha256: upload.sha256,
            at: timestampOf(upload.atUs),
          },
    polls: file.polls,
  }
}
