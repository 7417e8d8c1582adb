/** Runs the suite on the mock as a whole and in parts, and names where the merged report differs. */
import { trialClient } from '../../cli/prove/trial.ts'
import { virtualClock } from '../../cli/prove/virtual-time.ts'
import { referenceProfile } from '../../cli/reference-profile.ts'
import { judge, mergeTraces, type RunOptions, run, type TargetProfile, type Trace } from '../../conformance/index.ts'
import { createMock, type Mock, type MockOptions } from '../../mock-server/index.ts'
import { createReport, type Report } from '../../reports/index.ts'
import { obligationKey } from '../../spec/index.ts'

const full = referenceProfile('http://acs.mock')
const { assistantMessage: _, ...askedTools } = full.tools ?? { callIds: '', resultField: '' }

/** Profiles that offer more or less, because what a part lacks must not depend on its profile. */
export const profiles: Readonly<Record<string, TargetProfile>> = {
  'everything is offered': full,
  'only assistants write tool calls': { ...full, tools: askedTools },
  'no source of threads': { ...full, threads: null, claims: ['core', 'streaming', 'events'] },
  'one tenant': {
    ...full,
    tenants: { primary: full.tenants.primary },
    claims: full.claims.filter((level) => level !== 'tenancy'),
  },
}

interface ShardedRun {
  readonly seed: number
  readonly parts: number
  readonly tier: 'smoke' | 'gate'
  readonly profile: TargetProfile
  /** What the mock does wrong. */
  readonly deviations?: MockOptions['deviations']
}

/** The whole run and the merged one, both with the same seed, each on a new mock. */
export const wholeAndMerged = async ({ seed, parts, tier, profile, deviations = [] }: ShardedRun) => {
  await using undivided = await createMock({ seed, deviations, clock: virtualClock })
  const whole = reportOf(await traceOf(undivided, profile, { tier, seed }))
  await using divided = await createMock({ seed, deviations, clock: virtualClock })
  const traces: Trace[] = []
  for (let index = 1; index <= parts; index += 1)
    traces.push(await traceOf(divided, profile, { tier, seed, shard: { index, of: parts } }))
  return { whole, merged: reportOf(mergeTraces(traces)) }
}

/**
 * One line for each obligation with another outcome. Each part has caps of its own and repeats what
 * others build on, so the parts may decide what the whole run left open. Whether two requests met in time is left to chance in either run.
 */
export const differences = (whole: Report, merged: Report): readonly string[] => {
  const [expected, actual] = [whole, merged].map(({ verdicts }) => new Map(verdicts.map((v) => [obligationKey(v), v])))
  const keys = [...new Set([...(expected?.keys() ?? []), ...(actual?.keys() ?? [])])]
  return keys.flatMap((key) => {
    const [one, other] = [expected?.get(key), actual?.get(key)]
    if (one?.outcome === other?.outcome || one?.requirement === 'threads.concurrent-creates') return []
    const isOpen = one?.outcome === 'unexercised' || one?.outcome === 'inconclusive'
    if (isOpen && other?.outcome === 'upheld') return []
    return [`${key}: ${one?.outcome} (${one?.reason ?? ''}), merged ${other?.outcome} (${other?.reason ?? ''})`]
  })
}

const reportOf = (trace: Trace): Report => createReport(trace, judge(trace))

const traceOf = async (mock: Mock, profile: TargetProfile, options: RunOptions): Promise<Trace> => {
  for await (const event of run(profile, { ...options, client: trialClient(mock) })) {
    if (event.type === 'finished') return event.trace
  }
  throw new Error('the run ended without a trace')
}
