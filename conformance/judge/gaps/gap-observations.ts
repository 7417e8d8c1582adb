/**
 * Builds the gap report: what the target does where the contract is silent. It also says whether the target is
 * consistent, whether it does what its vendor declared, and which sentence the contract could adopt.
 */
import { type Gap, gapOf, gaps } from '../../../spec/index.ts'
import { quoted } from '../read/json.ts'
import type { TraceAnalysis } from '../trace-analysis.ts'
import type { Observation, Verdict } from '../verdict.ts'
import type { GapObservation } from './gap-observer.ts'
import { gapObservers } from './gap-observers.ts'
import { proposalFor } from './proposal.ts'

/** All observations of the gaps in the trace, in the order of their rows. */
export function observationsOf(analysis: TraceAnalysis): readonly Observation[] {
  return gaps.flatMap((gap) => {
    const observer = gapObservers[gap.id]
    const sighted = typeof observer === 'string' ? null : sightedBy(observer(analysis))
    return sighted === null ? [] : [observationFrom(gap, sighted, analysis)]
  })
}

/** The summary of all sightings of one gap; its size does not depend on the length of the trace. */
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
    ...(declared === undefined ? {} : { declared: { value: declared, ...comparison(gap.id, declared, values) } }),
    ...(consistent ? { proposal: proposalFor(gap, value) } : {}),
  }
}

/** The values seen for one name, or for the question as a whole, beside the declared ones. */
interface Answer {
  readonly about: string
  readonly isDeclared: boolean
}

/** Every value that was seen must be declared; partial matches are reported for each name separately. */
function comparison(
  gap: string,
  declared: string,
  values: readonly string[],
): { readonly met: boolean; readonly mixed?: true } {
  const statuses = haveStatuses.has(gap) ? statusesIn(declared) : null
  const answers = statuses === null ? valuesBeside(declared, values) : statusesBeside(statuses, values)
  const others = new Set(answers.filter(({ isDeclared }) => !isDeclared).map(({ about }) => about))
  if (others.size === 0) return { met: true }
  const isMixed = answers.some(({ about, isDeclared }) => isDeclared && others.has(about))
  return isMixed ? { met: false, mixed: true } : { met: false }
}

const plain = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ')

function valuesBeside(declared: string, values: readonly string[]): readonly Answer[] {
  const parts = new Set([declared, ...declared.split(';')].map(plain))
  // A status alone declares no code.
  const isDeclared = (value: string): boolean =>
    parts.has(value) || parts.has(/^(\d{3}) \S+$/.exec(value)?.[1] ?? value)
  return values.map((value) => ({ about: '', isDeclared: isDeclared(plain(value)) }))
}

/** Questions whose answers are a status for each name. */
const haveStatuses = new Set(['http.success-status', 'errors.status-of-code'])

/** `201 createThread; 200 runThread, createMessage` by name; a status alone is for all others, under the empty name. */
function statusesIn(declared: string): ReadonlyMap<string, string> | null {
  const statuses = new Map<string, string>()
  for (const part of declared.split(';')) {
    const [whole, status = '', names = ''] = /^(\d{3})((?:[ ,]+[^ ,]+)*)$/.exec(plain(part)) ?? []
    if (whole === undefined) return null
    for (const name of names.trim().split(/[ ,]+/)) statuses.set(name, status)
  }
  return statuses
}

/** A status that is declared of one name says nothing about another. */
function statusesBeside(statuses: ReadonlyMap<string, string>, values: readonly string[]): readonly Answer[] {
  return values.flatMap((value) => {
    const [status = '', about = ''] = plain(value).split(' ')
    const declared = statuses.get(about) ?? statuses.get('')
    return declared === undefined ? [] : [{ about, isDeclared: declared === status }]
  })
}

/**
 * A declared answer is an obligation of this target. It is violated where the target keeps to it at times; where it never
 * does, it is unknown whether the declaration or the target is wrong.
 */
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
      blocking: declared.mixed === true,
      witnesses: exchanges.length,
      exchanges,
    } as const
    if (declared.met) return [{ ...base, outcome: 'upheld' }]
    const said = `profile declares ${declared.value} for ${gap}, and the target does ${value}`
    const [contradiction, headline] = [`The ${said}.`, `the ${said}`]
    if (declared.mixed !== true) return [{ ...base, owed: true, outcome: 'inconclusive', reason: contradiction }]
    const steps = exchanges.map((exchange) => ({ exchange, name: 'show the answer', shows: value }))
    const witness = { steps, contradiction, confirmed: null }
    return [{ ...base, outcome: 'violated', expected: declared.value, actual: value, headline, witness }]
  })
}

/** The declaration that nothing in the trace confirms; may hold text of the target. */
export function contradictedDeclaration(observations: readonly Observation[]): string | null {
  const one = observations.find(({ declared }) => declared?.met === false && declared.mixed !== true)
  if (one?.declared === undefined) return null
  return `declares.${one.gap}: it says ${quoted(one.declared.value)}, and the target does ${quoted(one.value)} each time (${one.exchanges[0]}); correct it, or the target`
}
