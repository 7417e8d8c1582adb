/**
 * Restores saved worlds from the database.
 * Each line of effects that a world needs is replayed once, parents first, so that forks share memory; other lines are cleared.
 */
import { emptyState, type State } from '../machine/state.ts'
import type { Database } from './database.ts'
import { type Effect, replay } from './state-change.ts'
import { keyOf, type LineRecord, type Mark, type WorldRecord } from './world-log.ts'

/** A world as it was when the mock ended. */
export interface SavedWorld {
  readonly record: WorldRecord
  readonly state: State
  /** Where its line starts. */
  readonly from: Mark | null
  /** Effects in its line. */
  readonly length: number
}

type Parents = ReadonlyMap<number, Mark | null>

/** All saved worlds by name, and the highest line that there is. */
export async function loadLines(
  database: Database,
): Promise<{ readonly saved: Map<string, SavedWorld>; readonly lastLine: number }> {
  const records = new Map<string, WorldRecord>()
  for await (const [key, value] of database.iterator(below('world'))) records.set(key.slice(6), parsed(key, value))
  const parents = new Map<number, Mark | null>()
  for await (const [key, value] of database.iterator(below('line'))) {
    const line = Number.parseInt(key.slice(5), 36)
    const { from, world } = parsed<LineRecord>(key, value)
    if (world !== null && records.get(world)?.line !== line)
      throw new RangeError(`its record ${keyOf.world(world)} is missing`)
    parents.set(line, from)
  }
  const needed = neededLines([...records.values()], parents)
  const ends = await replayLines(database, needed, parents)
  for (const line of parents.keys()) if (!needed.has(line)) await clearLine(database, line)
  const saved = [...records].map(([name, record]): [string, SavedWorld] => [
    name,
    { record, from: parents.get(record.line) ?? null, ...(ends.get(record.line) ?? { state: emptyState, length: 0 }) },
  ])
  return { saved: new Map(saved), lastLine: [...parents.keys()].reduce((most, line) => Math.max(most, line), 0) }
}

function parsed<Value>(key: string, value: string): Value {
  try {
    return JSON.parse(value)
  } catch (cause) {
    throw new RangeError(`its record ${key} is not readable`, { cause })
  }
}

/** Everything below a folder of keys, in order. */
function below(folder: string): { readonly gt: string; readonly lt: string } {
  // The character behind the slash.
  return { gt: `${folder}/`, lt: `${folder}0` }
}

async function clearLine(database: Database, line: number): Promise<void> {
  await database.clear(below(keyOf.effects(line)))
  await database.del(keyOf.line(line))
}

function neededLines(records: readonly WorldRecord[], parents: Parents): ReadonlySet<number> {
  const needed = new Set<number>()
  for (const record of records) {
    let at: number | undefined = record.line
    while (at !== undefined && !needed.has(at)) {
      if (!parents.has(at)) throw new RangeError(`its record ${keyOf.line(at)} is missing`)
      needed.add(at)
      at = parents.get(at)?.line
    }
  }
  return needed
}

interface LineEnd {
  readonly state: State
  readonly length: number
}

/** A parent was always there before its children, so the order of numbers is the order of replay. */
async function replayLines(
  database: Database,
  needed: ReadonlySet<number>,
  parents: Parents,
): Promise<ReadonlyMap<number, LineEnd>> {
  const children = new Map<number, { readonly line: number; readonly at: number }[]>()
  for (const line of needed) {
    const parent = parents.get(line)
    if (parent === undefined || parent === null) continue
    children.set(parent.line, [...(children.get(parent.line) ?? []), { line, at: parent.length }])
  }
  const starts = new Map<number, State>()
  const ends = new Map<number, LineEnd>()
  for (const line of [...needed].sort((left, right) => left - right)) {
    const toCreate = [...(children.get(line) ?? [])].sort((left, right) => left.at - right.at)
    let state = starts.get(line) ?? emptyState
    let length = 0
    const create = (upTo: number) => {
      while ((toCreate[0]?.at ?? Number.POSITIVE_INFINITY) <= upTo) starts.set(toCreate.shift()?.line ?? 0, state)
    }
    for await (const [key, value] of database.iterator(below(keyOf.effects(line)))) {
      // Effects are numbered without a gap, so one that is lost is seen.
      if (key !== keyOf.effect(line, length))
        throw new RangeError(`its record ${keyOf.effect(line, length)} is missing`)
      create(length)
      state = replay(state, parsed<Effect>(key, value))
      length += 1
    }
    create(length)
    if (toCreate.length > 0) throw new RangeError(`its record ${keyOf.effect(line, length)} is missing`)
    ends.set(line, { state, length })
  }
  return ends
}
