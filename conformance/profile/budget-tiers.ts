/**
 * Defines the budget of a run: the tiers and their caps. The planner plans within them and the meter in the transport
 * enforces them; a real service pays for each accepted completion and run, so the figures are part of the product.
 */
import type { TargetProfile } from './target-profile.ts'

export const tiers = ['smoke', 'gate', 'deep', 'soak'] as const
/** Smoke: a first look; gate: every obligation that the profile makes possible; deep and soak: random on top. */
export type Tier = (typeof tiers)[number]

/** Caps of one run; `null` is no cap. */
export interface Caps {
  readonly maxExchanges: number | null
  readonly maxModelCalls: number | null
  /** The additional budget for repetitions after failures; nothing on top of a cap that the user set. */
  readonly reserve: { readonly exchanges: number; readonly modelCalls: number }
}

/** Posts that fill the thread on which the default page size shows; they cost time but no model call. */
export const longThreadPosts = 101
/** The posts of these that other probes have added before. */
export const longThreadBefore = 11
/** The rest for this thread: it is filled, walked with several page sizes, run, refused once and walked again. */
export const longThreadExchanges = longThreadPosts - longThreadBefore + 16

const caps: Readonly<Record<Tier, Omit<Caps, 'reserve'>>> = {
  smoke: { maxExchanges: 60, maxModelCalls: 5 },
  gate: { maxExchanges: 600, maxModelCalls: 20 },
  deep: { maxExchanges: 3000, maxModelCalls: 120 },
  soak: { maxExchanges: null, maxModelCalls: null },
}

const minuteMs = 60_000
const longestMs: Readonly<Record<Tier, number>> = {
  smoke: 30 * minuteMs,
  gate: 30 * minuteMs,
  deep: 120 * minuteMs,
  soak: 24 * 60 * minuteMs,
}

/** The longest duration of a run: the given one, or the tier's own limit, or twice the time that its rate requires. */
export function totalMsFor(tier: Tier, neededMs: number | null, given: number | undefined): number {
  return given ?? Math.max(longestMs[tier], 2 * (neededMs ?? 0))
}

/** The share of a tier's caps that is added for requests that must be sent again. */
const reservedShare = 0.15
const reservedCallShare = 0.3
const leastReservedCalls = 2

/** A tool round trip needs two more model calls than the five of the plain contract. */
const smokeToolCalls = 2

/** The caps that the user sets instead of a tier's own. */
export interface CapWishes {
  readonly maxExchanges?: number | undefined
  readonly maxModelCalls?: number | undefined
  /** Default: a share of the tier's own caps. */
  readonly reserve?: Caps['reserve'] | undefined
}

/**
 * The caps of one run: what the caller asks for, else the profile's budget, else the tier's own.
 * A smoke run never spends more than its tier because of a profile, which is written for whole runs.
 */
export function capsFor(tier: Tier, profile: TargetProfile, wishes: CapWishes = {}): Caps {
  const toolCalls = tier === 'smoke' && profile.tools !== null && profile.claims.includes('tools') ? smokeToolCalls : 0
  const tierCalls = caps[tier].maxModelCalls
  const isExchangesGiven = (wishes.maxExchanges ?? profile.budget.maxExchanges) !== undefined
  const areCallsGiven = (wishes.maxModelCalls ?? profile.budget.maxModelCalls) !== undefined
  return {
    reserve: wishes.reserve ?? {
      exchanges: isExchangesGiven ? 0 : Math.ceil(reservedShare * (caps[tier].maxExchanges ?? 0)),
      modelCalls:
        areCallsGiven || tierCalls === null
          ? 0
          : Math.max(leastReservedCalls, Math.ceil(reservedCallShare * tierCalls)),
    },
    maxExchanges: wishes.maxExchanges ?? budgeted(tier, caps[tier].maxExchanges, profile.budget.maxExchanges),
    maxModelCalls:
      wishes.maxModelCalls ??
      budgeted(tier, tierCalls === null ? null : tierCalls + toolCalls, profile.budget.maxModelCalls),
  }
}

function budgeted(tier: Tier, own: number | null, budget: number | undefined): number | null {
  if (budget === undefined) return own
  return tier === 'smoke' && own !== null ? Math.min(own, budget) : budget
}

/** Whether `tier` is at least as thorough as `other`. */
export function reaches(tier: Tier, other: Tier): boolean {
  return tiers.indexOf(tier) >= tiers.indexOf(other)
}
