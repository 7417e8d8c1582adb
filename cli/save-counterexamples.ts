/**
 * What follows a failing run: each finding's witness is replayed once, to tell whether it happens every time, and is
 * kept as a file for `acs replay`. The report says of each witness whether it showed again; no verdict changes by it.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Judgement, TargetProfile, Trace } from '../conformance/index.ts'
import type { Terminal } from './terminal.ts'

export interface Violations {
  readonly trace: Trace
  readonly judgement: Judgement
  readonly profile: TargetProfile
  readonly folder: string
  readonly limits: { readonly maxExchanges?: number | undefined; readonly maxModelCalls?: number | undefined }
}

/** What the replays of a run may spend together: beside the tier's cap, but within the caps of caller and profile. */
const replayExchanges = 60
const replayModelCalls = 2

/** The judgement with what the replays showed; a replay that fails leaves it as it was. */
export const confirmAndSave = async (
  { trace, judgement, profile, folder, limits }: Violations,
  terminal: Terminal,
): Promise<Judgement> => {
  if (!judgement.verdicts.some(({ outcome, witness }) => outcome === 'violated' && witness !== undefined))
    return judgement
  const { confirm, judge, replayFileOf } = await import('../conformance/index.ts')
  const left = (limit: number | undefined, spent: number): number => Math.max(0, (limit ?? Infinity) - spent)
  const again = await confirm(judgement, trace, profile, {
    judge,
    maxExchanges: Math.min(replayExchanges, left(limits.maxExchanges, trace.exchanges.length)),
    maxModelCalls: Math.min(replayModelCalls, left(limits.maxModelCalls, trace.footer?.modelCalls ?? 0)),
    signal: terminal.interrupted,
  })
  const violated = again.verdicts.filter(({ outcome }) => outcome === 'violated')
  mkdirSync(join(folder, 'replay'), { recursive: true })
  for (const verdict of violated) {
    const file = replayFileOf(verdict, trace)
    const name = [verdict.requirement, verdict.operation, verdict.facet].filter((part) => part !== null).join('.')
    if (file !== null) {
      const text = JSON.stringify({ ...file, confirmed: verdict.witness?.confirmed ?? null }, null, 2)
      writeFileSync(join(folder, 'replay', `${name.replace(/[^\w.-]+/g, '-')}.json`), `${text}\n`)
    }
  }
  const tried = violated.filter(({ witness }) => typeof witness?.confirmed === 'boolean')
  const shown = tried.filter(({ witness }) => witness?.confirmed === true)
  if (tried.length > 0) {
    terminal.err(`replayed ${tried.length} of ${violated.length} violations once: ${shown.length} showed again\n`)
  }
  return again
}
