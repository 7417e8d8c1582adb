/**
 * Chooses by the run's seed one of the orders that respect which probe builds on which. A fixed order would let a service
 * distinguish the suite from a customer by the sequence of its requests.
 */
import { completionOperations, type OperationId } from '../../spec/index.ts'
import { seededRandom } from '../probe-runtime/seeded-random.ts'
import type { Probe } from '../probes/probe.ts'

const phases = ['opening', 'free', 'late', 'standby', 'last'] as const

/**
 * Probes that send what any customer sends. Some of them open the run, so that a service which knows the suite by an odd
 * request has shown by then how it treats customers.
 */
const ordinary: readonly string[] = [
  'threads.run-stream',
  'files.grant',
  'files.persist',
  'tools.round-trip',
  'pagination.walk',
  'tenancy.my-keys',
]
/** It lists a thread of several messages, which shows most faults. */
const alwaysFirst = 'threads.messages'

/** The probes that open the run, with what they build on. */
export function openingOf(probes: readonly Probe[], seed: number): ReadonlySet<string> {
  const random = seededRandom(seed, 'opening')
  const chosen = new Set([alwaysFirst, ...random.shuffled(ordinary).slice(random.below(ordinary.length))])
  // Their foundations come before them, and may have foundations of their own.
  for (const id of chosen)
    for (const foundation of probes.filter((probe) => probe.id === id).flatMap((probe) => startsAfter(probe, probes)))
      chosen.add(foundation)
  return chosen
}

/**
 * A shuffled order of the probes: after what they build on, the late ones behind all refusals, those that wait for what is left
 * behind them, the last look last.
 */
export function playOrder(
  probes: readonly Probe[],
  seed: number,
  standby: ReadonlySet<string> = new Set(),
): readonly Probe[] {
  const random = seededRandom(seed, 'play-order')
  const first = openingOf(probes, seed)
  return phases.flatMap((phase) => {
    const own = probes.filter((probe) => (isOnStandby(probe, standby) ? 'standby' : phaseOf(probe, first)) === phase)
    return atTheEdge(shuffledBehind(own, random), phase)
  })
}

/** Those that need quiet wait for all others of their phase: first among the late ones, which wait anyway, and last on standby. */
function atTheEdge(ordered: readonly Probe[], phase: (typeof phases)[number]): readonly Probe[] {
  const edge = phase === 'late' ? -1 : phase === 'standby' ? 1 : 0
  const place = ({ alone }: Probe): number => (alone === true ? edge : 0)
  return ordered.toSorted((one, other) => place(one) - place(other))
}

/** Whether it plays with what the others leave: always, or since the plan, which gives the ids, has no room for it. */
export function isOnStandby(probe: Probe, standby: ReadonlySet<string>): boolean {
  return probe.standby === true || standby.has(probe.id)
}

/** Late ones come behind all refusals, the last look at the end. */
function phaseOf({ id, last, late }: Probe, first: ReadonlySet<string>): (typeof phases)[number] {
  if (last === true || late === true) return last === true ? 'last' : 'late'
  return first.has(id) ? 'opening' : 'free'
}

const asking: ReadonlySet<OperationId> = new Set([
  ...completionOperations,
  'runThread',
  'streamThreadRun',
] satisfies OperationId[])

/**
 * Whether it needs an assistant that answers: a refusal by one that never answers is no evidence, and a broken
 * assistant has to be known before others are asked, also by a probe that only ends on a question.
 */
function needsAssistant({ exercises, findsAssistant, cost }: Probe): boolean {
  if (findsAssistant === true) return false
  const spendsCalls = typeof cost === 'object' && cost.modelCalls > 0
  return spendsCalls || exercises.some(({ operations }) => operations.some((one) => asking.has(one)))
}

/** The probes of a run that have to be over before this one starts. */
export function startsAfter(probe: Probe, sequence: readonly Probe[]): readonly string[] {
  const named = sequence.filter(({ id }) => probe.after?.includes(id) || probe.behind?.includes(id))
  const finders = needsAssistant(probe) ? sequence.filter(({ findsAssistant }) => findsAssistant === true) : []
  return [...finders, ...named].map(({ id }) => id)
}

/** Slow probes and all that they build on. */
function leadingToSlow(group: readonly Probe[]): ReadonlySet<string> {
  const leading = new Set<string>()
  for (let open = group.filter(({ slow }) => slow === true); open.length > 0; ) {
    for (const { id } of open) leading.add(id)
    const foundations = new Set(open.flatMap((probe) => startsAfter(probe, group)))
    open = group.filter(({ id }) => foundations.has(id) && !leading.has(id))
  }
  return leading
}

/** Takes again and again one of the probes whose foundations, as far as they play here, have been taken. */
function shuffledBehind(group: readonly Probe[], random: ReturnType<typeof seededRandom>): readonly Probe[] {
  const waiting = [...group]
  const ordered: Probe[] = []
  const isWaiting = (id: string): boolean => waiting.some((probe) => probe.id === id)
  const leading = leadingToSlow(group)
  while (waiting.length > 0) {
    const ready = waiting.filter((probe) => !startsAfter(probe, group).some(isWaiting))
    const early = ready.filter(({ id }) => leading.has(id))
    const [next] = random.shuffled(early.length > 0 ? early : ready.length > 0 ? ready : waiting.slice(0, 1))
    if (next === undefined) break
    ordered.push(next)
    waiting.splice(waiting.indexOf(next), 1)
  }
  return ordered
}
