/** Renders a plan for review before a run: its cost, its probes, and the open obligations with their reasons. */
import { countText } from '../../spec/index.ts'
import { reasonText } from '../judge/run-outcome.ts'
import type { Plan } from './plan.ts'

/** Lines of text with a final newline; `around` says what else is sent, before and after the probes. */
export function renderPlan(plan: Plan, around: readonly string[] = []): string {
  const { exchanges, modelCalls, caps, tier } = plan
  const lines = [
    `tier ${tier}: plans ${planned(exchanges, 'request', caps.maxExchanges)} and ${planned(modelCalls, 'model call', caps.maxModelCalls)}`,
    ...reserveLines(plan),
    ...around,
    timeLine(plan),
    `${plan.owed - plan.unexercised.filter(({ isRequired }) => isRequired).length} of ${plan.owed} required obligations are tested`,
    '',
    ...plan.probes.filter(isPlanned).map(probeLine),
    ...unplannedLines(plan),
    ...standbyLines(plan),
    ...uploadLines(plan),
    ...openLines(plan),
  ]
  return `${lines.join('\n')}\n`
}

function reserveLines({ caps: { reserve } }: Plan): readonly string[] {
  if (reserve.exchanges === 0 && reserve.modelCalls === 0) return []
  return [
    `reserve for retries and for invalid requests that the target accepts: at most ${countText(reserve.exchanges, 'request')}, ${countText(reserve.modelCalls, 'model call')}`,
  ]
}

function timeLine({ ratePerMinute, durationMs }: Plan): string {
  if (ratePerMinute === null || durationMs === null) return 'as fast as the target answers: the profile sets no rate'
  return `about ${Math.ceil(durationMs / 1000)} s at ${ratePerMinute} requests a minute`
}

function probeLine({ id, exchanges, modelCalls }: Plan['probes'][number]): string {
  return `  ${id.padEnd(36)} ${aligned(exchanges, 'request').padEnd(13)} ${aligned(modelCalls, 'model call')}`
}

const isPlanned = ({ exchanges, modelCalls }: Plan['probes'][number]): boolean => exchanges + modelCalls > 0

/** Some probes have nothing to send with this profile; others use requests that are left, or those of another probe. */
function unplannedLines({ probes }: Plan): readonly string[] {
  const unplanned = probes.filter((probe) => !isPlanned(probe))
  if (unplanned.length === 0) return []
  return ['', 'no requests are planned for:', ...unplanned.map(({ id }) => `  ${id}`)]
}

/** Probes that the plan keeps no budget for. */
function standbyLines({ standby }: Plan): readonly string[] {
  if (standby.length === 0) return []
  return ['', 'only if requests are left:', ...standby.map(probeLine)]
}

/** The only requests that may leave the host of the target. */
function uploadLines({ probes }: Plan): readonly string[] {
  if (!probes.some(({ id }) => id.startsWith('files.'))) return []
  return ['', 'uploads go to the host in file_url, if it is the target, a public host, or listed in uploadHosts']
}

/** Open obligations by their reason, since one missing fixture keeps many of them open. */
function openLines({ unexercised }: Plan): readonly string[] {
  if (unexercised.length === 0) return []
  const byReason = new Map<string, Set<string>>()
  for (const { requirement, operation, probe, reason, text } of unexercised) {
    const why = reasonText(`${reason}: ${probe}: ${text}`)
    byReason.set(why, (byReason.get(why) ?? new Set()).add(`${requirement} ${operation}`))
  }
  const blocks = [...byReason].flatMap(([why, open]) => [`  ${why}`, ...[...open].map((one) => `    ${one}`)])
  return ['', `${unexercised.length} are not tested:`, ...blocks]
}

const planned = (value: number, noun: string, cap: number | null): string =>
  `${countText(value, noun)} (${cap === null ? 'no cap' : `cap ${cap}`})`

/** With the last digit in the fourth column. */
const aligned = (value: number, noun: string): string => {
  const text = countText(value, noun)
  return text.padStart(text.length + 4 - String(value).length)
}
