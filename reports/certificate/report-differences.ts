/**
 * Compares a report with the result of judging its trace again: verdicts, answers, evidence, standing. The wording of notices
 * and reasons may change between releases; it decides nothing and is not compared.
 */
import type { Observation, Verdict } from '../../conformance/index.ts'
import { obligationKey } from '../../spec/index.ts'
import type { Report } from '../report.ts'
import { canonicalJson } from '../serialize-report.ts'

/** The signed results that do not follow from the evidence, in sentences. */
export function reportDifferences(signed: Report, again: Report): readonly string[] {
  const verdicts = changedVerdicts(signed, again)
  const parts: readonly (readonly [boolean, string])[] = [
    [differ(runOf(signed), runOf(again)), `the run of report.json differs in ${changedFields(signed, again)}`],
    [differ(signed.cost, again.cost), 'the cost in report.json is not that of the trace'],
    [differ(answersOf(signed), answersOf(again)), 'the answers to open questions differ'],
    [differ(signed.exchanges, again.exchanges), 'the exchanges in report.json are not those of the trace'],
  ]
  return [
    ...(verdicts === null ? [] : [`judged again, ${verdicts}`]),
    ...parts.filter(([wrong]) => wrong).map(([, sentence]) => sentence),
  ]
}

function differ(left: unknown, right: unknown): boolean {
  return canonicalJson(left) !== canonicalJson(right)
}

function runOf({ run }: Report): Record<string, unknown> {
  const { incompleteReason: _, ...rest } = run
  return rest
}

function changedFields(signed: Report, again: Report): string {
  const [then, now] = [runOf(signed), runOf(again)]
  const names = [...new Set([...Object.keys(then), ...Object.keys(now)])]
  return names.filter((name) => differ(then[name] ?? null, now[name] ?? null)).join(', ')
}

function answersOf({ observations }: Report): readonly unknown[] {
  return observations
    .map(({ gap, value, consistent, declared, exchanges }: Observation) => ({
      gap,
      value,
      consistent,
      met: declared?.met ?? null,
      exchanges,
    }))
    .sort((left, right) => (left.gap < right.gap ? -1 : 1))
}

/** The part of a verdict that is judged. */
function essenceOf({ level, basis, outcome, exchanges }: Verdict): string {
  return canonicalJson({ level, basis, outcome, exchanges })
}

function changedVerdicts(signed: Report, again: Report): string | null {
  const [then, now] = [byObligation(signed), byObligation(again)]
  if (then.size !== signed.verdicts.length) return 'report.json holds two verdicts on one obligation'
  const changed = [...new Set([...then.keys(), ...now.keys()])].filter((key) => {
    const [before, after] = [then.get(key), now.get(key)]
    return before === undefined || after === undefined || essenceOf(before) !== essenceOf(after)
  })
  if (changed.length === 0) return null
  const named = changed
    .slice(0, 5)
    .map((key) => `${key} (${then.get(key)?.outcome ?? 'absent'}, judged again ${now.get(key)?.outcome ?? 'absent'})`)
  return `${changed.length} verdicts differ: ${named.join('; ')}`
}

function byObligation({ verdicts }: Report): ReadonlyMap<string, Verdict> {
  return new Map(verdicts.map((verdict) => [obligationKey(verdict), verdict]))
}
