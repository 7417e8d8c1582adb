/**
 * Plans which probes wait for which. Pure: what a probe waits for follows from the plan alone, never from the time, so that the
 * same seed finds the same threads whatever the number of workers.
 */
import { startsAfter } from '../planning/play-order.ts'
import { costOf, type Probe } from '../probes/probe.ts'
import type { Tier } from '../profile/budget-tiers.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import { sharedThingsOf } from './overlap.ts'

export interface Schedule {
  /** Probes that have to be over before this one starts. */
  readonly waitsFor: (probe: Probe) => ReadonlySet<string>
  /** The places of the probes that surely are over when this one starts, and its own; `null` for all others. */
  readonly placesFor: (probe: Probe) => (id: string) => number | null
  /** The work that hangs on a probe: those with most start first. */
  readonly weightOf: (probe: Probe) => number
}

/** A model call takes about as long as so many other requests. */
const modelCallWeight = 12

/** Plans who waits for whom; `programme` is in the order of play. */
export function scheduleOf(programme: readonly Probe[], profile: TargetProfile, tier: Tier): Schedule {
  const waits = waitsIn(programme, profile, tier)
  const known = new Map<string, ReadonlySet<string>>()
  for (const { id } of programme) {
    const before = [...(waits.get(id) ?? [])]
    known.set(id, new Set([id, ...before.flatMap((one) => [...(known.get(one) ?? [])])]))
  }
  const places = new Map<string, number>(programme.map(({ id }, index) => [id, index]))
  const weights = weightsOf(programme, waits, (probe) => {
    const { exchanges, modelCalls } = costOf(probe, profile, tier)
    return exchanges + modelCallWeight * modelCalls
  })
  return {
    waitsFor: ({ id }) => waits.get(id) ?? new Set(),
    placesFor: (probe) => (id) => (known.get(probe.id)?.has(id) === true ? (places.get(id) ?? null) : null),
    weightOf: ({ id }) => weights.get(id) ?? 0,
  }
}

type Waits = ReadonlyMap<string, ReadonlySet<string>>

function waitsIn(programme: readonly Probe[], profile: TargetProfile, tier: Tier): Waits {
  const waits = new Map<string, ReadonlySet<string>>()
  const lastUserOf = new Map<string, string>()
  const readersOf = new Map<string, readonly string[]>()
  let lastAlone: readonly string[] = []
  let sinceAlone: readonly string[] = []
  for (const probe of programme) {
    const isBehindAll = probe.late === true || probe.last === true
    const things = isBehindAll ? null : sharedThingsOf(probe, profile, tier)
    const named = startsAfter(probe, programme)
    const users = (things ?? []).flatMap((thing) => usersOf(thing, lastUserOf, readersOf))
    const all = things === null ? sinceAlone : lastAlone
    waits.set(probe.id, new Set([...all, ...users, ...named]))
    for (const thing of things ?? []) {
      if (isOnlyRead(thing)) readersOf.set(nameOf(thing), [...(readersOf.get(nameOf(thing)) ?? []), probe.id])
      else {
        lastUserOf.set(thing, probe.id)
        readersOf.delete(thing)
      }
    }
    if (things === null) lastAlone = [probe.id]
    sinceAlone = things === null ? lastAlone : [...sinceAlone, probe.id]
  }
  return waits
}

/** Who has to be over before a thing is used: its last user, and for a user who changes it all who read it since. */
function usersOf(
  thing: string,
  lastUserOf: ReadonlyMap<string, string>,
  readersOf: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const user = lastUserOf.get(nameOf(thing))
  const readers = isOnlyRead(thing) ? [] : (readersOf.get(thing) ?? [])
  return user === undefined ? readers : [user, ...readers]
}

function isOnlyRead(thing: string): boolean {
  return thing.startsWith('~')
}

function nameOf(thing: string): string {
  return isOnlyRead(thing) ? thing.slice(1) : thing
}

/** The longest way from each probe to the end. */
function weightsOf(
  programme: readonly Probe[],
  waits: Waits,
  workOf: (probe: Probe) => number,
): ReadonlyMap<string, number> {
  const behind = new Map<string, number>()
  const weights = new Map<string, number>()
  for (const probe of [...programme].reverse()) {
    const weight = workOf(probe) + (behind.get(probe.id) ?? 0)
    weights.set(probe.id, weight)
    for (const id of waits.get(probe.id) ?? []) behind.set(id, Math.max(behind.get(id) ?? 0, weight))
  }
  return weights
}

/** Plays all probes, at most `workers` at a time; `playOne` says whether to go on. */
export async function playInOrder(
  programme: readonly Probe[],
  schedule: Schedule,
  workers: number,
  playOne: (probe: Probe) => Promise<boolean>,
): Promise<void> {
  const isSooner = (left: Probe, right: Probe): number => schedule.weightOf(right) - schedule.weightOf(left)
  const waiting = workers === 1 ? [...programme] : [...programme].sort(isSooner)
  const over = new Set<string>()
  const playing = new Map<string, Promise<void>>()
  let goesOn = true
  const start = (probe: Probe): void => {
    const played = playOne(probe).then((proceed) => {
      goesOn &&= proceed
      over.add(probe.id)
      playing.delete(probe.id)
    })
    playing.set(probe.id, played)
  }
  for (;;) {
    while (goesOn && playing.size < workers) {
      const next = waiting.findIndex((probe) => [...schedule.waitsFor(probe)].every((id) => over.has(id)))
      const [probe] = next < 0 ? [] : waiting.splice(next, 1)
      if (probe === undefined) break
      start(probe)
    }
    if (playing.size === 0) {
      if (goesOn && waiting.length > 0)
        throw new Error(`These probes wait for each other: ${waiting.map(({ id }) => id)}.`)
      return
    }
    await Promise.race(playing.values())
  }
}
