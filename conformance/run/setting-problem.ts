/** Finds faults of a profile by itself: claims without means to judge them, and settings that contradict each other. */
import { askingMessage, callIdsIn } from '../probe-runtime/tool-calls.ts'
import type { TargetProfile, ToolMapping } from '../profile/target-profile.ts'

export interface SettingProblem {
  readonly kind: 'setting'
  /** The field of the profile. */
  readonly field: string
  /** The problem; may hold text of the target. */
  readonly seen: string
  readonly fix: string
}

/** The problem in one line. */
export const settingText = ({ field, seen, fix }: SettingProblem): string => `${field}: ${seen}; ${fix}`

/** Claims that nothing in the profile lets a run judge, and settings that contradict each other; asks nothing. */
export function contradictionsIn({
  claims,
  tenants,
  threads,
  tools,
  throttle,
}: TargetProfile): readonly SettingProblem[] {
  const lacks = (level: (typeof claims)[number], what: string, field: string): readonly SettingProblem[] =>
    claims.includes(level)
      ? [claimProblem(`${level} is claimed, but the profile ${what}`, `add ${field}, or claim less`)]
      : []
  return [
    ...(claims.length === 0 ? [claimProblem('nothing is claimed', 'claim at least core, or leave claims out')] : []),
    ...(threads === null ? lacks('threads', 'names no source of threads', 'threads') : []),
    ...(tenants.secondary === undefined ? lacks('tenancy', 'has no key for a second tenant', 'tenants.secondary') : []),
    ...(throttle !== null && tenants.throttled === undefined ? [keylessQuota] : []),
    ...(throttle === null && tenants.throttled !== undefined ? [untoldQuota] : []),
    ...(tools === null ? lacks('tools', 'does not describe tool calls', 'tools') : mappingProblems(tools)),
  ]
}

const keylessQuota: SettingProblem = {
  kind: 'setting',
  field: 'throttle',
  seen: 'it gives the quota of a key that the profile does not have',
  fix: 'add tenants.throttled, or leave throttle out',
}

const untoldQuota: SettingProblem = {
  kind: 'setting',
  field: 'tenants.throttled',
  seen: 'the quota of the key is not given',
  fix: 'add throttle.requests, a number that certainly exceeds it, or leave the key out',
}

const claimProblem = (seen: string, fix: string): SettingProblem => ({ kind: 'setting', field: 'claims', seen, fix })

function mappingProblems(tools: ToolMapping): readonly SettingProblem[] {
  const asking = askingMessage(['call-1'], '', tools)
  if (asking === null || callIdsIn(asking, tools).includes('call-1')) return []
  return [
    {
      kind: 'setting',
      field: 'tools.callIds',
      seen: `${tools.callIds} finds no id in a message created from tools.assistantMessage`,
      fix: 'both must describe the same message, with {{tool_call_id}} where callIds points',
    },
  ]
}
