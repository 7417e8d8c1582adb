/** Resumes an interrupted run, and repeats no request that its trace shows. */
import { contractDigest, version } from '../../spec/index.ts'
import { tiers } from '../profile/budget-tiers.ts'
import { profileDigest, secretsOf } from '../profile/redact-profile.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import type { RunOptions } from '../run/run.ts'
import type { Trace } from '../trace/exchange.ts'
import { resumingClient } from './resuming-client.ts'

/** The options of the resumed run, or why it cannot be resumed. */
export function resume(trace: Trace, profile: TargetProfile): RunOptions | { readonly problem: string } {
  const { header, footer, exchanges } = trace
  const tier = tiers.find((name) => name === header.plan?.tier)
  if (header.source !== 'suite' || tier === undefined)
    return { problem: 'it is not the recording of a run of the suite' }
  if (footer?.complete === true) return { problem: 'its run is complete; acs judge judges it' }
  // A restarted target may have lost acknowledged writes, which would look like violations.
  if (footer?.reason === 'unreachable')
    return { problem: 'its target stopped answering, and may have lost what the run wrote; start a new run' }
  if (header.suiteVersion !== version || header.contractDigest !== contractDigest())
    return { problem: `the suite ${header.suiteVersion} recorded it, and this is ${version}` }
  if (header.profileDigest !== profileDigest(profile))
    return { problem: 'it was recorded with another profile, or with other options of the transport' }
  if (profile.threads?.kind === 'command')
    return { problem: 'its threads came from a command, which would create different ones now' }
  const { plan, seed } = header
  return {
    tier,
    seed,
    only: plan?.only,
    maxExchanges: plan?.maxExchanges ?? undefined,
    maxModelCalls: plan?.maxModelCalls ?? undefined,
    reserve: plan?.reserve,
    concurrency: plan?.workers,
    shard: plan?.shard === undefined ? undefined : { index: plan.shard.index, of: plan.shard.count },
    earlier: { header, exchanges, pseudonyms: knownPseudonyms(profile, header.profile) },
    client: resumingClient(trace),
  }
}

/** Secrets of the profile, with what stands for them in the trace. */
function knownPseudonyms(profile: TargetProfile, redacted: unknown): readonly (readonly [string, string])[] {
  const secrets = secretsOf(profile)
  const found = new Map<string, string>()
  const walk = (real: unknown, shown: unknown): void => {
    if (typeof real === 'string' && typeof shown === 'string') {
      for (const secret of secrets) {
        const at = real.indexOf(secret)
        if (at >= 0 && real.length === shown.length) found.set(secret, shown.slice(at, at + secret.length))
      }
    } else if (typeof real === 'object' && real !== null && typeof shown === 'object' && shown !== null)
      for (const [key, inner] of Object.entries(real)) walk(inner, Reflect.get(shown, key))
  }
  walk(profile, redacted)
  return [...found]
}
