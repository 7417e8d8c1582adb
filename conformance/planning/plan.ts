/**
 * Plans the requests of a run, before anything is sent. A plan holds the chosen probes, their cost, and every owed
 * obligation that stays unexercised, with the reason. The meter holds the caps even where a plan errs.
 */
import type { Chapter, Obligation } from '../../spec/index.ts'
import { obligationKey, requirementOf } from '../../spec/index.ts'
import { type Cost, costOf, type Probe } from '../probes/probe.ts'
import { allProbes } from '../probes/registry.ts'
import { type Caps, type CapWishes, capsFor, reaches, type Tier, tiers } from '../profile/budget-tiers.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import type { ProbeNote } from '../trace/exchange.ts'
import { coverageOf, matchesSelection, owedBy } from './coverage.ts'
import { missingPrerequisite } from './missing-prerequisite.ts'
import { rememberedSelection } from './remembered-selection.ts'
import { addCost, dependenciesOf, zeroCost } from './select-probes.ts'

export interface PlanOptions extends CapWishes {
  /** Default `gate`. */
  readonly tier?: Tier | undefined
  /** Only probes for requirements that match this glob. */
  readonly only?: string | undefined
  readonly seed?: number | undefined
  /** One part of several, counted from 1. */
  readonly shard?: { readonly index: number; readonly of: number } | undefined
}

interface PlannedProbe extends Cost {
  readonly id: string
  /** On standby: the number of requests that must be left for it; default all that it may send. */
  readonly leastExchanges: number
  readonly chapter: Chapter
}

interface LeftOutProbe {
  readonly id: string
  readonly reason: ProbeNote['reason']
  readonly text: string
  /** The fields of the profile without which it cannot play; none when the plan leaves it out for another reason. */
  readonly settings?: readonly string[]
}

interface UnexercisedObligation extends Obligation {
  /** A probe that could have exercised it. */
  readonly probe: string
  readonly reason: ProbeNote['reason']
  readonly text: string
  /** Whether its rule is a must, which can fail a run. */
  readonly isRequired: boolean
}

export interface Plan extends Cost {
  readonly tier: Tier
  readonly seed: number | null
  readonly caps: Caps
  readonly ratePerMinute: number | null
  /** At the given rate; `null` without one: as fast as the target answers. */
  readonly durationMs: number | null
  /** In the order of playing. */
  readonly probes: readonly PlannedProbe[]
  /** They run if the others need less than the plan keeps for them; the first that fits runs first. */
  readonly standby: readonly PlannedProbe[]
  readonly leftOut: readonly LeftOutProbe[]
  /** How many obligations of must rules apply. */
  readonly owed: number
  /** Obligations that no probe will show, advice included. */
  readonly unexercised: readonly UnexercisedObligation[]
}

/** Plans a run; pure, and the same for the same profile and options. */
export function planRun(profile: TargetProfile, options: PlanOptions = {}): Plan {
  const tier = options.tier ?? 'gate'
  const caps = capsFor(tier, profile, options)
  const owed = owedBy(profile).filter(({ requirement }) => matchesSelection(options.only, requirement))
  const isWanted = wantedBy(options.only)
  const omissions = omissionsOf(profile, tier, isWanted, options.only)
  const able = probesOf(tier).filter((probe) => !omissions.has(probe))
  const chosen = rememberedSelection({ profile, tier, caps, able, isWanted })
  const mine = shardOf(chosen, options.shard)
  for (const probe of able) {
    if (!chosen.includes(probe)) omissions.set(probe, overCaps(caps))
    else if (!mine.includes(probe)) omissions.set(probe, { reason: 'not-selected', text: 'It runs in another shard.' })
  }
  const planned = (probe: Probe): PlannedProbe => {
    const cost = costOf(probe, profile, tier)
    const exchanges = cost.exchanges + openingRequests(probe, mine)
    return {
      id: probe.id,
      chapter: probe.chapter,
      ...cost,
      exchanges,
      leastExchanges: probe.leastExchanges ?? exchanges,
    }
  }
  const probes = mine.map(planned)
  const waiting = options.shard === undefined ? able.filter((probe) => isWanted(probe) && !chosen.includes(probe)) : []
  // Cheapest first, so that more of them fit into what is left.
  const placeOf = (probe: Probe): number => (probe.ahead === true ? -1 : planned(probe).exchanges)
  const standby = standbyOf(waiting, chosen)
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map(planned)
  const cost = billOf(probes, standby, profile, caps)
  const ratePerMinute = profile.budget.ratePerMinute ?? null
  return {
    tier,
    seed: options.seed ?? null,
    caps,
    ratePerMinute,
    durationMs: ratePerMinute === null ? null : Math.ceil((cost.exchanges * 60_000) / ratePerMinute),
    ...cost,
    probes,
    standby,
    leftOut: [...omissions].map(([{ id }, omission]) => ({ id, ...omission })),
    owed: owed.filter(isMust).length,
    unexercised: unexercisedOf(owed, mine, omissions),
  }
}

const isMust = ({ requirement }: Pick<Obligation, 'requirement'>): boolean =>
  requirementOf(requirement)?.level === 'must'

/** Requests to create threads that earlier probes would have created. */
function openingRequests({ behind = [], opening = 0 }: Probe, playing: readonly Probe[]): number {
  return opening * behind.filter((id) => playing.every((probe) => probe.id !== id)).length
}

/** All requests to a correct service: those of the probes, one list of assistants for each tenant, and the optional ones. */
function billOf(
  probes: readonly PlannedProbe[],
  standby: readonly PlannedProbe[],
  { tenants }: TargetProfile,
  caps: Caps,
): Cost {
  const { exchanges, modelCalls } = [...probes, ...standby].reduce<Cost>(addCost, zeroCost)
  const lists = probes.length === 0 ? 0 : tenants.secondary === undefined ? 1 : 2
  const spareCalls = probes.reduce((sum, probe) => sum + (probe.spareCalls ?? 0), 0)
  return {
    exchanges: Math.min(exchanges + lists, caps.maxExchanges ?? Number.POSITIVE_INFINITY),
    modelCalls: Math.min(modelCalls + spareCalls, caps.maxModelCalls ?? Number.POSITIVE_INFINITY),
  }
}

/** Probes that may run if requests are left: all that they build on runs anyway. */
function standbyOf(waiting: readonly Probe[], chosen: readonly Probe[]): readonly Probe[] {
  return waiting.filter(
    (probe) =>
      (probe.standby ?? probe.rare ?? false) &&
      dependenciesOf(probe, allProbes).every((foundation) => chosen.includes(foundation)),
  )
}

/** The probes of a tier; those that it asks at length stand for shorter ones. */
function probesOf(tier: Tier): readonly Probe[] {
  return allProbes.filter(({ until }) => until === undefined || reaches(until, tier))
}

/** Why a probe does not run. */
type Omission = Omit<LeftOutProbe, 'id'>
type Omissions = Map<Probe, Omission>

/** Whether a probe exercises something that `only` asks for. */
function wantedBy(only: string | undefined): (probe: Probe) => boolean {
  const wanted = new Set(
    allProbes.filter(
      (probe) => only === undefined || coverageOf(probe).some(({ requirement }) => matchesSelection(only, requirement)),
    ),
  )
  return (probe) => wanted.has(probe)
}

/** The probes that cannot or must not run, those of lighter tiers first, since their reasons are more specific. */
function omissionsOf(
  profile: TargetProfile,
  tier: Tier,
  isWanted: (probe: Probe) => boolean,
  only: string | undefined,
): Omissions {
  const probes = probesOf(tier)
  const needed = new Set(probes.filter(isWanted).flatMap((probe) => [probe, ...dependenciesOf(probe, probes)]))
  const lightFirst = [...probes].sort((left, right) => tiers.indexOf(left.from) - tiers.indexOf(right.from))
  const omissions: Omissions = new Map()
  for (const probe of lightFirst) {
    const lack = missingPrerequisite(probe, profile)
    if (!needed.has(probe))
      omissions.set(probe, { reason: 'not-selected', text: `It exercises nothing that matches ${only}.` })
    else if (lack !== null) omissions.set(probe, lack)
    else if (!reaches(tier, probe.from))
      omissions.set(probe, { reason: 'budget', text: `It runs only in tier ${probe.from} and above.` })
  }
  return omissions
}

/** One part of the probes; the final probe reads what its own part wrote, so it runs in every part. */
function shardOf(probes: readonly Probe[], shard: PlanOptions['shard']): readonly Probe[] {
  if (shard === undefined) return probes
  const isInEveryPart = ({ last, findsAssistant }: Probe): boolean => last === true || findsAssistant === true
  const own = probes.filter((probe, index) => isInEveryPart(probe) || index % shard.of === shard.index - 1)
  const needed = new Set(own.flatMap((probe) => [probe, ...dependenciesOf(probe, probes)]))
  return probes.filter((probe) => needed.has(probe))
}

function overCaps({ maxExchanges, maxModelCalls }: Caps): Omission {
  const text = `It does not fit into ${maxExchanges ?? 'any number of'} exchanges and ${maxModelCalls ?? 'any number of'} model calls.`
  return { reason: 'budget', text }
}

/** Owed obligations without a planned witness, each with why the probe that could have given one was left out. */
function unexercisedOf(
  owed: readonly Obligation[],
  playing: readonly Probe[],
  omissions: Omissions,
): readonly UnexercisedObligation[] {
  const met = new Set(playing.flatMap((probe) => coverageOf(probe).map(obligationKey)))
  const missed = new Map<string, readonly [Probe, Omission]>()
  for (const [probe, omission] of omissions) {
    for (const key of coverageOf(probe).map(obligationKey)) {
      if (isTelling(omission, missed.get(key)?.[1])) missed.set(key, [probe, omission])
    }
  }
  return owed
    .filter((obligation) => !met.has(obligationKey(obligation)))
    .map((obligation) => {
      const [probe, { reason, text }] = missed.get(obligationKey(obligation)) ?? [null, nobody]
      return { ...obligation, probe: probe?.id ?? 'none', reason, text, isRequired: isMust(obligation) }
    })
}

/** The first reason counts, except a lack of budget: in that case the profile offers everything needed. */
function isTelling({ reason }: Omission, known: Omission | undefined): boolean {
  return known === undefined || (known.reason === 'no-fixture' && reason === 'budget')
}

const nobody: Omission = { reason: 'no-fixture', text: 'No probe exercises it.' }
