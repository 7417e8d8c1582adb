/** A plan as a person reads it before spending: the bill, what plays, and what will stay open and why. */
import type { Plan } from './plan.ts'

/** Lines of text with a final newline; `around` says what else is sent, before and after the probes. */
export function renderPlan(plan: Plan, around: readonly string[] = []): string {
  const { exchanges, modelCalls, caps, tier } = plan
  const lines = [
    `tier ${tier}: ${exchanges} of at most ${caps.maxExchanges ?? 'any number of'} requests, ${modelCalls} of at most ${caps.maxModelCalls ?? 'any number of'} model calls`,
    ...reserveLines(plan),
    ...around,
    timeLine(plan),
    `${plan.owed - plan.unexercised.filter(({ isRequired }) => isRequired).length} of ${plan.owed} required obligations are tested`,
    '',
    ...plan.probes.map(probeLine),
    ...standbyLines(plan),
    ...uploadLines(plan),
    ...openLines(plan),
  ]
  return `${lines.join('\n')}\n`
}

function reserveLines({ caps: { reserve } }: Plan): readonly string[] {
  if (reserve.exchanges === 0 && reserve.modelCalls === 0) return []
  return [
    `in addition, only after failures or for requests that should have been rejected: at most ${reserve.exchanges} requests, ${reserve.modelCalls} model calls`,
  ]
}

function timeLine({ ratePerMinute, durationMs }: Plan): string {
  if (ratePerMinute === null || durationMs === null) return 'as fast as the target answers: the profile sets no rate'
  return `about ${Math.ceil(durationMs / 1000)} s at ${ratePerMinute} requests a minute`
}

function probeLine({ id, exchanges, modelCalls }: Plan['probes'][number]): string {
  return `  ${id.padEnd(36)} ${count(exchanges)} requests ${count(modelCalls)} model calls`
}

/** What no room is kept for. */
function standbyLines({ standby }: Plan): readonly string[] {
  if (standby.length === 0) return []
  return ['', 'if the probes above need less than that, also these:', ...standby.map(probeLine)]
}

/** The only requests that may leave the host of the target. */
function uploadLines({ probes }: Plan): readonly string[] {
  if (!probes.some(({ id }) => id.startsWith('files.'))) return []
  return ['', "uploads go where the target says: to its own host, public hosts, and the profile's uploadHosts"]
}

/** Open obligations by their reason, since one missing fixture keeps many of them open. */
function openLines({ unexercised }: Plan): readonly string[] {
  if (unexercised.length === 0) return []
  const byReason = new Map<string, Set<string>>()
  for (const { requirement, operation, probe, reason, text } of unexercised) {
    const why = `${reason}: ${probe}: ${text}`
    byReason.set(why, (byReason.get(why) ?? new Set()).add(`${requirement} ${operation}`))
  }
  const blocks = [...byReason].flatMap(([why, open]) => [`  ${why}`, ...[...open].map((one) => `    ${one}`)])
  return ['', `${unexercised.length} are not tested:`, ...blocks]
}

function count(value: number): string {
  return String(value).padStart(4)
}
