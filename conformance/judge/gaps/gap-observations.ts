/**
 * Builds the gap report: what the target does where the contract is silent. It also says whether the target is
 * consistent, whether it does what its vendor declared, and which sentence the contract could adopt.
 */
import { type Gap, type GapId, gapOf, gaps } from '../../../spec/index.ts'
import type { TraceAnalysis } from '../trace-analysis.ts'
import type { Observation, Verdict } from '../verdict.ts'
import type { GapObservation } from './gap-observer.ts'
import { gapObservers } from './gap-observers.ts'
import { proposalFor } from './proposal.ts'

/** Everything that the trace tells about the gaps, in the order of their rows. */
export function observationsOf(analysis: TraceAnalysis): readonly Observation[] {
  return (gaps as readonly Gap[]).flatMap((gap) => {
    const observer = gapObservers[gap.id as GapId]
    const sighted = typeof observer === 'string' ? null : sightedBy(observer(analysis))
    return sighted === null ? [] : [observationFrom(gap, sighted, analysis)]
  })
}

/** What all sightings of one gap come to: small, whatever the length of the trace. */
interface Sighted {
  /** Values by group. */
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>
  /** The exchange that showed each value first. */
  readonly first: ReadonlyMap<string, string>
}

function sightedBy(sightings: Iterable<GapObservation>): Sighted | null {
  const groups = new Map<string, Set<string>>()
  const first = new Map<string, string>()
  for (const { value, exchange, group = '' } of sightings) {
    const values = groups.get(group)
    if (values === undefined) groups.set(group, new Set([value]))
    else values.add(value)
    if (!first.has(value)) first.set(value, exchange)
  }
  return first.size === 0 ? null : { groups, first }
}

function observationFrom(gap: Gap, { groups, first }: Sighted, { profile }: TraceAnalysis): Observation {
  const values = [...first.keys()].sort()
  const consistent = [...groups.values()].every(({ size }) => size === 1)
  const declared = profile.declares.get(gap.id)
  const value = values.join('; ')
  return {
    gap: gap.id,
    value,
    consistent,
    // One of each value, and more of them when they disagree.
    exchanges: [...new Set(first.values())].slice(0, consistent ? 5 : 10),
    ...(declared === undefined ? {} : { declared: { value: declared, met: isMet(declared, values) } }),
    ...(consistent ? { proposal: proposalFor(gap, value) } : {}),
  }
}

const plain = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ')

/** Every value that was seen must be one that is declared; an answer of several parts is declared part by part. */
function isMet(declared: string, values: readonly string[]): boolean {
  const parts = new Set(declared.split(';').map(plain))
  return values.every((value) => parts.has(plain(value)) || plain(value) === plain(declared) || !isAbout(parts, value))
}

/** A part `<status> <name>` says nothing about another name. */
function isAbout(parts: ReadonlySet<string>, value: string): boolean {
  const name = /^\d{3} (\S+)$/.exec(plain(value))?.[1]
  if (name === undefined || ![...parts].every((part) => /^\d{3} \S+/.test(part))) return true
  return [...parts].some((part) => part.split(/[\s,]+/).includes(name))
}

/** A declared answer is an obligation of this target: met, or violated. */
export function declaredVerdicts(observations: readonly Observation[]): readonly Verdict[] {
  return observations.flatMap(({ gap, value, declared, exchanges }): readonly Verdict[] => {
    if (declared === undefined) return []
    const operation = gapOf(gap)?.operations[0] ?? 'listAssistants'
    const base = {
      requirement: `gap.${gap}`,
      operation,
      facet: null,
      level: 'must',
      basis: 'stated',
      owed: false,
      blocking: !declared.met,
      exchanges,
    } as const
    if (declared.met) return [{ ...base, outcome: 'upheld', witnesses: exchanges.length }]
    const contradiction = `The profile declares ${declared.value} for ${gap}, and the target does ${value}.`
    const steps = exchanges.map((exchange) => ({ exchange, name: 'show the answer', shows: value }))
    return [
      {
        ...base,
        outcome: 'violated',
        witnesses: exchanges.length,
        expected: declared.value,
        actual: value,
        witness: { steps, contradiction, confirmed: null },
      },
    ]
  })
}
