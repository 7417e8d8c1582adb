/**
 * What a run would send, before anything is sent: probes chosen greedily by what they teach for what they cost, the bill,
 * and every owed obligation that stays unexercised, with the reason. The meter holds the caps even where a plan errs.
 */
import type { Chapter, Obligation } from '../spec/index.ts'
import { type Caps, type CapWishes, capsFor, reaches, type Tier } from './budget-tiers.ts'
import { coverageOf, obligationKey, owedBy, selects } from './coverage.ts'
import type { ProbeNote } from './exchange.ts'
import { allProbes } from './probes/all-probes.ts'
import { type Cost, costOf, type Probe } from './probes/probe.ts'
import type { TargetProfile } from './profile/target-profile.ts'
import { lackOf } from './readiness.ts'

export interface PlanOptions extends CapWishes {
  /** Default `gate`. */
  readonly tier?: Tier | undefined
  /** Only probes for requirements that match this glob. */
  readonly only?: string | undefined
  readonly seed?: number | undefined
  /** One part of several, counted from 1. */
  readonly shard?: { readonly index: number; readonly of: number } | undefined
}

export interface PlannedProbe extends Cost {
  readonly id: string
  readonly chapter: Chapter
}

export interface LeftOutProbe {
  readonly id: string
  readonly reason: ProbeNote['reason']
  readonly text: string
  readonly requirements: readonly string[]
}

export interface UnexercisedObligation extends Obligation {
  /** A probe that could have exercised it. */
  readonly probe: string
  readonly reason: ProbeNote['reason']
  readonly text: string
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
  readonly leftOut: readonly LeftOutProbe[]
  readonly owed: number
  readonly unexercised: readonly UnexercisedObligation[]
}

/** Plans a run; pure, and the same for the same profile and options. */
export function planRun(profile: TargetProfile, options: PlanOptions = {}): Plan {
  const tier = options.tier ?? 'gate'
  const caps = capsFor(tier, profile, options)
  const { able, leftOut } = sorted(profile, tier, options)
  const chosen = choose(able, { profile, tier, caps })
  const mine = shardOf(chosen, options.shard)
  const spent = mine.map((probe) => ({ id: probe.id, chapter: probe.chapter, ...costOf(probe, profile, tier) }))
  const cost = spent.reduce(plus, nothing)
  const ratePerMinute = profile.budget.ratePerMinute ?? null
  const out = [
    ...leftOut,
    ...able.filter((probe) => !chosen.includes(probe)).map((probe) => leave(probe, 'budget', overCaps(caps))),
    ...chosen
      .filter((probe) => !mine.includes(probe))
      .map((probe) => leave(probe, 'not-selected', 'It is in another shard.')),
  ]
  const owed = owedBy(profile).filter(({ requirement }) => selects(options.only, requirement))
  return {
    tier,
    seed: options.seed ?? null,
    caps,
    ratePerMinute,
    durationMs: ratePerMinute === null ? null : Math.ceil((cost.exchanges * 60_000) / ratePerMinute),
    ...cost,
    probes: spent,
    leftOut: out,
    owed: owed.length,
    unexercised: unexercisedOf(owed, mine, out),
  }
}

const nothing: Cost = { exchanges: 0, modelCalls: 0 }
/** Without a cap, so many exchanges and model calls count as the whole of a budget when probes are compared. */
const usualExchanges = 400
const usualModelCalls = 20
/** What counts when probes are compared: the first look at a claimed level, an obligation, a place where rare faults hide. */
const worth = { level: 3000, obligation: 100, rarity: 20, atAll: 0.01 } as const

function plus(left: Cost, right: Cost): Cost {
  return { exchanges: left.exchanges + right.exchanges, modelCalls: left.modelCalls + right.modelCalls }
}

/** The probes that could play, and the others with what they lack. */
function sorted(
  profile: TargetProfile,
  tier: Tier,
  { only }: PlanOptions,
): { able: readonly Probe[]; leftOut: readonly LeftOutProbe[] } {
  const able: Probe[] = []
  const leftOut: LeftOutProbe[] = []
  const wanted = wantedIds(only)
  for (const probe of allProbes) {
    const lack = lackOf(probe, profile)
    if (!wanted.has(probe.id)) leftOut.push(leave(probe, 'not-selected', `It exercises nothing that matches ${only}.`))
    else if (!reaches(tier, probe.from)) leftOut.push(leave(probe, 'budget', `It plays from tier ${probe.from} on.`))
    else if (lack !== null) leftOut.push(leave(probe, lack.reason, lack.text))
    else able.push(probe)
  }
  return { able, leftOut }
}

/** Probes that `only` asks for, and those that they build on. */
function wantedIds(only: string | undefined): ReadonlySet<string> {
  const wanted = new Set<string>()
  const want = (probe: Probe): void => {
    wanted.add(probe.id)
    for (const earlier of allProbes) if (probe.after?.includes(earlier.id) && !wanted.has(earlier.id)) want(earlier)
  }
  for (const probe of allProbes) {
    if (only === undefined || coverageOf(probe).some(({ requirement }) => selects(only, requirement))) want(probe)
  }
  return wanted
}

interface Market {
  readonly profile: TargetProfile
  readonly tier: Tier
  readonly caps: Caps
}

/** Greedy: again and again the probe that teaches most for its price, with what it builds on, while the caps allow. */
function choose(able: readonly Probe[], market: Market): readonly Probe[] {
  const owed = new Set(owedBy(market.profile).map(obligationKey))
  const teaches = new Map(
    able.map((probe) => [
      probe,
      coverageOf(probe)
        .map(obligationKey)
        .filter((key) => owed.has(key)),
    ]),
  )
  const known = new Set<string>()
  const chosen = new Set<Probe>()
  let spent = nothing
  for (;;) {
    const best = able
      .filter((probe) => !chosen.has(probe))
      .map((probe) => bundle(probe, able, chosen, market))
      .filter(({ cost }) => within(plus(spent, cost), market.caps))
      .map((offer) => ({ ...offer, merit: teachingOf(offer, teaches, chosen, known) / priceOf(offer, market.caps) }))
      .reduce<(Offer & { merit: number }) | null>(
        (top, offer) => (top === null || offer.merit > top.merit ? offer : top),
        null,
      )
    if (best === null) return able.filter((probe) => chosen.has(probe))
    spent = plus(spent, best.cost)
    for (const probe of best.probes) {
      chosen.add(probe)
      for (const key of teaches.get(probe) ?? []) known.add(key)
    }
  }
}

interface Offer {
  readonly probes: readonly Probe[]
  readonly cost: Cost
}

/** A probe together with those that it builds on and that are not chosen yet. */
function bundle(probe: Probe, able: readonly Probe[], chosen: ReadonlySet<Probe>, { profile, tier }: Market): Offer {
  const earlier = able.filter((one) => probe.after?.includes(one.id) && !chosen.has(one))
  const probes = [...earlier, probe]
  return { probes, cost: probes.map((one) => costOf(one, profile, tier)).reduce(plus, nothing) }
}

function teachingOf(
  { probes }: Offer,
  teaches: ReadonlyMap<Probe, readonly string[]>,
  chosen: ReadonlySet<Probe>,
  known: ReadonlySet<string>,
): number {
  const fresh = new Set(probes.flatMap((probe) => teaches.get(probe) ?? []).filter((key) => !known.has(key)))
  const touched = new Set([...chosen].flatMap(({ needs }) => needs.claims ?? []))
  const levels = new Set(probes.flatMap(({ needs }) => needs.claims ?? []).filter((level) => !touched.has(level)))
  const rarity = probes.some((probe) => probe.rare) ? worth.rarity : 0
  return fresh.size * worth.obligation + levels.size * worth.level + rarity + worth.atAll
}

/** The share of the budget that an offer takes. */
function priceOf({ cost }: Offer, { maxExchanges, maxModelCalls }: Caps): number {
  return (1 + cost.exchanges) / (maxExchanges ?? usualExchanges) + cost.modelCalls / (maxModelCalls ?? usualModelCalls)
}

function within(cost: Cost, caps: Caps): boolean {
  return (
    cost.exchanges <= (caps.maxExchanges ?? Number.POSITIVE_INFINITY) &&
    cost.modelCalls <= (caps.maxModelCalls ?? Number.POSITIVE_INFINITY)
  )
}

function shardOf(probes: readonly Probe[], shard: PlanOptions['shard']): readonly Probe[] {
  if (shard === undefined) return probes
  const own = probes.filter((_, index) => index % shard.of === shard.index - 1)
  const builtOn = new Set(own.flatMap((probe) => probe.after ?? []))
  return probes.filter((probe) => own.includes(probe) || builtOn.has(probe.id))
}

function leave(probe: Probe, reason: ProbeNote['reason'], text: string): LeftOutProbe {
  const requirements = [...new Set(coverageOf(probe).map(({ requirement }) => requirement))]
  return { id: probe.id, reason, text, requirements }
}

function overCaps({ maxExchanges, maxModelCalls }: Caps): string {
  return `It does not fit into ${maxExchanges ?? 'any number of'} exchanges and ${maxModelCalls ?? 'any number of'} model calls.`
}

/** Owed obligations without a planned witness, each with the reason of a probe that could have given one. */
function unexercisedOf(
  owed: readonly Obligation[],
  playing: readonly Probe[],
  leftOut: readonly LeftOutProbe[],
): readonly UnexercisedObligation[] {
  const met = new Set(playing.flatMap((probe) => coverageOf(probe).map(obligationKey)))
  return owed
    .filter((obligation) => !met.has(obligationKey(obligation)))
    .map((obligation) => {
      const one = leftOut.find(({ requirements }) => requirements.includes(obligation.requirement))
      const { id = 'none', reason = 'no-fixture', text = 'No probe exercises it.' } = one ?? {}
      return { ...obligation, probe: id, reason, text }
    })
}
