/**
 * Selects the probes of a plan greedily, by what they cover for their cost. First looks come first where a tier has
 * them. Each probe is taken with those it builds on, while the caps allow. This is weighted set cover, where an exact
 * solution would not pay.
 */
import { obligationKey } from '../../spec/index.ts'
import { type Cost, costOf, type Probe } from '../probes/probe.ts'
import type { Caps, Tier } from '../profile/budget-tiers.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import { coverageOf, owedBy } from './coverage.ts'
import { smokeOrderOf } from './smoke-order.ts'

export interface SelectionInput {
  readonly profile: TargetProfile
  readonly tier: Tier
  readonly caps: Caps
  /** Probes that may play. */
  readonly able: readonly Probe[]
  /** Whether a probe is wanted for itself; others are taken only for one that builds on them. */
  readonly isWanted: (probe: Probe) => boolean
}

/** The probes to play, in the order of `able`. */
export function selectProbes(input: SelectionInput): readonly Probe[] {
  const { able, caps, isWanted } = input
  const coverage = coverageMap(input)
  const dependencies = new Map(able.map((probe) => [probe, dependenciesOf(probe, able)]))
  const chosen = new Set<Probe>(able.filter((probe) => isWanted(probe) && isReserved(probe, input)))
  let spent = [...chosen].map((probe) => costOf(probe, input.profile, input.tier)).reduce<Cost>(addCost, zeroCost)
  for (const probe of smokeOrderOf(able).filter(isWanted)) {
    const bundle = bundleOf(probe, dependencies, chosen, input)
    if (chosen.has(probe) || !within(addCost(spent, bundle.cost), caps)) continue
    spent = addCost(spent, bundle.cost)
    for (const one of bundle.probes) chosen.add(one)
  }
  for (;;) {
    const bundles = able
      .filter((probe) => isWanted(probe) && !chosen.has(probe) && probe.standby !== true)
      .map((probe) => bundleOf(probe, dependencies, chosen, input))
      .filter(({ cost }) => within(addCost(spent, cost), caps))
    const alreadyCovered = covered(chosen, coverage)
    const best = highestScore(bundles, (bundle) => scoreOf(bundle, coverage, alreadyCovered, caps))
    if (best === null) return able.filter((probe) => chosen.has(probe))
    spent = addCost(spent, best.cost)
    for (const probe of best.probes) chosen.add(probe)
  }
}

/** The last look is reserved before anything is selected: without it much of what the others write is never read. */
function isReserved(probe: Probe, { profile, tier, caps }: SelectionInput): boolean {
  const { exchanges } = costOf(probe, profile, tier)
  return probe.last === true && exchanges <= reservedShare * (caps.maxExchanges ?? Number.POSITIVE_INFINITY)
}

const reservedShare = 0.1

/** A probe's own and inherited foundations: what it builds on, and what these build on, in their order. */
export function dependenciesOf(probe: Probe, all: readonly Probe[]): readonly Probe[] {
  const needed = new Set(probe.after)
  for (const earlier of [...all].reverse()) {
    if (needed.has(earlier.id)) for (const id of earlier.after ?? []) needed.add(id)
  }
  return all.filter(({ id }) => needed.has(id))
}

/** The sum of two costs. */
export function addCost(left: Cost, right: Cost): Cost {
  return { exchanges: left.exchanges + right.exchanges, modelCalls: left.modelCalls + right.modelCalls }
}

export const zeroCost: Cost = { exchanges: 0, modelCalls: 0 }

/** The weight of the first look at a claimed level, in obligations. */
const levelWeight = 30
/** The assumed budget without a cap, for comparing probes. */
const usual: Cost = { exchanges: 400, modelCalls: 20 }

interface Bundle {
  readonly probes: readonly Probe[]
  readonly cost: Cost
}

type CoverageMap = ReadonlyMap<Probe, readonly string[]>

interface Covered {
  readonly obligations: ReadonlySet<string>
  readonly levels: ReadonlySet<string>
}

/** The owed obligations that each probe gives a witness for. */
function coverageMap({ able, profile }: SelectionInput): CoverageMap {
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

function covered(chosen: ReadonlySet<Probe>, coverage: CoverageMap): Covered {
  const probes = [...chosen]
  return {
    obligations: new Set(probes.flatMap((probe) => coverage.get(probe) ?? [])),
    levels: new Set(probes.flatMap(({ needs }) => needs.claims ?? [])),
  }
}

/** A probe together with those that it builds on and that are not chosen yet. */
function bundleOf(
  probe: Probe,
  dependencies: ReadonlyMap<Probe, readonly Probe[]>,
  chosen: ReadonlySet<Probe>,
  { profile, tier }: SelectionInput,
): Bundle {
  const probes = [...(dependencies.get(probe) ?? []).filter((one) => !chosen.has(one)), probe]
  return { probes, cost: probes.map((one) => costOf(one, profile, tier)).reduce(addCost, zeroCost) }
}

/** The value of an offer: owed obligations come before places where rare faults hide, and these before the rest. */
interface Score {
  readonly rank: 'owed' | 'rare' | 'other'
  readonly perCost: number
}

const ranks = ['other', 'rare', 'owed'] as const

function scoreOf({ probes, cost }: Bundle, coverage: CoverageMap, { obligations, levels }: Covered, caps: Caps): Score {
  const fresh = new Set(probes.flatMap((probe) => coverage.get(probe) ?? []).filter((key) => !obligations.has(key)))
  const touched = new Set(probes.flatMap(({ needs }) => needs.claims ?? []).filter((level) => !levels.has(level)))
  const teaching = fresh.size + levelWeight * touched.size
  const rank = teaching > 0 ? 'owed' : probes.some(({ rare }) => rare) ? 'rare' : 'other'
  // Model calls beyond the owed obligations have no other use: then an answer counts for a probe, not against it.
  if (rank !== 'owed') return { rank, perCost: (1 + cost.modelCalls) / exchangeShare(cost, caps) }
  return { rank, perCost: teaching / budgetShare(cost, caps) }
}

/** The share of the budget that a cost takes. */
function budgetShare(cost: Cost, caps: Caps): number {
  return exchangeShare(cost, caps) + cost.modelCalls / (caps.maxModelCalls ?? usual.modelCalls)
}

function exchangeShare(cost: Cost, { maxExchanges }: Caps): number {
  return (1 + cost.exchanges) / (maxExchanges ?? usual.exchanges)
}

function within(cost: Cost, caps: Caps): boolean {
  return (
    cost.exchanges <= (caps.maxExchanges ?? Number.POSITIVE_INFINITY) &&
    cost.modelCalls <= (caps.maxModelCalls ?? Number.POSITIVE_INFINITY)
  )
}

/** The first of the best. */
function highestScore(bundles: readonly Bundle[], judge: (bundle: Bundle) => Score): Bundle | null {
  let best: { readonly bundle: Bundle; readonly score: Score } | null = null
  for (const bundle of bundles) {
    const score = judge(bundle)
    if (best === null || isBetter(score, best.score)) best = { bundle, score }
  }
  return best?.bundle ?? null
}

function isBetter(one: Score, other: Score): boolean {
  const lead = ranks.indexOf(one.rank) - ranks.indexOf(other.rank)
  return lead === 0 ? one.perCost > other.perCost : lead > 0
}
