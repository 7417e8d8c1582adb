/** The figures of the proof: counts, the cost of a kill, and all problems, a line each. */
import { unprovenObligations } from './obligation-results.ts'
import type { DeviationResult, Proof, ProofCard, VariantResult } from './proof.ts'
import { silentVariantsNeeded } from './proof.ts'

interface ProofFigures {
  readonly deviations: Readonly<Record<DeviationResult['status'], number>>
  readonly variants: Readonly<Record<VariantResult['status'], number>> & {
    /** Alarms that fail a run without --strict, and with it. */
    readonly failing: number
    readonly failingStrict: number
  }
  readonly cards: number
  /** Requirements that can fail a run and lack a kill or silent variants. */
  readonly cardsIncomplete: number
  readonly obligations: number
  /** Obligations that no deviation was killed at alone. */
  readonly obligationsUnproven: number
  readonly requestsToKill: Spread
  readonly modelCallsToKill: Spread
}

export interface Spread {
  readonly median: number
  readonly ninetieth: number
  readonly most: number
}

/** The counts of a proof. */
export const figuresOf = ({ deviations, variants, cards, obligations }: Proof): ProofFigures => {
  const deviationCount = (wanted: DeviationResult['status']): number =>
    deviations.filter(({ status }) => status === wanted).length
  const kills = deviations.flatMap(({ kill }) => (kill === null ? [] : [kill]))
  const variantCount = (wanted: VariantResult['status']): number =>
    variants.filter(({ status }) => status === wanted).length
  return {
    deviations: {
      killed: deviationCount('killed'),
      'killed-by-another': deviationCount('killed-by-another'),
      survived: deviationCount('survived'),
    },
    variants: {
      silent: variantCount('silent'),
      alarmed: variantCount('alarmed'),
      undecided: variantCount('undecided'),
      failing: variants.filter(({ outcome }) => outcome === 'nonconformant').length,
      failingStrict: variants.filter(({ strictOutcome }) => strictOutcome === 'nonconformant').length,
    },
    cards: cards.length,
    cardsIncomplete: cards.filter(isBlockingAndIncomplete).length,
    obligations: obligations.length,
    obligationsUnproven: unprovenObligations(obligations).length,
    requestsToKill: spreadOf(kills.map(({ requests }) => requests)),
    modelCallsToKill: spreadOf(kills.map(({ modelCalls }) => modelCalls)),
  }
}

/** Least share of deviations that the smoke tier kills. */
const smokeShare = 0.8

/** All problems of the suite, or of its proof. */
export const wrongsOf = (proof: Proof): readonly string[] => [
  ...missedDeviations(proof),
  ...proof.deviations.flatMap(({ id, unexplained }) =>
    unexplained.length === 0 ? [] : [`${id} also violates ${unexplained.join(', ')} without declaring it`],
  ),
  ...proof.variants.flatMap(variantWrongs),
  ...(proof.whole && proof.tier === 'gate' ? wrongsOfWhole(proof) : []),
]

/** Problems that only a complete proof can show. */
const wrongsOfWhole = ({ cards, obligations }: Proof): readonly string[] => [
  ...cards.filter(isBlockingAndIncomplete).map(cardWrong),
  ...unprovenObligations(obligations).map((one) => `${one}: no deviation is killed only there`),
]

const missedDeviations = ({ deviations, tier }: Proof): readonly string[] => {
  const missed = deviations.filter(({ status }) => status !== 'killed')
  if (tier === 'smoke') {
    const share = deviations.length === 0 ? 1 : 1 - missed.length / deviations.length
    return share >= smokeShare
      ? []
      : [`smoke kills ${percent(share)} of the deviations, less than ${percent(smokeShare)}`]
  }
  return missed.map(({ id, requirement, status, collateral }) =>
    status === 'survived'
      ? `${id} survived: nothing is violated, but ${requirement} should be`
      : `${id} is killed by ${collateral.map((breach) => breach.requirement).join(', ')}, not by ${requirement}`,
  )
}

const percent = (share: number): string => `${Math.floor(share * 100)} %`

const variantWrongs = ({ id, status, breaches, outcome, reason = '' }: VariantResult): readonly string[] => {
  if (status === 'undecided') return [`${id} is legal, but its run is ${outcome}: ${reason}`]
  return breaches.map(
    ({ requirement, expected, actual }) =>
      `${id} is legal, but violates ${requirement}: expected ${expected}, got ${actual}`,
  )
}

const isBlockingAndIncomplete = ({ blocks, complete }: ProofCard): boolean => blocks !== 'never' && !complete

const cardWrong = ({ requirement, killed, silentVariants, alarmedVariants, cannot }: ProofCard): string => {
  const lacks = [
    ...(killed.length > 0 ? [] : [cannot === undefined ? 'no deviation is killed' : `no deviation: ${cannot}`]),
    ...(silentVariants >= silentVariantsNeeded ? [] : [`${silentVariants} silent variants exercise it`]),
    ...(alarmedVariants.length === 0 ? [] : [`false alarms on ${alarmedVariants.join(', ')}`]),
  ]
  return `${requirement} has no complete proof card: ${lacks.join('; ')}`
}

const spreadOf = (counts: readonly number[]): Spread => {
  const sorted = [...counts].sort((left, right) => left - right)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { median: at(0.5), ninetieth: at(0.9), most: sorted.at(-1) ?? 0 }
}
