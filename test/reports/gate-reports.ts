/** Makes reports of whole gate runs against a mock in this process, with any number of faults. */
import { trialClient, trialProfile } from '../../cli/prove/trial.ts'
import { virtualClock } from '../../cli/prove/virtual-time.ts'
import { judge, run } from '../../conformance/index.ts'
import { deviations } from '../../mock-server/deviations/deviations.ts'
import { createMock } from '../../mock-server/index.ts'
import { createReport, type Report } from '../../reports/index.ts'

/** Faults of all chapters but the two that hide all others. */
const spread = deviations.filter(({ id }) => !/^(?:http|auth)\./.test(id))

/** The report of a gate run against a mock with this many faults, spread over the chapters. */
export async function gateReport(faults: number): Promise<Report> {
  const every = Math.floor(spread.length / Math.max(1, faults))
  const chosen = Array.from({ length: faults }, (_, index) => spread[index * every]).filter((one) => one !== undefined)
  await using mock = await createMock({ deviations: chosen, seed: 7, clock: virtualClock })
  for await (const event of run(trialProfile({}), { tier: 'gate', seed: 7, client: trialClient(mock) })) {
    if (event.type === 'finished') return createReport(event.trace, judge(event.trace))
  }
  throw new Error('the run ended without a trace')
}
