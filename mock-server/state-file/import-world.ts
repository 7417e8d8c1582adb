/** Replaces the contents of a world by those of a state file. */
import type { AdjustableClock } from '../clock/adjustable-clock.ts'
import type { ClockReading } from '../clock/clock.ts'
import { tickOf } from '../clock/timestamp.ts'
import type { RequestWorld } from '../exchange/in-flight-request.ts'
import type { Waits } from '../exchange/waits.ts'
import { closeRunning } from '../live/close-running.ts'
import { emptyState, type State } from '../machine/state.ts'
import { namedIn, type ResolvedScenario } from '../scenario/resolved-scenario.ts'
import { type Effect, replay } from '../store/state-change.ts'
import { ImportError } from './check-state.ts'
import type { ExportedFile, ExportedThread, ExportedWorld } from './state-file.ts'

/** The part of a world that an import changes. */
interface RestorableWorld extends RequestWorld {
  readonly seed: number
  readonly waits: Waits
  restore(snapshot: { readonly state: State; readonly clock: ClockReading }): void
}

/** Replaces state and clock of a world by those of a checked export. Throws an ImportError for another seed. */
export function importWorld(world: RestorableWorld, exported: ExportedWorld): void {
  if (exported.seed !== world.seed) {
    const problem = `seed ${exported.seed} is not that of the world ${world.name}, ${world.seed}; start with the seed ${exported.seed}`
    throw new ImportError([problem])
  }
  const state = stateOf(exported, world.machine.scenario)
  // Before the clock moves: scheduled work must not become due on the new one.
  closeRunning(world)
  setClock(world.clock, exported.clock)
  world.restore({ state, clock: { nowUs: world.clock.nowUs() } })
}

function setClock(clock: AdjustableClock, { mode, now, factor }: ExportedWorld['clock']): void {
  const nowUs = now === undefined ? null : ticks(now)
  // Only a clock that is held can be set; it goes on from there in its own mode.
  if (nowUs !== null) {
    clock.adjust({ mode: 'frozen' })
    clock.restore({ nowUs })
  }
  clock.adjust(factor === undefined ? { mode } : { mode, factor })
}

function stateOf({ threads, files, quotas, requests }: ExportedWorld, scenario: ResolvedScenario): State {
  const effects: readonly Effect[] = [
    ...threads.map((thread) => threadEffect(thread, scenario)),
    ...files.map((file) => fileEffect(file, scenario)),
    ...quotas.map(({ key_id, opens_at, used }): Effect => ({ window: [key_id, { opensAtUs: ticks(opens_at), used }] })),
    ...requests.map((twin): Effect => ({ twin })),
  ]
  return effects.reduce(replay, emptyState)
}

function threadEffect(thread: ExportedThread, scenario: ResolvedScenario): Effect {
  const tenant = namedIn(scenario.tenants, thread.tenant)
  const assistant = tenant === undefined ? undefined : namedIn(tenant.assistants, thread.assistant)
  const { id, origin, ordinal } = thread
  return {
    thread: {
      id,
      ordinal,
      lastTickUs: ticks(thread.last_at),
      creation: {
        tenantId: tenant?.id ?? thread.tenant,
        assistantId: assistant?.id ?? thread.assistant,
        origin,
      },
      added: thread.messages.map((message) => JSON.stringify(message)),
    },
  }
}

function fileEffect({ upload, ...file }: ExportedFile, scenario: ResolvedScenario): Effect {
  return {
    file: {
      id: file.id,
      tenantId: namedIn(scenario.tenants, file.tenant)?.id ?? file.tenant,
      userId: file.user_id,
      filename: file.filename,
      persist: file.persist,
      expiresAtUs: ticks(file.expires_at),
      upload:
        upload === null
          ? null
          : {
              sizeBytes: upload.size,
              mediaType: upload.media_type,
              sha256: upload.sha256,
              atUs: ticks(upload.at),
            },
      polls: file.polls,
    },
  }
}

/** Stamps were checked. */
function ticks(stamp: string): number {
  return tickOf(stamp) ?? 0
}
