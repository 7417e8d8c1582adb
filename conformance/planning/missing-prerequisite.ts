/**
 * Names the missing prerequisite of a probe for a target. It may be a claim, a tenant, a source of threads or a way to call
 * tools.
 */

import type { Probe } from '../probes/probe.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import type { ProbeNote } from '../trace/exchange.ts'

interface Lack {
  readonly reason: ProbeNote['reason']
  readonly text: string
  /** The field of the profile that would offer it. */
  readonly setting?: string
}

export interface MissingPrerequisite {
  readonly reason: ProbeNote['reason']
  readonly text: string
  /** The fields of the profile without which the probe cannot play. */
  readonly settings: readonly string[]
}

/** What the profile does not offer, with the text of the first thing, or `null` when the probe can play. */
export function missingPrerequisite({ needs }: Probe, profile: TargetProfile): MissingPrerequisite | null {
  const lacks = [...lacksOf(needs, profile)]
  const [first] = lacks
  if (first === undefined) return null
  return { reason: first.reason, text: first.text, settings: lacks.flatMap(({ setting }) => setting ?? []) }
}

function* lacksOf(needs: Probe['needs'], profile: TargetProfile): Generator<Lack> {
  for (const level of needs.claims ?? [])
    if (!profile.claims.includes(level))
      yield { reason: 'not-claimed', text: `The profile does not claim ${level}.`, setting: 'claims' }
  for (const tenant of needs.tenants ?? [])
    if (profile.tenants[tenant] === undefined)
      yield noFixture(`The profile has no tenant ${tenant}.`, `tenants.${tenant}`)
  if (needs.threads && profile.threads === null) yield noFixture('The profile has no source of threads.', 'threads')
  if (needs.throttle && profile.throttle === null)
    yield noFixture('The profile does not give the quota of a key.', 'throttle')
  yield* missingTools(needs.tools, profile)
}

function* missingTools(needed: Probe['needs']['tools'], { tools }: TargetProfile): Generator<Lack> {
  if (needed === undefined) return
  if (tools === null) return void (yield noFixture('The profile does not describe tool calls.', 'tools'))
  if (needed === 'asked' && tools.assistantMessage !== undefined)
    yield noFixture('A client can write tool calls itself, so no model calls are spent on them.')
  if ((needed === 'prompt' || needed === 'asked') && tools.prompt === undefined)
    yield noFixture('The profile has no prompt that makes an assistant ask for a tool.', 'tools.prompt')
  if (needed === 'message' && tools.assistantMessage === undefined)
    yield noFixture(
      'The profile does not show how a client writes an assistant message with a tool call.',
      'tools.assistantMessage',
    )
}

function noFixture(text: string, setting?: string): Lack {
  return { reason: 'no-fixture', text, ...(setting !== undefined && { setting }) }
}
