/**
 * Checks the parts of a message that no schema of an operation covers.
 * These are fields that an assistant requires, empty content with its own error code, and tool calls inside a completion.
 */
import { completionOperations, type OperationId, validatorFor } from '../../spec/index.ts'
import type { ToolCall } from '../machine/run.ts'
import type { FieldFault } from '../reasons/reason.ts'
import type { SchemaFault } from './field-errors.ts'

/** Whether an empty `content` is the only finding of a schema: it has its own error code (contract: Errors). */
export function isEmptyContent(found: readonly SchemaFault[]): boolean {
  return found.every((fault) => fault.instancePath === '/content' && fault.keyword === 'minLength')
}

/** Contents of a sound body that no UTF-8 can carry: readers would get other characters than were sent. */
export function halfPairFaults(operation: OperationId, body: unknown): readonly FieldFault[] {
  const { messages = [] } = body as { readonly messages?: readonly unknown[] }
  if (operation === 'createMessage') return halfPairFault(body, [])
  if (!completionOperations.some((one) => one === operation)) return []
  return messages.flatMap((message, index) => halfPairFault(message, ['messages', index]))
}

function halfPairFault(holder: unknown, path: readonly (string | number)[]): readonly FieldFault[] {
  const { content } = holder as { readonly content?: unknown }
  if (typeof content !== 'string' || content.isWellFormed()) return []
  const message = 'must not hold half of a surrogate pair'
  return [{ loc: ['body', ...path, 'content'], message, type: 'string_unicode' }]
}

/** Fields that the assistant requires and the body lacks, leaving out what is already reported. */
export function requiredFieldFaults(
  required: Readonly<Record<string, readonly string[]>>,
  body: unknown,
  reported: readonly FieldFault[],
): readonly FieldFault[] {
  const seen = new Set(reported.map((fault) => fault.loc.join('/')))
  return Object.entries(required).flatMap(([path, fields]) => {
    const segments = path === '__root__' ? [] : path.split('.')
    const holder = segments.reduce<unknown>(fieldOf, body)
    if (typeof holder !== 'object' || holder === null) return []
    return fields
      .filter((field) => fieldOf(holder, field) === undefined)
      .map((field): FieldFault => ({ loc: ['body', ...segments, field], message: 'is required', type: 'missing' }))
      .filter((fault) => !seen.has(fault.loc.join('/')))
  })
}

function fieldOf(holder: unknown, field: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, field)) return undefined
  return (holder as Readonly<Record<string, unknown>>)[field]
}

const validateToolCall = validatorFor('ToolCall', 'reference')

/** The well-formed tool calls of an assistant message. */
export function toolCallsOf(value: unknown): readonly ToolCall[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.filter((call): call is ToolCall => validateToolCall(call).length === 0)
}
