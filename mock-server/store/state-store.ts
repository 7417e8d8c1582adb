/**
 * State that outlives a restart: worlds and their lines of effects in an embedded database (LevelDB). A write survives any
 * end of the process once the database has it; unreachable data is cleared on opening.
 */
import type { ClockOptions } from '../clock/clock.ts'
import { createWriter } from './batch-writer.ts'
import { openDatabase } from './database.ts'
import { loadLines, type SavedWorld } from './saved-worlds.ts'
import { StateError } from './state-error.ts'
import { createWorldLog, keyOf, type LineRecord, type Mark, type WorldLog } from './world-log.ts'

export interface StateStore {
  /** Names of the worlds that were saved. */
  readonly names: readonly string[]
  /** A saved world, once. */
  take(name: string): SavedWorld | null
  /** The log of a world: a saved one's goes on, another one's starts at `from`, or with nothing. */
  log(
    name: string,
    saved: SavedWorld | null,
    born: { readonly seed: number; readonly clock: ClockOptions },
    from: Mark | null,
  ): WorldLog
  forget(name: string): void
  /** Resolves once all changes so far are written. */
  settled(): Promise<void>
  /** Writes the rest and closes the directory. */
  close(): Promise<void>
}

interface StoreOptions {
  /** Whether a write has to reach the disk itself, so that it survives a power cut, too. */
  readonly sync: boolean
  /** Called with messages for the user. */
  readonly told: (problem: string) => void
}

/** Opens a directory, made if need be; throws a StateError. */
export async function openStore(directory: string, { sync, told }: StoreOptions): Promise<StateStore> {
  let database = await openDatabase(directory)
  const { saved, lastLine: last } = await loadLines(database).catch(async (cause: unknown) => {
    await database.close()
    throw damageOf(directory, cause)
  })
  const names = [...saved.keys()]
  const writer = createWriter({
    write: (changes) => database.batch([...changes], { sync }),
    async recover() {
      // A write that failed half-way leaves a log that must not be written on: opening it anew cuts that half off.
      await database.close()
      database = await openDatabase(directory)
    },
    told: (cause) => told(troubleOf(directory, cause)),
  })
  let lastLine = last
  const nextLine = () => {
    lastLine += 1
    return lastLine
  }
  const logs = new Map<string, WorldLog>()
  const keepLog = (name: string, log: WorldLog): WorldLog => {
    logs.set(name, log)
    return log
  }
  return {
    names,
    take(name) {
      const world = saved.get(name) ?? null
      saved.delete(name)
      return world
    },
    log(name, found, born, from) {
      if (found !== null) return keepLog(name, createWorldLog({ name, ...found, writer, nextLine }))
      const record = { ...born, line: nextLine() }
      const line: LineRecord = { from, world: name }
      writer.put(keyOf.line(record.line), JSON.stringify(line))
      writer.put(keyOf.world(name), JSON.stringify(record))
      return keepLog(name, createWorldLog({ name, record, from, length: 0, writer, nextLine }))
    },
    forget(name) {
      logs.get(name)?.forget()
      logs.delete(name)
    },
    async settled() {
      await writer.settled()
    },
    async close() {
      // Changes that cannot be written now were never acknowledged, and were reported.
      await writer.settled()?.catch(() => {})
      await database.close()
    },
  }
}

function troubleOf(directory: string, cause: unknown): string {
  if (cause === null) return `state: ${directory} can be written again; the mock goes on`
  const { message } = cause as { readonly message?: string }
  return `state: ${directory} cannot be written: ${message ?? String(cause)}; every request is refused until it can`
}

function damageOf(directory: string, cause: unknown): StateError {
  const { message } = cause as { readonly message?: string }
  const problem = `${directory} is damaged: ${message ?? String(cause)}; bring back a copy of it, or choose another one`
  return new StateError('state-damaged', problem, cause)
}
