/**
 * Plans which probes wait for which. Pure: the dependencies of a probe follow from the plan alone, never from the time, so
 * that the same seed finds the same threads for any number of workers.
 */
import { isOnStandby, startsAfter } from '../planning/play-order.ts'
import { costOf, type Probe } from '../probes/probe.ts'
import type { Tier } from '../profile/budget-tiers.ts'
import type { TargetProfile } from '../profile/target-profile.ts'

export interface Schedule {
  /** Probes that have to be over before this one starts. */
  readonly waitsFor: (probe: Probe) => ReadonlySet<string>
  /** The places of the probes that surely are over when this one starts, and its own; `null` for all others. */
  readonly placesFor: (probe: Probe) => (id: string) => number | null
  /** The work that depends on a probe: those with most start first. */
  readonly weightOf: (probe: Probe) => number
}

/** A model call takes about as long as this many other requests. */
const modelCallWeight = 12

/** The roles of some probes, known by their ids. */
interface Roles {
  /** They make the target see a customer first. */
  readonly opening?: ReadonlySet<string>
  /** They run with the budget that the others have left. */
  readonly standby?: ReadonlySet<string>
}

/** Plans the dependencies between probes; `sequence` is in the order of play. */
export function scheduleOf(
  sequence: readonly Probe[],
  profile: TargetProfile,
  tier: Tier,
  { opening = new Set(), standby = new Set() }: Roles = {},
): Schedule {
  const opensFree = sequence.filter((probe) => opening.has(probe.id) && costOf(probe, profile, tier).modelCalls === 0)
  const waits = waitsIn(sequence, profile, tier, standby, (probe) =>
    opening.has(probe.id) || probe.findsAssistant === true ? [] : opensFree.map(({ id }) => id),
  )
  const known = new Map<string, ReadonlySet<string>>()
  for (const { id } of sequence) {
    const before = [...(waits.get(id) ?? [])]
    known.set(id, new Set([id, ...before.flatMap((one) => [...(known.get(one) ?? [])])]))
  }
  const places = new Map<string, number>(sequence.map(({ id }, index) => [id, index]))
  const weights = weightsOf(sequence, waits, (probe) => {
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

/** Probes that share a thing play in the order of the sequence, late ones behind all others, those on standby behind these. */
function waitsIn(
  sequence: readonly Probe[],
  profile: TargetProfile,
  tier: Tier,
  standby: ReadonlySet<string>,
  openingBefore: (probe: Probe) => readonly string[],
): Waits {
  const waits = new Map<string, ReadonlySet<string>>()
  const lastUserOf = new Map<string, string>()
  let behind: readonly string[] = []
  let since: readonly string[] = []
  const phaseOf = (probe: Probe): number => (isOnStandby(probe, standby) ? 2 : probe.late === true ? 1 : 0)
  let phase = 0
  for (const probe of sequence) {
    const isAlone = tier === 'smoke' || probe.alone === true || probe.last === true
    if (isAlone || phaseOf(probe) > phase) {
      behind = since.length === 0 ? behind : since
      since = []
    }
    phase = Math.max(phase, phaseOf(probe))
    const things = thingsOf(probe, profile)
    const users = things.flatMap((thing) => lastUserOf.get(thing) ?? [])
    waits.set(probe.id, new Set([...behind, ...users, ...openingBefore(probe), ...startsAfter(probe, sequence)]))
    for (const thing of things) lastUserOf.set(thing, probe.id)
    if (isAlone) behind = [probe.id]
    since = isAlone ? behind : [...since, probe.id]
  }
  return waits
}

/**
 * The resources that a probe shares with others. Threads of a list are distributed in turn, so a probe that opens
 * threads keeps its place.
 */
function thingsOf({ shares = [], needs, chapter }: Probe, { threads }: TargetProfile): readonly string[] {
  const takesFromList = threads?.kind === 'static' && (needs.threads === true || chapter === 'auth')
  return takesFromList ? [...shares, 'list-of-threads'] : shares
}

/** The longest path from each probe to the end. */
function weightsOf(
  sequence: readonly Probe[],
  waits: Waits,
  workOf: (probe: Probe) => number,
): ReadonlyMap<string, number> {
  const behind = new Map<string, number>()
  const weights = new Map<string, number>()
  for (const probe of [...sequence].reverse()) {
    const weight = workOf(probe) + (behind.get(probe.id) ?? 0)
    weights.set(probe.id, weight)
    for (const id of waits.get(probe.id) ?? []) behind.set(id, Math.max(behind.get(id) ?? 0, weight))
  }
  return weights
}

/** Runs all probes, at most `workers` at a time; `playOne` says whether to continue. */
export async function playInOrder(
  sequence: readonly Probe[],
  schedule: Schedule,
  workers: number,
  playOne: (probe: Probe) => Promise<boolean>,
): Promise<void> {
  const isSooner = (left: Probe, right: Probe): number => schedule.weightOf(right) - schedule.weightOf(left)
  const waiting = workers === 1 ? [...sequence] : [...sequence].sort(isSooner)
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
