/**
 * Which obligations a target owes: what it claims, what its own records make possible, and what no black box can provoke.
 * Settled before any evidence is looked at, so that an empty run cannot look like a good one.
 */
import {
  type ConformanceLevel,
  isTestable,
  type Obligation,
  operations,
  type Requirement,
  type RequirementId,
  requirements,
} from '../../spec/index.ts'
import { hasField } from '../classify/json.ts'
import { isRefusal, type Reading } from '../classify/reading.ts'
import { withOnlyDoubt } from '../gaps/observer.ts'
import type { Docket } from './docket.ts'

/** One obligation with its place in this run. */
export interface Due {
  readonly row: Requirement
  readonly obligation: Obligation
  /** Why it does not apply to this target, or `null`. */
  readonly inapplicable: string | null
  /** Whether a run without a verdict on it is incomplete. */
  readonly isOwed: boolean
}

/** All obligations of the contract, in the order of the rows. */
export function duesOf(docket: Docket, strict: boolean): readonly Due[] {
  return (requirements as readonly Requirement[]).filter(isTestable).flatMap((row) => rowDues(row, docket, strict))
}

function rowDues(row: Requirement, docket: Docket, strict: boolean): readonly Due[] {
  const rulesOut = conditions[row.id]
  return Object.entries(row.owedBy).flatMap(([operation, facets]) => {
    const id = operation as Obligation['operation']
    const unclaimedLevels = unclaimed([...operations[id].levels, ...(row.needs ?? [])], docket)
    const list: readonly (string | null)[] = facets.length === 0 ? [null] : facets
    return list.map((facet) => {
      const inapplicable = unclaimedLevels ?? rulesOut?.(docket, facet) ?? null
      const isOwed = inapplicable === null && row.owed !== 'when-seen' && isBlocking(row, strict)
      return { row, obligation: { requirement: row.id, operation: id, facet }, inapplicable, isOwed }
    })
  })
}

/** Whether a violation makes the target nonconformant: what the contract states as a must, and its implications when strict. */
export const isBlocking = ({ level, basis }: Pick<Requirement, 'level' | 'basis'>, strict: boolean): boolean =>
  level === 'must' && (basis === 'stated' || strict)

function unclaimed(levels: readonly ConformanceLevel[], { profile }: Docket): string | null {
  const missing = [...new Set(levels)].filter((level) => !profile.claims.has(level))
  return missing.length === 0 ? null : `not claimed: ${missing.join(', ')}`
}

/** Rules whose "if" a target's own records rule out; nothing is left to refuse or to show then. */
type Condition = (docket: Docket, facet: string | null) => string | null

const conditions: Readonly<Partial<Record<string, Condition>>> = {
  'streams.run-refused-without-support': (docket) =>
    everyStreams(docket, true) ? 'every listed assistant streams, so none has an engine that cannot' : null,
  'streams.streaming-assistant-streams': (docket) =>
    everyStreams(docket, false) ? 'no listed assistant streams' : null,
  'errors.rate-limit': ({ profile }) =>
    profile.tenants.has('throttled') ? null : 'the profile names no throttled key, and the contract no quota',
  'threads.stream-ends-on-user-or-tool': (docket, facet) => (facet === 'system' ? noLateSystem(docket) : null),
  'threads.server-sets-identity': (docket) =>
    docket.of('createMessage').some(triesIdentity) && docket.of('createMessage').filter(triesIdentity).every(isRefusal)
      ? 'the target takes no message that tries to set them'
      : null,
  'tools.matched-by-assistant-only': (docket) =>
    isAlwaysRefused(docket, 'a body field that the contract does not show')
      ? 'the target takes no message of a user that carries a call id'
      : null,
  'tools.matched-behind-other-results': onlySingleCalls,
  'tools.run-needs-tool-messages': (docket, facet) => (facet === 'some-answered' ? onlySingleCalls(docket) : null),
  'tenancy.foreign-assistant-refused': allShared,
  'tenancy.foreign-assistant-hidden': allShared,
} satisfies Partial<Record<RequirementId, Condition>>

const triesIdentity = ({ body }: Reading): boolean =>
  body.kind === 'json' && ['id', 'thread_id', 'created_at'].some((name) => hasField(body.value, name))

const noLateSystem = (docket: Docket): string | null =>
  isAlwaysRefused(docket, 'a system message that may not be the first')
    ? 'the target takes no system message behind others, as it may'
    : null

/** Whether messages that the contract leaves open in this way were sent, and every one of them was refused. */
function isAlwaysRefused(docket: Docket, about: string): boolean {
  const decided = [...withOnlyDoubt(docket, ['createMessage'], about)]
  return decided.length > 0 && decided.every(isRefusal)
}

/** Some of the calls are answered only where an assistant asks for several at once; a client that can write calls can always ask so. */
function onlySingleCalls({ profile, ledger }: Docket): string | null {
  if (profile.tools === null || profile.tools.assistantMessage !== undefined) return null
  const counts = ledger.threads
    .flatMap(({ writes }) => writes.map(({ calls }) => calls.length))
    .filter((count) => count > 0)
  const isSingle = counts.length > 0 && counts.every((count) => count === 1)
  return isSingle
    ? 'the assistants ask for one call at a time, and no client can write a message that asks for several'
    : null
}

function everyStreams({ book }: Docket, streams: boolean): boolean {
  const records = [...(book.listedFor('primary')?.values() ?? [])]
  return records.length > 0 && records.every(({ streaming }) => streaming === streams)
}

function allShared({ book }: Docket): string | null {
  const primary = book.listedFor('primary')
  const secondary = book.listedFor('secondary')
  if (primary === null || secondary === null || primary.size === 0 || secondary.size === 0) return null
  const isShared = primary.size === secondary.size && [...primary.keys()].every((id) => secondary.has(id))
  return isShared ? 'both tenants list the same assistants' : null
}
