/**
 * Reads and writes tool calls in the shape that the profile describes. The contract shows none, so the profile says
 * where the ids of calls stand, how an assistant message asks and how a message answers.
 */
import { holdsOneCall } from '../judge/history/writes.ts'
import { isUuid } from '../judge/read/formats.ts'
import { valuesAt } from '../judge/read/json.ts'
import { filledFields } from '../preflight/template.ts'
import type { ToolMapping } from '../profile/target-profile.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'

/** The name that the contract's own rules use, for profiles without a mapping. */
const contractField = 'tool_call_id'

/** Draws ids of calls. */
export interface CallIdSource {
  readonly random: SeededRandom
  /** Whether the target takes UUIDs alone, as far as answers show. */
  readonly needsUuidCalls: () => boolean
}

/** An id in the style of services, which differ in prefix and length, or a UUID. */
export function newCallId({ random, needsUuidCalls }: CallIdSource): string {
  return needsUuidCalls() ? random.uuid() : styledCallId(random)
}

function styledCallId(random: SeededRandom): string {
  const digits = random.uuid().replaceAll('-', '')
  const forms = [`call_${digits.slice(0, 24)}`, `toolu_01${digits.slice(0, 22)}`, `chatcmpl-tool-${digits}`] as const
  return forms[Number.parseInt(digits.slice(0, 6), 16) % forms.length] ?? forms[0]
}

/** An id of digits alone: tables whose keys become numbers do not find it, and loose comparisons find it with a zero before it. */
export function numericCallId(random: SeededRandom): string {
  return `${1_000_000 + random.below(9_000_000)}`
}

/** Whether no service can refuse the ids for their form. */
export const areUuids = (ids: readonly string[]): boolean => ids.every((id) => isUuid(id))

/** Ids of at least one call. */
export type CallIds = readonly [string, ...string[]]

/** Ids for the calls of one message: so many, or one where a message has room for no more. */
export function newCallIds(source: CallIdSource, count: number, mapping: ToolMapping): CallIds {
  const more = holdsOneCall(mapping) ? 0 : count - 1
  return [newCallId(source), ...Array.from({ length: more }, () => newCallId(source))]
}

/** The same; in every second run the last id is one for the whole run: calls of two threads have it, and each may be answered. */
export function callIdsOfTwoThreads(source: CallIdSource, count: number, mapping: ToolMapping): CallIds {
  const ids = newCallIds(source, count, mapping)
  const { runNumber } = source.random
  if (runNumber % 2 === 0 || ids.length === 1) return ids
  const random = seededRandom(runNumber, 'call id of two threads')
  return [ids[0], ...ids.slice(1, -1), newCallId({ ...source, random })]
}

/**
 * Ids that only a careless comparison takes for this one: without its end, and with a blank or two letters swapped, in turn. Those
 * of a UUID are UUIDs, since other ids may be refused for their form.
 */
export function nearMisses(call: string, { runNumber }: SeededRandom): readonly string[] {
  if (areUuids([call])) return [call.replace(/.$/, (last) => (last === '0' ? '1' : '0')), withLettersSwapped(call)]
  return [call.slice(0, -1), runNumber % 2 === 0 ? `${call} ` : withLettersSwapped(call)]
}

/** Swaps the last two differing neighbours: a weak hash stays the same. */
function withLettersSwapped(call: string): string {
  return call.replace(/(.)(?!\1)(.)(\2*)$/, '$2$1$3')
}

/** The ids of the calls in an assistant message, in its order. */
export function callIdsIn(message: unknown, mapping: ToolMapping): readonly string[] {
  return valuesAt(message, mapping.callIds).filter((id): id is string => typeof id === 'string')
}

/** The body of an assistant message that asks for these calls, or `null` when the profile shows no way to write one. */
export function askingMessage(
  callIds: readonly string[],
  content: string,
  mapping: ToolMapping,
): Record<string, unknown> | null {
  if (mapping.assistantMessage === undefined) return null
  const one = callIds.map((tool_call_id) => filledFields(mapping.assistantMessage, { tool_call_id }))
  return { role: 'assistant', content, ...one.reduce(merged, {}) }
}

/** The body of a tool message that answers one call. */
export function resultMessage(callId: string, content: string, mapping: ToolMapping | null): Record<string, unknown> {
  return { role: 'tool', content, [mapping?.resultField ?? contractField]: callId }
}

/** Lists of two templates joined, everything else from the later one. */
function merged(left: Record<string, unknown>, right: Record<string, unknown>): Record<string, unknown> {
  const joined = Object.entries(right).map(([key, value]) => {
    const before = left[key]
    return [key, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value] as const
  })
  return { ...left, ...Object.fromEntries(joined) }
}
