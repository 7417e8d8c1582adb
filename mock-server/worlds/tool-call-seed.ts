/**
 * Completes tool calls of a seed that are written as a scenario writes them.
 * Calls in the form of the API stay, so that the check of a message names what is wrong in them.
 */
import { toolCall } from '../machine/choose-answer.ts'
import type { ToolCall } from '../machine/run.ts'
import { derive, type Key } from '../randomness/key.ts'
import type { FieldFault } from '../reasons/reason.ts'
import type { ToolCallScript } from '../scenario/scenario.ts'
import { type FieldRules, isRecord, object, optional, recordFaults, text } from '../state-file/field-rules.ts'
import { SeedError } from './seed-error.ts'

/** A call of the scenario's form; without an id it gets one that depends on the seed of the world alone. */
export interface ToolCallSeed extends ToolCallScript {
  readonly id?: string
}

const callRules: FieldRules = { id: optional(text), name: text, arguments: object }

/** The calls in the form of the API. Throws a SeedError that names each wrong field of a call. */
export function completedCalls(
  calls: readonly (ToolCall | ToolCallSeed)[],
  key: Key,
  place: FieldFault['loc'],
): readonly ToolCall[] {
  const faults = calls.flatMap((call, index) =>
    isOfScenario(call) ? recordFaults(call, callRules, [...place, 'tool_calls', index]) : [],
  )
  if (faults.length > 0) throw new SeedError('seed-invalid-fields', faults)
  return calls.map((call, index) => {
    if (!isOfScenario(call)) return call
    const made = toolCall(call, derive(key, 'tool call', index))
    return { ...made, id: call.id ?? made.id }
  })
}

const isOfScenario = (call: ToolCall | ToolCallSeed): call is ToolCallSeed =>
  isRecord(call) && 'name' in call && !('function' in call)
