/**
 * Tool calls in the shape of a vendor: read from its requests, written into its answers.
 * Inside, the mock keeps its own shape, so that rules, exports and stored state do not know of it.
 */
import type { HookOverride } from '../exchange/hooks.ts'
import { editAt, isObject } from '../overrides/json-edit.ts'
import { overrideAccepted } from '../overrides/replies.ts'
import { misparseRequests } from '../overrides/rules.ts'
import { everyChunk, overrideChunk } from '../overrides/streams.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import { placeOf, stepsOf, valueAt, withValueAt } from './pointer.ts'
import type { VendorTarget } from './vendor-target.ts'

/** Where the parts of a call stand. */
interface CallShape {
  readonly list: readonly string[]
  readonly id: readonly string[]
  readonly name: readonly string[]
  readonly arguments: readonly string[]
  /** Whether arguments are an object rather than its JSON text. */
  readonly isParsed: boolean
  /** What else a call holds. */
  readonly rest: JsonObject
}

const messageOperations = ['createMessage', 'runThread', 'createChatCompletion', 'listMessages'] as const
const completions = ['createChatCompletion', 'streamChatCompletion', 'streamChatCompletionEvents'] as const

/** Overrides for a mapping; `null` when its pointer names no list. */
export function toolOverrides(tools: NonNullable<VendorTarget['tools']>): readonly HookOverride[] | null {
  const shape = shapeOf(tools)
  if (shape === null) return null
  const { resultField } = tools
  const isOwn = tools.callIds === '/tool_calls/*/id' && shape.arguments.join('/') === 'function/arguments'
  if (isOwn && resultField === 'tool_call_id') return []
  const shown = (message: Json): Json => (isObject(message) ? toVendor(message, shape, resultField) : message)
  const read = (message: Json): Json => (isObject(message) ? fromVendor(message, shape, resultField) : message)
  return [
    overrideAccepted(messageOperations, shown),
    overrideChunk(
      'any',
      everyChunk,
      editAt('delta', (delta) => shown(delta)),
    ),
    misparseRequests('createMessage', (input) => ({ ...input, body: readBody(input.body, read) })),
    misparseRequests(completions, (input) => ({
      ...input,
      body: readBody(input.body, editAt('messages.*', read)),
    })),
  ]
}

/** A body that is no JSON stays what it is: the mock refuses it by itself. */
function readBody(body: unknown, read: (json: Json) => Json): unknown {
  return isObject(body) ? read(body) : body
}

/** The shape of a mapping; `null` when its pointer names no list. */
export function shapeOf({ callIds, assistantMessage }: NonNullable<VendorTarget['tools']>): CallShape | null {
  const steps = stepsOf(callIds)
  const star = steps.indexOf('*')
  const [list, id] = [steps.slice(0, star), steps.slice(star + 1)]
  if (star < 1 || id.length === 0 || id.includes('*')) return null
  const calls = isObject(assistantMessage) ? valueAt(assistantMessage, list) : undefined
  const template = Array.isArray(calls) ? calls.find((call) => placeOf(call, '{{tool_call_id}}') !== null) : undefined
  const own = { id: '', type: 'function', function: { name: '', arguments: '' } }
  const rest = withValueAt(isObject(template) ? template : withValueAt(own, ['id'], undefined), id, '') as JsonObject
  const name = stepsTo(rest, /(?:^|_)name$/i, id)
  const parameters = stepsTo(rest, /arg|input|param/i, id)
  if (name === null || parameters === null) return null
  return { list, id, name, arguments: parameters, isParsed: isObject(valueAt(rest, parameters)), rest }
}

/** Steps to the first field whose name fits. */
function stepsTo(json: JsonObject, fits: RegExp, except: readonly string[]): readonly string[] | null {
  for (const [field, value] of Object.entries(json)) {
    if (fits.test(field) && except[0] !== field) return [field]
    const below = isObject(value) ? stepsTo(value, fits, []) : null
    if (below !== null) return [field, ...below]
  }
  return null
}

function toVendor(message: JsonObject, shape: CallShape, resultField: string): Json {
  const { tool_calls: calls, tool_call_id: answered, ...plain } = message
  const withResult = answered === undefined ? plain : { ...plain, [resultField]: answered }
  if (!Array.isArray(calls)) return withResult
  const shown = calls.map((call: Json) => {
    const text = String(valueAt(call, ['function', 'arguments']) ?? '{}')
    const named = withValueAt(shape.rest, shape.name, valueAt(call, ['function', 'name']))
    const filled = withValueAt(named, shape.arguments, shape.isParsed ? (JSON.parse(text) as Json) : text)
    return withValueAt(filled, shape.id, valueAt(call, ['id']))
  })
  return withValueAt(withResult, shape.list, shown)
}

function fromVendor(message: JsonObject, shape: CallShape, resultField: string): Json {
  const calls = valueAt(message, shape.list)
  const answered = message[resultField]
  const plain = withValueAt(withValueAt(message, shape.list, undefined), [resultField], undefined) as JsonObject
  return {
    ...plain,
    ...(answered === undefined ? null : { tool_call_id: answered }),
    ...(Array.isArray(calls) ? { tool_calls: calls.map((call: Json) => callOf(call, shape)) } : null),
  }
}

function callOf(call: Json, shape: CallShape): JsonObject {
  const given = valueAt(call, shape.arguments) ?? {}
  return {
    id: valueAt(call, shape.id) ?? null,
    type: 'function',
    function: {
      name: valueAt(call, shape.name) ?? 'tool',
      arguments: typeof given === 'string' ? given : JSON.stringify(given),
    },
  }
}
