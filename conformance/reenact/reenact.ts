/**
 * Re-enacts a recorded run without a network: the same probes with the same seed, answered from the trace. Whether every
 * request then is the recorded one shows that the recording follows from its seed, and that nothing was left out of it.
 */

import { version } from '../../spec/index.ts'
import { type Tier, tiers } from '../profile/budget-tiers.ts'
import { minimalProfile } from '../profile/minimal-profile.ts'
import { schemaProblems } from '../profile/schema-problems.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import { run } from '../run/run.ts'
import type { Trace } from '../trace/exchange.ts'
import { recordedClient, startReading } from './recorded-client.ts'

/** `undecided`: this suite cannot decide, which proves nothing. */
export type Reenactment =
  | { readonly outcome: 'same'; readonly requests: number }
  | { readonly outcome: 'different'; readonly exchange: string | null; readonly reason: string }
  | { readonly outcome: 'undecided'; readonly reason: string }

/** Re-enacts the run of a trace. Sends nothing, runs no command of the profile, and never throws. */
export async function reenact(trace: Trace): Promise<Reenactment> {
  try {
    const script = await scriptOf(trace)
    return 'reason' in script ? { outcome: 'undecided', ...script } : await play(trace, script)
  } catch (cause) {
    return { outcome: 'undecided', reason: cause instanceof Error ? cause.message : String(cause) }
  }
}

interface Script {
  readonly profile: TargetProfile
  readonly tier: Tier
}

async function scriptOf({ header, footer }: Trace): Promise<Script | { readonly reason: string }> {
  const tier = tiers.find((name) => name === header.plan?.tier)
  if (header.source !== 'suite' || tier === undefined)
    return { reason: 'it is not the recording of a run of the suite' }
  if (header.resumed === true) return { reason: 'the recorded run was interrupted and went on later' }
  if (footer?.complete !== true) return { reason: 'the recorded run is not complete' }
  const [problem] = await schemaProblems(header.profile)
  if (problem !== undefined) return { reason: `its profile cannot be read: ${problem.reason}` }
  const profile = profileFrom(header.profile as TargetProfile)
  if (profile.threads?.kind === 'command')
    return { reason: 'its threads were made by a command of the profile, which only the holder of the profile can run' }
  return { profile, tier }
}

/** The profile of the recording; a pace would only cost time. */
function profileFrom(written: TargetProfile): TargetProfile {
  const bare = minimalProfile(written.baseUrl, written.tenants)
  const { ratePerMinute: _, ...budget } = { ...bare.budget, ...written.budget }
  return { ...bare, ...written, budget }
}

async function play(trace: Trace, { profile, tier }: Script): Promise<Reenactment> {
  const { seed, plan, startedAt, suiteVersion: madeBy } = trace.header
  const reading = startReading(trace)
  const shard = plan?.shard
  const events = run(profile, {
    tier,
    seed,
    maxExchanges: plan?.maxExchanges ?? undefined,
    maxModelCalls: plan?.maxModelCalls ?? undefined,
    reserve: plan?.reserve,
    concurrency: plan?.workers,
    shard: shard === undefined ? undefined : { index: shard.index, of: shard.count },
    client: recordedClient(reading, Date.parse(startedAt)),
  })
  let again: Trace | null = null
  for await (const event of events) if (event.type === 'finished') again = event.trace
  const difference = reading.difference ?? unfinished(trace, again, reading.left[0]?.id)
  if (difference === null) return { outcome: 'same', requests: trace.exchanges.length }
  const { exchange, place } = difference
  const reason = `${exchange ?? 'after the last exchange'}: ${place}`
  if (madeBy === version) return { outcome: 'different', exchange, reason }
  const advice = `the suite ${madeBy} recorded it and this is ${version}; verify it with ${madeBy}`
  return { outcome: 'undecided', reason: `${reason}; ${advice}` }
}

function unfinished(
  trace: Trace,
  again: Trace | null,
  left: string | undefined,
): { readonly exchange: string | null; readonly place: string } | null {
  if (left !== undefined) return { exchange: left, place: 'the run does not send this request' }
  const end = ({ footer }: Trace): string => JSON.stringify([footer?.complete, footer?.reason, footer?.modelCalls])
  if (again !== null && end(again) === end(trace)) return null
  return { exchange: null, place: `the run ends otherwise (${again?.footer?.reason ?? 'complete'})` }
}
