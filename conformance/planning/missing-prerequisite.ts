/**
 * Names the missing prerequisite of a probe for a target. It may be a claim, a tenant, a source of threads or a way to call
 * tools.
 */

import type { Probe } from '../probes/probe.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import type { ProbeNote } from '../trace/exchange.ts'

interface MissingPrerequisite {
  readonly reason: ProbeNote['reason']
  readonly text: string
}

/** The first thing that the profile does not offer, or `null` when the probe can play. */
export function missingPrerequisite({ needs }: Probe, profile: TargetProfile): MissingPrerequisite | null {
  const unclaimed = needs.claims?.find((level) => !profile.claims.includes(level))
  if (unclaimed !== undefined) return { reason: 'not-claimed', text: `The profile does not claim ${unclaimed}.` }
  const tenant = needs.tenants?.find((name) => profile.tenants[name] === undefined)
  if (tenant !== undefined) return noFixture(`The profile has no tenant ${tenant}.`)
  if (needs.threads && profile.threads === null) return noFixture('The profile has no source of threads.')
  if (needs.throttle && profile.throttle === null) return noFixture('The profile does not give the quota of a key.')
  return missingTools(needs.tools, profile)
}

function missingTools(needed: Probe['needs']['tools'], { tools }: TargetProfile): MissingPrerequisite | null {
  if (needed === undefined) return null
  if (tools === null) return noFixture('The profile does not describe tool calls.')
  if (needed === 'asked' && tools.assistantMessage !== undefined)
    return noFixture('A client can write tool calls itself, so no model calls are spent on them.')
  if ((needed === 'prompt' || needed === 'asked') && tools.prompt === undefined)
    return noFixture('The profile has no prompt that makes an assistant ask for a tool.')
  if (needed === 'message' && tools.assistantMessage === undefined)
    return noFixture('The profile does not show how a client writes an assistant message with a tool call.')
  return null
}

function noFixture(text: string): MissingPrerequisite {
  return { reason: 'no-fixture', text }
}
