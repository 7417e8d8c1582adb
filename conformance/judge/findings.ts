/**
 * One root cause, one finding: violations that share an operation that is dead, a value that is wrong, or a rule that is
 * broken in many places are told once, and every verdict is explained by exactly one finding.
 */
import type { OperationId } from '../../spec/index.ts'
import { isAccepted } from './read/parsed-exchange.ts'
import type { TraceAnalysis } from './trace-analysis.ts'
import type { Finding, Verdict } from './verdict.ts'

/** Clusters the violated verdicts, the most telling finding first. */
export function findingsOf(analysis: TraceAnalysis, verdicts: readonly Verdict[]): readonly Finding[] {
  const violated = verdicts.filter(({ outcome }) => outcome === 'violated')
  const dead = new Set(
    violated
      .filter(isUnserved)
      .map(({ operation }) => operation)
      .filter((one) => !analysis.of(one).some(isAccepted)),
  )
  const groups = new Groups()
  for (const verdict of violated) {
    groups.join(verdict, dead.has(verdict.operation) ? [`dead ${verdict.operation}`] : fingerprints(verdict))
  }
  return groups.all().map((group) => findingFrom(group, dead))
}

const isUnserved = ({ requirement }: Verdict): boolean =>
  requirement === 'http.operation-served' || requirement === 'http.versioned-path'

/** What verdicts of one cause share: the rule, or the very value that is wrong. */
function fingerprints({ requirement, exchanges, pointer, actual }: Verdict): readonly string[] {
  const place = pointer === undefined || pointer === '' ? [] : [`at ${exchanges.at(-1)} ${pointer}`]
  const field = pointer?.match(/\/([a-z_]+)$/)?.[1]
  const value = field === undefined || actual !== 'missing' ? [] : [`field ${field} ${actual}`]
  return [`rule ${requirement}`, ...place, ...value]
}

function findingFrom(group: readonly Verdict[], dead: ReadonlySet<OperationId>): Finding {
  const [leading] = [...group].sort((left, right) => weight(right) - weight(left))
  const operation = leading?.operation
  const title =
    operation !== undefined && dead.has(operation)
      ? `${operation} serves no request that meets the rules: ${leading?.witness?.contradiction ?? ''}`.trimEnd()
      : (leading?.witness?.contradiction ?? `${leading?.requirement} is broken`)
  return {
    title,
    verdicts: group.map(({ requirement, operation: on, facet }) => [requirement, on, facet ?? ''].join(' ').trimEnd()),
    exchanges: [...new Set(group.flatMap(({ exchanges }) => exchanges))].slice(0, 12),
  }
}

/** Stated before implied, must before should, and what was seen more often before what was seen once. */
const weight = ({ requirement, basis, level, witnesses }: Verdict): number =>
  (isUnserved({ requirement } as Verdict) ? 1e9 : 0) +
  (basis === 'stated' ? 1e8 : 0) +
  (level === 'must' ? 1e7 : 0) +
  Math.min(witnesses, 1e6)

/** Sets of verdicts that are joined by shared fingerprints. */
class Groups {
  readonly #groupOf = new Map<string, Verdict[]>()
  readonly #groups = new Set<Verdict[]>()

  join(verdict: Verdict, keys: readonly string[]): void {
    const group: Verdict[] = [verdict]
    for (const key of keys) {
      const other = this.#groupOf.get(key)
      if (other === undefined || !this.#groups.has(other)) continue
      group.unshift(...other)
      this.#groups.delete(other)
    }
    this.#groups.add(group)
    // Keys of the groups that were just taken in now lead to the new one.
    for (const [key, known] of this.#groupOf) if (!this.#groups.has(known)) this.#groupOf.set(key, group)
    for (const key of keys) this.#groupOf.set(key, group)
  }

  all(): readonly (readonly Verdict[])[] {
    return [...this.#groups]
  }
}
