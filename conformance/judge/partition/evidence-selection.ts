/**
 * Gathers from the surveys of all parts, in their order, the components on which the last judgement rests. The worker
 * thread and the time of a survey do not affect the result.
 */
import { NumberTable } from './number-table.ts'
import type { PartSurvey, WitnessCounts } from './survey-part.ts'

/** Enough of one mark: more components that show it are left out. */
const mostOfMark = 5
/** Pairs that are kept of each kind, since each is judged again. */
const mostPairs = 200
/** A value that several components own says nothing of where it comes from. */
const several = 0x7fffffff

type Pair = readonly [one: number, other: number]

export class EvidenceSelection {
  readonly #chosen = new Set<number>()
  readonly #counts = new Map<string, number>()
  readonly #witnesses = new Map<string, { held: number; contradicted: number; open: number }>()
  readonly #owners = new NumberTable()
  readonly #unique = new NumberTable()
  readonly #twins = new TwinTable()
  readonly #forms = new TwinTable()
  readonly #wanted: Float64Array[] = []
  readonly #differing: Pair[] = []
  #doubled = 0
  #last: PartSurvey['lastAccepted'] = null

  /** Takes the survey of the next part. */
  take({ candidates, witnesses, shared, lastAccepted }: PartSurvey): void {
    for (const { component, marks } of candidates) {
      if (!marks.some((mark) => (this.#counts.get(mark) ?? 0) < mostOfMark)) continue
      this.#chosen.add(component)
      for (const mark of marks) this.#counts.set(mark, (this.#counts.get(mark) ?? 0) + 1)
    }
    this.#count(witnesses)
    this.#own(shared.owned)
    this.#takeUnique(shared.unique)
    this.#takeTwins(shared.twins)
    for (const { components, outcomes } of this.#forms.take(shared.forms)) this.#choose(components, `forms ${outcomes}`)
    this.#wanted.push(shared.wanted)
    if (lastAccepted !== null && lastAccepted.sentAtMs > (this.#last?.sentAtMs ?? Number.NEGATIVE_INFINITY))
      this.#last = lastAccepted
  }

  /** The components that were chosen, by the number of their first exchange. */
  components(): ReadonlySet<number> {
    if (this.#last !== null) this.#chosen.add(this.#last.component)
    let pairs = 0
    for (const wanted of this.#wanted) {
      for (let at = 0; at < wanted.length && pairs < mostPairs; at += 2) {
        const owner = this.#owners.get(wanted[at] ?? 0)
        const component = wanted[at + 1] ?? 0
        if (owner === null || owner === several || owner === component) continue
        pairs += 1
        this.#chosen.add(owner).add(component)
      }
    }
    // The same request with another outcome: the judgement of one of them needs the other.
    for (const [one, other] of this.#differing) {
      if (this.#chosen.has(one) || this.#chosen.has(other)) this.#chosen.add(one).add(other)
    }
    return this.#chosen
  }

  /** The number of times a part saw this outcome of an obligation. */
  witnessesOf(obligation: string, outcome: 'held' | 'contradicted' | 'open'): number {
    return this.#witnesses.get(obligation)?.[outcome] ?? 0
  }

  #count(witnesses: WitnessCounts): void {
    for (const [obligation, held, contradicted, open] of witnesses) {
      const known = this.#witnesses.get(obligation) ?? { held: 0, contradicted: 0, open: 0 }
      this.#witnesses.set(obligation, known)
      known.held += held
      known.contradicted += contradicted
      known.open += open
    }
  }

  #own(owned: Float64Array): void {
    for (let at = 0; at < owned.length; at += 2) {
      const [value = 0, component = 0] = owned.subarray(at, at + 2)
      const owner = this.#owners.get(value)
      if (owner === null) this.#owners.set(value, component)
      else if (owner !== component) this.#owners.set(value, several)
    }
  }

  #takeUnique(unique: Float64Array): void {
    for (let at = 0; at < unique.length; at += 2) {
      const [value = 0, component = 0] = unique.subarray(at, at + 2)
      const owner = this.#unique.get(value)
      if (owner === null) this.#unique.set(value, component)
      else if (owner !== component && this.#doubled < mostPairs) {
        this.#doubled += 1
        this.#chosen.add(owner).add(component)
      }
    }
  }

  #takeTwins(twins: Float64Array): void {
    for (const { components, outcomes, isSame } of this.#twins.take(twins)) {
      if (!isSame) this.#differing.push(components)
      this.#choose(components, `twins ${outcomes}`)
    }
  }

  /** A few pairs of each kind. */
  #choose(components: Pair, mark: string): void {
    const count = this.#counts.get(mark) ?? 0
    if (count >= mostOfMark) return
    this.#counts.set(mark, count + 1)
    for (const component of components) this.#chosen.add(component)
  }
}

interface Twins {
  readonly components: Pair
  /** The outcomes of the two. */
  readonly outcomes: string
  readonly isSame: boolean
}

/** Finds the first of each kind again when another component shows one. */
class TwinTable {
  readonly #first = new NumberTable()
  readonly #outcomes = new NumberTable()

  /** Takes `value, outcome, component` triples, and gives those whose value another component showed before. */
  take(twins: Float64Array): readonly Twins[] {
    const found: Twins[] = []
    for (let at = 0; at < twins.length; at += 3) {
      const [value = 0, hash = 0, component = 0] = twins.subarray(at, at + 3)
      const outcome = hash % several
      const first = this.#first.get(value)
      if (first === null) {
        this.#first.set(value, component)
        this.#outcomes.set(value, outcome)
      } else if (first !== component) {
        const before = this.#outcomes.get(value)
        found.push({ components: [first, component], outcomes: `${before} ${outcome}`, isSame: before === outcome })
      }
    }
    return found
  }
}
