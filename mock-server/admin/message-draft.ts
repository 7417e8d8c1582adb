/** Checks a message that an admin request puts in place: its fields and their types; the machine judges the rest. */
import { toolCallsOf } from '../http/message-fields.ts'
import { refuseField } from './admin-request.ts'

interface FieldRule {
  readonly fits: (value: unknown) => boolean
  readonly message: string
  readonly type: string
}

const roles: readonly unknown[] = ['user', 'system', 'tool', 'assistant']

const rules: Readonly<Record<string, FieldRule>> = {
  role: {
    fits: (value) => roles.includes(value),
    message: `must be one of ${roles.join(', ')}`,
    type: 'literal_error',
  },
  content: { fits: isText, message: 'must be a text', type: 'string_type' },
  tool_call_id: { fits: isText, message: 'must be a text', type: 'string_type' },
  tool_calls: { fits: areToolCalls, message: 'must be a list of tool calls', type: 'list_type' },
  file_ids: {
    fits: (value) => Array.isArray(value) && value.every(isText),
    message: 'must be a list of texts',
    type: 'list_type',
  },
  meta_data: { fits: isObject, message: 'must be an object', type: 'dict_type' },
  sources: {
    fits: (value) => Array.isArray(value) && value.every(isObject),
    message: 'must be a list of objects',
    type: 'list_type',
  },
}

const needed = ['role', 'content']

/** Refuses what is no message; `index` is its place in the list. */
export function checkDraft(message: unknown, index: number): void {
  const fields: Readonly<Record<string, unknown>> = isObject(message) ? message : {}
  const loc = ['body', 'messages', index]
  for (const name of new Set([...needed, ...Object.keys(fields)])) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === undefined) throw refuseField([...loc, name], 'is no field of a message', 'extra_forbidden')
    if (!rule.fits(fields[name])) throw refuseField([...loc, name], rule.message, rule.type)
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function areToolCalls(value: unknown): boolean {
  return Array.isArray(value) && toolCallsOf(value)?.length === value.length
}
