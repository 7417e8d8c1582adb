/**
 * Chooses by the run's seed one of the orders that respect which probe builds on which.
 * A fixed order would let a service tell the suite from a customer by the sequence of its requests.
 */
import { completionOperations, type OperationId } from '../../spec/index.ts'
import { seededRandom } from '../probe-runtime/seeded-random.ts'
import type { Probe } from '../probes/probe.ts'

const phases = ['free', 'late', 'last'] as const

/** A shuffled order of the probes: after what they build on, the late ones behind all refusals, the last look last. */
export function playOrder(probes: readonly Probe[], seed: number): readonly Probe[] {
  const random = seededRandom(seed, 'play-order')
  return phases.flatMap((phase) =>
    shuffledBehind(
      probes.filter((probe) => phaseOf(probe) === phase),
      random,
    ),
  )
}

/** Late ones come behind all refusals, the last look at the end. */
function phaseOf({ last, late }: Probe): (typeof phases)[number] {
  return last === true ? 'last' : late === true ? 'late' : 'free'
}

const asking: ReadonlySet<OperationId> = new Set([
  ...completionOperations,
  'runThread',
  'streamThreadRun',
] satisfies OperationId[])

/**
 * Whether it needs to know an assistant that answers: a refusal by one that answers nobody is no evidence, and a broken
 * assistant has to be known before others are asked.
 */
function needsAssistant({ exercises, findsAssistant }: Probe): boolean {
  return findsAssistant !== true && exercises.some(({ operations }) => operations.some((one) => asking.has(one)))
}

/** The probes of a run that have to be over before this one starts. */
export function startsAfter(probe: Probe, programme: readonly Probe[]): readonly string[] {
  const named = programme.filter(({ id }) => probe.after?.includes(id))
  const finders = needsAssistant(probe) ? programme.filter(({ findsAssistant }) => findsAssistant === true) : []
  return [...finders, ...named].map(({ id }) => id)
}

/** Takes again and again one of the probes whose foundations, as far as they play here, have been taken. */
function shuffledBehind(group: readonly Probe[], random: ReturnType<typeof seededRandom>): readonly Probe[] {
  const waiting = [...group]
  const ordered: Probe[] = []
  const isWaiting = (id: string): boolean => waiting.some((probe) => probe.id === id)
  while (waiting.length > 0) {
    const ready = waiting.filter((probe) => !startsAfter(probe, group).some(isWaiting))
    const [next] = random.shuffled(ready.length > 0 ? ready : waiting.slice(0, 1))
    if (next === undefined) break
    ordered.push(next)
    waiting.splice(waiting.indexOf(next), 1)
  }
  return ordered
}
