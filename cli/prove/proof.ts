/**
 * Turns trials into the proof: the result of each deviation and variant, and a card per requirement. It is pure; only this
 * file decides which results are right or wrong.
 */
import { isBlockingRule } from '../../conformance/index.ts'
import type { Deviation, Variant } from '../../mock-server/index.ts'
import { isTestable, type Requirement, requirementOf, requirements } from '../../spec/index.ts'
import type { Selected } from './mutant.ts'
import type { ObligationResult } from './obligation-results.ts'
import type { Breach, Trial, TrialOptions } from './trial.ts'

/** `killed` only when the requirement that the deviation violates is the one that the suite found violated. */
type DeviationStatus = 'killed' | 'killed-by-another' | 'survived'
/** `alarmed`: something was called violated; `undecided`: nothing was, and yet the run did not end conformant. */
type VariantStatus = 'silent' | 'alarmed' | 'undecided'

export interface DeviationResult {
  readonly id: string
  readonly requirement: string
  readonly description: string
  readonly trigger?: string
  readonly status: DeviationStatus
  /** The kill by the requirement itself. */
  readonly kill: Breach | null
  /** Other requirements that were found violated. */
  readonly collateral: readonly Breach[]
  /** Those of them that the deviation does not declare. */
  readonly unexplained: readonly string[]
}

export interface VariantResult {
  readonly id: string
  readonly description: string
  readonly status: VariantStatus
  readonly outcome: Trial['outcome']
  readonly strictOutcome: Trial['outcome']
  readonly reason?: string
  /** Advice that it departs from, as it says; it fails no run. */
  readonly departures?: readonly string[]
  readonly breaches: readonly Breach[]
}

/** The evidence that the oracle of one requirement is right. */
export interface ProofCard {
  readonly requirement: string
  /** A violation of it fails a run; `strict` only a strict one. */
  readonly blocks: 'always' | 'strict' | 'never'
  readonly killed: readonly string[]
  readonly missed: readonly string[]
  /** Variants whose run exercised it and found nothing. */
  readonly silentVariants: number
  readonly alarmedVariants: readonly string[]
  /** Why no deviation of the mock violates it. */
  readonly cannot?: string
  readonly complete: boolean
}

export interface Proof extends TrialOptions {
  readonly format: 'acs-proof/2'
  readonly suiteVersion: string
  readonly contractDigest: string
  readonly startedAt: string
  readonly durationMs: number
  /** Whether every deviation and every variant was tried. */
  readonly whole: boolean
  readonly deviations: readonly DeviationResult[]
  readonly variants: readonly VariantResult[]
  readonly cards: readonly ProofCard[]
  readonly obligations: readonly ObligationResult[]
}

/** The number of silent variants that a card needs; fewer cover too little legal behaviour. */
export const silentVariantsNeeded = 3

export interface Evidence extends Omit<Selected, 'narrowed'> {
  readonly trials: readonly Trial[]
  readonly withoutDeviation: ReadonlyMap<string, string>
}

/** The results and the cards that follow from the trials. */
export const prove = (evidence: Evidence, tier: Proof['tier']): Pick<Proof, 'deviations' | 'variants' | 'cards'> => {
  const trialOf = new Map(evidence.trials.map((trial) => [`${trial.kind} ${trial.id}`, trial]))
  const deviations = evidence.deviations.flatMap((deviation) => {
    const trial = trialOf.get(`deviation ${deviation.id}`)
    return trial === undefined ? [] : [deviationResult(deviation, trial)]
  })
  const tried = evidence.variants.flatMap((variant) => {
    const trial = trialOf.get(`variant ${variant.id}`)
    return trial === undefined ? [] : [{ trial, result: variantResult(variant, trial, tier) }]
  })
  const rows: readonly Requirement[] = requirements
  const cards = rows.filter(isTestable).map((row) => cardOf(row, deviations, tried, evidence.withoutDeviation))
  return { deviations, variants: tried.map(({ result }) => result), cards }
}

const deviationResult = (deviation: Deviation, { breaches }: Trial): DeviationResult => {
  const { id, requirement, description, trigger, alsoViolates = [] } = deviation
  const kill = breaches.find((breach) => breach.requirement === requirement) ?? null
  const collateral = breaches.filter((breach) => breach !== kill)
  const declared = new Set<string>(alsoViolates)
  return {
    id,
    requirement,
    description,
    ...(trigger === undefined ? {} : { trigger }),
    status: kill !== null ? 'killed' : collateral.length > 0 ? 'killed-by-another' : 'survived',
    kill,
    collateral,
    unexplained: collateral.flatMap((breach) => (declared.has(breach.requirement) ? [] : [breach.requirement])),
  }
}

const variantResult = (
  { description, departsFrom = [] }: Variant,
  trial: Trial,
  tier: Proof['tier'],
): VariantResult => {
  const { id, outcome, strictOutcome, reason } = trial
  const isDeparture = ({ requirement }: Breach): boolean =>
    departsFrom.some((one) => one === requirement && isAdvice(one))
  const departures = trial.breaches.filter(isDeparture).map(({ requirement }) => requirement)
  const breaches = trial.breaches.filter((breach) => !isDeparture(breach))
  // A smoke run owes more than it can afford, on any server.
  const isDecided = tier === 'smoke' ? outcome !== 'invalid' : [outcome, strictOutcome].every(isConformant)
  const status = breaches.length > 0 ? 'alarmed' : isDecided ? 'silent' : 'undecided'
  return {
    id,
    description,
    status,
    outcome,
    strictOutcome,
    ...(reason === undefined ? {} : { reason }),
    ...(departures.length === 0 ? {} : { departures }),
    breaches,
  }
}

/** Whether a rule fails no run, not even a strict one. */
const isAdvice = (id: string): boolean => {
  const row = requirementOf(id)
  return row !== undefined && !isBlockingRule(row, true)
}

const isConformant = (outcome: Trial['outcome']): boolean => outcome === 'conformant'

const cardOf = (
  row: Requirement,
  deviations: readonly DeviationResult[],
  tried: readonly { readonly trial: Trial; readonly result: VariantResult }[],
  withoutDeviation: Evidence['withoutDeviation'],
): ProofCard => {
  const own = deviations.filter(({ requirement }) => requirement === row.id)
  const killed = own.filter(({ status }) => status === 'killed').map(({ id }) => id)
  const silent = tried.filter(({ trial }) => trial.upheld.includes(row.id))
  const alarmed = tried.filter(({ result }) => result.breaches.some(({ requirement }) => requirement === row.id))
  const cannot = withoutDeviation.get(row.id)
  return {
    requirement: row.id,
    blocks: isBlockingRule(row, false) ? 'always' : isBlockingRule(row, true) ? 'strict' : 'never',
    killed,
    missed: own.filter(({ status }) => status !== 'killed').map(({ id }) => id),
    silentVariants: silent.length,
    alarmedVariants: alarmed.map(({ result }) => result.id),
    ...(cannot === undefined ? {} : { cannot }),
    complete: killed.length > 0 && silent.length >= silentVariantsNeeded && alarmed.length === 0,
  }
}
