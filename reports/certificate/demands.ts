/**
 * Checks a verifier's demands on a certificate, in addition to its authenticity. Every answer comes from the report of
 * judging the evidence again; a demand that cannot be checked is not met.
 */

import type { Outcome, Verdict } from '../../conformance/index.ts'
import { countText } from '../../spec/index.ts'
import type { Report } from '../report.ts'
import { clockDifference, oldestClock, type RecordingTimes } from './recording-times.ts'
import type { CertificateClaims } from './statement.ts'

export interface Demands {
  /** `any`: only that the certificate is genuine. */
  readonly outcome: 'conformant' | 'any'
  /** Every must was judged, not only the stated ones. */
  readonly strict?: boolean
  /** The least thorough tier that suffices. */
  readonly tier?: Tier
  /** Conformance levels that the run has to grant. */
  readonly levels?: readonly string[]
  /** Ids of requirements, or `chapter.*`: each upheld at least once and nowhere violated or left open. */
  readonly requirements?: readonly string[]
  /** Gap → answers that are accepted; the target has to show one of them everywhere. */
  readonly gapAnswers?: Readonly<Record<string, readonly string[]>>
  /** By the oldest clock in the certificate. */
  readonly maxAgeDays?: number
  /** Between the clock of the recording and those of the target. */
  readonly maxClockDifferenceMinutes?: number
  /** Whether the certificate has to answer the verifier's nonce. */
  readonly nonce?: boolean
  readonly target?: string
  readonly product?: { readonly name: string; readonly version?: string }
  /** Ids of the accepted signing keys. */
  readonly trustedKeyIds?: readonly string[]
  /** Revoked keys and certificates, which never count. */
  readonly revoked?: readonly { readonly keyId?: string; readonly certificate?: string }[]
}

/** The default demands of `verify`. */
export const conformantOnly: Demands = { outcome: 'conformant' }

export const tiers = ['smoke', 'gate', 'deep', 'soak'] as const
export type Tier = (typeof tiers)[number]

interface Certified {
  readonly claims: CertificateClaims
  readonly keyId: string
  readonly certificateId: string
  readonly report: Report
  readonly times: RecordingTimes
  /** Whether the verifier gave a nonce; that the certificate answers it is then a condition of being genuine. */
  readonly isAsked: boolean
}

/** Every demand that is not met, as a sentence; empty when all are. */
export function unmetDemands(certified: Certified, demands: Demands, now: string): readonly string[] {
  const { run } = certified.report
  const { outcome, strict = false, tier, levels = [], target } = demands
  const lacking = levels.filter((level) => !run.granted.includes(level))
  const demanded: readonly (readonly [met: boolean, sentence: string])[] = [
    [outcome === 'any' || run.outcome === 'conformant', `conformant: the run is ${run.outcome}`],
    [!strict || run.strict, 'strict: implied rules were not judged'],
    [tier === undefined || reaches(run.tier, tier), `tier ${tier}: the run is of tier ${run.tier}`],
    [lacking.length === 0, `levels: not granted: ${lacking.join(', ')}`],
    [target === undefined || run.target === target, `target ${target}: the certificate is of ${run.target}`],
    ...signerDemands(certified, demands),
    ...timeDemands(certified.times, demands, now),
  ]
  return [
    ...demanded.filter(([met]) => !met).map(([, sentence]) => sentence),
    ...(demands.requirements ?? []).flatMap((wanted) => requirementLack(wanted, certified.report)),
    ...Object.entries(demands.gapAnswers ?? {}).flatMap(([gap, answers]) => answerLack(gap, answers, certified.report)),
  ]
}

function reaches(tier: string, least: Tier): boolean {
  return tiers.indexOf(tier as Tier) >= tiers.indexOf(least)
}

type Demanded = readonly (readonly [met: boolean, sentence: string])[]

function signerDemands({ claims, keyId, certificateId, isAsked }: Certified, demands: Demands): Demanded {
  const { nonce, product, trustedKeyIds, revoked = [] } = demands
  const { name, version } = claims.product ?? { name: null, version: null }
  const isProduct =
    product === undefined || (product.name === name && (product.version === undefined || product.version === version))
  const wanted = [product?.name, product?.version].filter((part) => part !== undefined).join(' ')
  return [
    [nonce !== true || (isAsked && claims.nonce !== null), 'nonce: the certificate answers none that you gave'],
    [isProduct, `product ${wanted}: the certificate names ${[name ?? 'none', version ?? ''].join(' ').trim()}`],
    [trustedKeyIds?.includes(keyId) ?? true, `trusted key: the key ${keyId}, which signed, is not one of those`],
    [!revoked.some((one) => one.keyId === keyId), `not revoked: the key ${keyId} is`],
    [!revoked.some((one) => one.certificate === certificateId), `not revoked: the certificate ${certificateId} is`],
  ]
}

const dayMs = 86_400_000
const minuteMs = 60_000

function timeDemands(times: RecordingTimes, demands: Demands, now: string): Demanded {
  const { maxAgeDays, maxClockDifferenceMinutes: mostMinutes } = demands
  const ageDays = (Date.parse(now) - oldestClock(times)) / dayMs
  const difference = clockDifference(times)
  const minutes = difference === null ? null : Math.ceil(difference / minuteMs)
  return [
    // A clock that cannot be read gives NaN, which no comparison accepts.
    [
      maxAgeDays === undefined || ageDays <= maxAgeDays,
      `max-age ${countText(maxAgeDays ?? 0, 'day')}: it is ${countText(Math.ceil(ageDays), 'day')} old`,
    ],
    [
      mostMinutes === undefined || (minutes !== null && minutes <= mostMinutes),
      `clocks within ${mostMinutes} min: ${minutes === null ? 'the target shows none' : `they are ${minutes} min apart`}`,
    ],
  ]
}

const settled: readonly Outcome[] = ['upheld', 'inapplicable']

function requirementLack(wanted: string, { verdicts }: Report): readonly string[] {
  const own = verdicts.filter(({ requirement }) => isMeant(wanted, requirement))
  const open = own.filter(({ outcome }) => !settled.includes(outcome))
  if (open.length > 0) return [`requirement ${wanted}: ${open.slice(0, 3).map(inWords).join(', ')}`]
  return own.some(({ outcome }) => outcome === 'upheld') ? [] : [`requirement ${wanted}: nothing upholds it`]
}

/** Whether an id is the wanted one, or of the wanted chapter. */
export function isMeant(wanted: string, requirement: string): boolean {
  return wanted.endsWith('.*') ? requirement.startsWith(wanted.slice(0, -1)) : requirement === wanted
}

function inWords({ requirement, operation, outcome }: Verdict): string {
  return `${requirement} ${operation} is ${outcome}`
}

function answerLack(gap: string, accepted: readonly string[], { observations }: Report): readonly string[] {
  const own = observations.filter((observation) => observation.gap === gap)
  if (own.length === 0) return [`answer to ${gap}: not observed`]
  const wrong = own.filter(({ value, consistent }) => !consistent || !accepted.includes(value))
  return wrong.map(
    ({ value, consistent }) =>
      `answer to ${gap}: ${value}${consistent ? '' : ' (not everywhere)'}, not ${accepted.join(' or ')}`,
  )
}
