/**
 * The order in which probes play: one of the orders that respect what builds on what, chosen by the run's seed.
 * A fixed order would let a service tell the suite from a customer by the sequence of its requests.
 */
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

/** The probe that finds the first assistant that answers. */
const findsAssistant = 'completions.answer'

/**
 * Chapters whose refusals count only with an assistant that answers; the probe above has to be over, so that
 * a broken assistant is known by then.
 */
const needAssistant: ReadonlySet<string> = new Set(['auth', 'completions', 'errors', 'streams', 'threads', 'tools'])

/** The probes that have to be over before this one starts, as far as they play. */
export function startsAfter({ id, chapter, after = [] }: Probe): readonly string[] {
  return needAssistant.has(chapter) && id !== findsAssistant ? [findsAssistant, ...after] : after
}

/** Takes again and again one of the probes whose foundations, as far as they play here, have been taken. */
function shuffledBehind(group: readonly Probe[], random: ReturnType<typeof seededRandom>): readonly Probe[] {
  const waiting = [...group]
  const ordered: Probe[] = []
  const isWaiting = (id: string): boolean => waiting.some((probe) => probe.id === id)
  while (waiting.length > 0) {
    const ready = waiting.filter((probe) => !startsAfter(probe).some(isWaiting))
    const [next] = random.shuffled(ready.length > 0 ? ready : waiting.slice(0, 1))
    if (next === undefined) break
    ordered.push(next)
    waiting.splice(waiting.indexOf(next), 1)
  }
  return ordered
}
