/** Makes reports of whole gate runs against a mock in this process, with any number of faults. */
import { trialClient, trialProfile } from '../../cli/prove/trial.ts'
import { virtualClock } from '../../cli/prove/virtual-time.ts'
import { confirm, judge, run } from '../../conformance/index.ts'
import { deviations } from '../../mock-server/deviations/deviations.ts'
import { createMock } from '../../mock-server/index.ts'
import { createReport, type Report, withReplays } from '../../reports/index.ts'

type Deviations = NonNullable<NonNullable<Parameters<typeof createMock>[0]>['deviations']>

/** Faults of all chapters but the two that hide all others, and without those that leave no assistant to be asked. */
const spread = deviations.filter(
  ({ id, requirement }) => !/^(?:http|auth)\./.test(id) && requirement !== 'assistants.list-is-array',
)

/** The report of a gate run against a mock with this many faults, spread over the chapters. */
export async function gateReport(faults: number): Promise<Report> {
  const places = Array.from({ length: faults }, (_, index) => Math.floor((index * spread.length) / faults))
  return reportWith(places.flatMap((place) => spread[place] ?? []))
}

/** The report of a gate run against a mock with these faults, with a replay of each violation. */
export async function replayedReport(...ids: readonly string[]): Promise<Report> {
  return reportWith(
    deviations.filter(({ id }) => ids.includes(id)),
    { isReplayed: true },
  )
}

async function reportWith(chosen: Deviations, { isReplayed = false } = {}): Promise<Report> {
  await using mock = await createMock({ deviations: chosen, seed: 7, clock: virtualClock })
  const profile = trialProfile({})
  const client = trialClient(mock)
  for await (const event of run(profile, { tier: 'gate', seed: 7, client })) {
    if (event.type !== 'finished') continue
    const { trace } = event
    const judgement = judge(trace)
    const report = createReport(trace, judgement)
    if (!isReplayed) return report
    const results = await confirm(judgement, trace, profile, { judge, client, maxExchanges: 60, maxModelCalls: 2 })
    return withReplays(report, results, { disturbances: [] })
  }
  throw new Error('the run ended without a trace')
}
