/**
 * Replays each violation of a failing run once and saves its steps as a file for `acs replay`.
 * The report shows the replay result of each violation; no verdict changes.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Judgement, ReplayResult, TargetProfile, Trace } from '../conformance/index.ts'
import type { Terminal } from './terminal.ts'

interface Violations {
  readonly trace: Trace
  readonly judgement: Judgement
  readonly profile: TargetProfile
  readonly folder: string
  readonly limits: { readonly maxExchanges?: number | undefined; readonly maxModelCalls?: number | undefined }
}

/** The total budget of a run's replays: in addition to the tier's cap, within the caps of caller and profile. */
export const replayBudget = { exchanges: 200, modelCalls: 2 } as const

/** Replays each violation once, saves its steps, and returns what the replays showed. */
export const replayAndSave = async (violations: Violations, terminal: Terminal): Promise<readonly ReplayResult[]> => {
  const { trace, judgement, profile, folder, limits } = violations
  if (!judgement.verdicts.some(({ outcome, witness }) => outcome === 'violated' && witness !== undefined)) return []
  const { confirm, judge } = await import('../conformance/index.ts')
  const left = (limit: number | undefined, spent: number): number => Math.max(0, (limit ?? Infinity) - spent)
  const results = await confirm(judgement, trace, profile, {
    judge,
    maxExchanges: Math.min(replayBudget.exchanges, left(limits.maxExchanges, trace.exchanges.length)),
    maxModelCalls: Math.min(replayBudget.modelCalls, left(limits.maxModelCalls, trace.footer?.modelCalls ?? 0)),
    signal: terminal.interrupted,
  })
  await saveSteps(results, trace, folder)
  const tried = results.filter(({ outcome }) => outcome.kind !== 'not-tried')
  const reproduced = tried.filter(({ outcome }) => outcome.kind === 'reproduced')
  if (tried.length > 0) {
    terminal.err(`${replaySentence(results.length, tried.length, reproduced.length)}\n`)
  }
  return results
}

/** The result of one replay of each failure, as a sentence if there was only one. */
export function replaySentence(failures: number, tried: number, reproduced: number): string {
  if (failures === 1) return `The failure was ${reproduced === 1 ? '' : 'not '}reproduced by replay`
  const of = tried === failures ? `${failures === 2 ? 'Both' : `All ${failures}`}` : `${tried} of ${failures}`
  const were = `failures ${tried === 1 ? 'was' : 'were'}`
  if (reproduced === tried) return `${of} ${were} replayed and reproduced`
  return `${of} ${were} replayed: ${reproduced} reproduced, ${tried - reproduced} not`
}

const saveSteps = async (results: readonly ReplayResult[], trace: Trace, folder: string): Promise<void> => {
  const { replayFileOf } = await import('../conformance/index.ts')
  mkdirSync(join(folder, 'replay'), { recursive: true })
  for (const { verdict, outcome } of results) {
    const file = replayFileOf(verdict, trace, { history: outcome.kind === 'reproduced' && outcome.history })
    if (file === null) continue
    const name = [verdict.requirement, verdict.operation, verdict.facet].filter((part) => part !== null).join('.')
    const confirmed = outcome.kind === 'not-tried' ? null : outcome.kind === 'reproduced'
    const text = JSON.stringify({ ...file, confirmed }, null, 2)
    writeFileSync(join(folder, 'replay', `${name.replace(/[^\w.-]+/g, '-')}.json`), `${text}\n`)
  }
}
