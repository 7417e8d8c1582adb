/**
 * The greedy choice behind a plan: first looks where a tier has them, then again and again the probe that teaches most for
 * its share of the budget, together with what it builds on, while the caps allow. Set cover in the large; exact would not pay.
 */

import { type Cost, costOf, type Probe } from '../probes/probe.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import type { Caps, Tier } from './budget-tiers.ts'
import { coverageOf, obligationKey, owedBy } from './coverage.ts'
import { firstLooksAmong } from './first-looks.ts'

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
  const chosen = new Set<Probe>(able.filter((probe) => isWanted(probe) && isReserved(probe, market)))
  let spent = [...chosen].map((probe) => costOf(probe, market.profile, market.tier)).reduce<Cost>(plus, nothing)
  for (const probe of firstLooksAmong(able).filter(isWanted)) {
    const offer = offerOf(probe, chosen, market)
    if (chosen.has(probe) || !within(plus(spent, offer.cost), caps)) continue
    spent = plus(spent, offer.cost)
    for (const one of offer.probes) chosen.add(one)
  }
  for (;;) {
    const offers = able
      .filter((probe) => isWanted(probe) && !chosen.has(probe))
      .map((probe) => offerOf(probe, chosen, market))
      .filter(({ cost }) => within(plus(spent, cost), caps))
    const learned = knowledge(chosen, teaches)
    const best = mostMerit(offers, (offer) => meritOf(offer, teaches, learned, caps))
    if (best === null) return able.filter((probe) => chosen.has(probe))
    spent = plus(spent, best.cost)
    for (const probe of best.probes) chosen.add(probe)
  }
}

/** The last look is set aside before anything is chosen: without it much of what the others write is never read. */
function isReserved(probe: Probe, { profile, tier, caps }: Market): boolean {
  const { exchanges } = costOf(probe, profile, tier)
  return probe.last === true && exchanges <= reservedShare * (caps.maxExchanges ?? Number.POSITIVE_INFINITY)
}

const reservedShare = 0.1

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

/** How much the first look at a claimed level counts, in obligations. */
const levelWorth = 30
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

/** What an offer is good for: owed obligations come before places where rare faults hide, and these before the rest. */
interface Merit {
  readonly rank: 'owed' | 'rare' | 'other'
  readonly forItsPrice: number
}

const ranks = ['other', 'rare', 'owed'] as const

function meritOf({ probes, cost }: Offer, teaches: Lessons, { obligations, levels }: Knowledge, caps: Caps): Merit {
  const fresh = new Set(probes.flatMap((probe) => teaches.get(probe) ?? []).filter((key) => !obligations.has(key)))
  const touched = new Set(probes.flatMap(({ needs }) => needs.claims ?? []).filter((level) => !levels.has(level)))
  const teaching = fresh.size + levelWorth * touched.size
  const rank = teaching > 0 ? 'owed' : probes.some(({ rare }) => rare) ? 'rare' : 'other'
  return { rank, forItsPrice: Math.max(1, teaching) / priceOf(cost, caps) }
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
function mostMerit(offers: readonly Offer[], judge: (offer: Offer) => Merit): Offer | null {
  let best: { readonly offer: Offer; readonly merit: Merit } | null = null
  for (const offer of offers) {
    const merit = judge(offer)
    if (best === null || isBetter(merit, best.merit)) best = { offer, merit }
  }
  return best?.offer ?? null
}

function isBetter(one: Merit, other: Merit): boolean {
  const lead = ranks.indexOf(one.rank) - ranks.indexOf(other.rank)
  return lead === 0 ? one.forItsPrice > other.forItsPrice : lead > 0
}
