/**
 * The greedy choice behind a plan: again and again the probe that teaches most for its share of the budget, together with
 * what it builds on, while the caps allow. Set cover in the large; exact would not pay.
 */
import type { Caps, Tier } from './budget-tiers.ts'
import { coverageOf, obligationKey, owedBy } from './coverage.ts'
import { type Cost, costOf, type Probe } from './probes/probe.ts'
import type { TargetProfile } from './profile/target-profile.ts'

export interface Market {
  readonly profile: TargetProfile
  readonly tier: Tier
  readonly caps: Caps
  /** Probes that may play. */
  readonly able: readonly Probe[]
  /** Whether a probe is wanted for itself; others are taken only for one that builds on them. */
  readonly isWanted: (probe: Probe) => boolean
}

/** The probes to play, in the order of `able`. */
export function chooseProbes(market: Market): readonly Probe[] {
  const { able, caps, isWanted } = market
  const teaches = lessons(market)
  const chosen = new Set<Probe>()
  let spent = nothing
  for (;;) {
    const offers = able
      .filter((probe) => isWanted(probe) && !chosen.has(probe))
      .map((probe) => offerOf(probe, chosen, market))
      .filter(({ cost }) => within(plus(spent, cost), caps))
    const learned = knowledge(chosen, teaches)
    const best = mostMerit(offers, (offer) => teachingOf(offer, teaches, learned) / priceOf(offer.cost, caps))
    if (best === null) return able.filter((probe) => chosen.has(probe))
    spent = plus(spent, best.cost)
    for (const probe of best.probes) chosen.add(probe)
  }
}

/** A probe's own and inherited foundations: what it builds on, and what these build on, in their order. */
export function foundationsOf(probe: Probe, all: readonly Probe[]): readonly Probe[] {
  const needed = new Set(probe.after)
  for (const earlier of [...all].reverse()) {
    if (needed.has(earlier.id)) for (const id of earlier.after ?? []) needed.add(id)
  }
  return all.filter(({ id }) => needed.has(id))
}

/** The sum of two costs. */
export function plus(left: Cost, right: Cost): Cost {
  return { exchanges: left.exchanges + right.exchanges, modelCalls: left.modelCalls + right.modelCalls }
}

export const nothing: Cost = { exchanges: 0, modelCalls: 0 }

/** What counts: the first look at a claimed level, an obligation, a place where rare faults hide. */
const worth = { level: 3000, obligation: 100, rarity: 20, atAll: 0.01 } as const
/** Without a cap, so many count as the whole of a budget when probes are compared. */
const usual: Cost = { exchanges: 400, modelCalls: 20 }

interface Offer {
  readonly probes: readonly Probe[]
  readonly cost: Cost
}

type Lessons = ReadonlyMap<Probe, readonly string[]>

interface Knowledge {
  readonly obligations: ReadonlySet<string>
  readonly levels: ReadonlySet<string>
}

/** The owed obligations that each probe gives a witness for. */
function lessons({ able, profile }: Market): Lessons {
  const owed = new Set(owedBy(profile).map(obligationKey))
  return new Map(
    able.map((probe) => [
      probe,
      coverageOf(probe)
        .map(obligationKey)
        .filter((key) => owed.has(key)),
    ]),
  )
}

function knowledge(chosen: ReadonlySet<Probe>, teaches: Lessons): Knowledge {
  const probes = [...chosen]
  return {
    obligations: new Set(probes.flatMap((probe) => teaches.get(probe) ?? [])),
    levels: new Set(probes.flatMap(({ needs }) => needs.claims ?? [])),
  }
}

/** A probe together with those that it builds on and that are not chosen yet. */
function offerOf(probe: Probe, chosen: ReadonlySet<Probe>, { able, profile, tier }: Market): Offer {
  const probes = [...foundationsOf(probe, able).filter((one) => !chosen.has(one)), probe]
  return { probes, cost: probes.map((one) => costOf(one, profile, tier)).reduce(plus, nothing) }
}

function teachingOf({ probes }: Offer, teaches: Lessons, { obligations, levels }: Knowledge): number {
  const fresh = new Set(probes.flatMap((probe) => teaches.get(probe) ?? []).filter((key) => !obligations.has(key)))
  const touched = new Set(probes.flatMap(({ needs }) => needs.claims ?? []).filter((level) => !levels.has(level)))
  const rarity = probes.some((probe) => probe.rare) ? worth.rarity : 0
  return fresh.size * worth.obligation + touched.size * worth.level + rarity + worth.atAll
}

/** The share of the budget that a cost takes. */
function priceOf(cost: Cost, { maxExchanges, maxModelCalls }: Caps): number {
  const exchanges = (1 + cost.exchanges) / (maxExchanges ?? usual.exchanges)
  return cost.modelCalls === 0 ? exchanges : exchanges + cost.modelCalls / (maxModelCalls ?? usual.modelCalls)
}

function within(cost: Cost, caps: Caps): boolean {
  return (
    cost.exchanges <= (caps.maxExchanges ?? Number.POSITIVE_INFINITY) &&
    cost.modelCalls <= (caps.maxModelCalls ?? Number.POSITIVE_INFINITY)
  )
}

/** The first of the best. */
function mostMerit(offers: readonly Offer[], meritOf: (offer: Offer) => number): Offer | null {
  let best: { readonly offer: Offer; readonly merit: number } | null = null
  for (const offer of offers) {
    const merit = meritOf(offer)
    if (best === null || merit > best.merit) best = { offer, merit }
  }
  return best?.offer ?? null
}
