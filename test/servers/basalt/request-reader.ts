/**
 * Reads bodies strictly and gives violations in the manner of bean validation: constraint names as types, path
 * segments as texts. Completion bodies may hold no unknown fields, since the contract shows none beyond these.
 */
import { parseId } from './identity.ts'
import type { MessageContent, Role } from './model.ts'
import { type FieldViolation, failure, type Outcome, otherFailure, success, violation } from './outcome.ts'

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** The parts of a completion body that the service uses. */
interface CompletionRequest {
  readonly assistantId: string | null
  readonly messages: readonly MessageContent[]
  readonly fields: Fields
}

const completionFields = ['assistant_id', 'messages', 'user_id', 'user_data', 'metadata']

/** Whether a value is a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One violation. */
export function broken(type: string, message: string, ...loc: string[]): FieldViolation {
  return { loc, message, type }
}

/** The body as an object; an empty body counts as an empty object. */
export function readFields(body: string): Outcome<Fields> {
  try {
    const value: unknown = body.trim() === '' ? {} : JSON.parse(body)
    return isFields(value) ? success(value) : violation([broken('Object', 'must be an object', 'body')])
  } catch {
    return otherFailure('malformed_json', 'The body cannot be read as JSON')
  }
}

function checkMessage(value: unknown, index: string): FieldViolation[] {
  const loc = ['body', 'messages', index]
  if (!isFields(value)) return [broken('Object', 'must be an object', ...loc)]
  const found: FieldViolation[] = []
  if (value.content === undefined || value.content === null) {
    found.push(broken('NotNull', 'must not be null', ...loc, 'content'))
  } else if (typeof value.content !== 'string' || value.content.trim() === '') {
    found.push(broken('NotBlank', 'must not be blank', ...loc, 'content'))
  }
  if (value.role === undefined) found.push(broken('NotNull', 'must not be null', ...loc, 'role'))
  else if (!isCompletionRole(value.role)) found.push(broken('Enum', 'is not a role allowed here', ...loc, 'role'))
  return found
}

function isCompletionRole(value: unknown): value is Role {
  return value === 'user' || value === 'system' || value === 'assistant'
}

function checkMessages(value: unknown): FieldViolation[] {
  if (value === undefined || value === null) return [broken('NotNull', 'must not be null', 'body', 'messages')]
  if (!Array.isArray(value)) return [broken('Array', 'must be an array', 'body', 'messages')]
  const found = value.flatMap((item, index) => checkMessage(item, String(index)))
  const hasUser = value.some((item) => isFields(item) && item.role === 'user')
  return hasUser ? found : [...found, broken('Size', 'must hold a user message', 'body', 'messages')]
}

function checkId(fields: Fields, name: string, isRequired: boolean): FieldViolation[] {
  const value = fields[name]
  if (value === undefined || value === null) {
    return isRequired ? [broken('NotNull', 'must not be null', 'body', name)] : []
  }
  return parseId(value) === null ? [broken('UUID', 'must be a valid UUID', 'body', name)] : []
}

function checkUserData(fields: Fields): FieldViolation[] {
  const isFine = fields.user_data === undefined || isFields(fields.user_data)
  return isFine ? [] : [broken('Object', 'must be an object', 'body', 'user_data')]
}

function contentsOf(messages: unknown): MessageContent[] {
  if (!Array.isArray(messages)) return []
  return messages.filter(isFields).flatMap(({ role, content }) => {
    return isCompletionRole(role) && typeof content === 'string' ? [{ role, content, attachments: [] }] : []
  })
}

/** A completion body, or every violation in it. */
export function readCompletion(body: string): Outcome<CompletionRequest> {
  const read = readFields(body)
  if (!read.ok) return read
  const fields = read.value
  const unknownNames = Object.keys(fields).filter((name) => !completionFields.includes(name))
  const violations = [
    ...checkId(fields, 'assistant_id', true),
    ...checkMessages(fields.messages),
    ...checkId(fields, 'user_id', false),
    ...checkUserData(fields),
    ...unknownNames.map((name) => broken('UnknownField', 'is not known', 'body', name)),
  ]
  if (violations.length > 0) return violation(violations)
  return success({ assistantId: parseId(fields.assistant_id), messages: contentsOf(fields.messages), fields })
}

/** The text of a posted message; blank, null and absent all count as empty. */
export function readContent(fields: Fields): Outcome<string> {
  const { content } = fields
  if (content === undefined || content === null) return failure('message_content_empty')
  if (typeof content !== 'string') return otherFailure('invalid_argument', 'content is a text')
  return content.trim() === '' ? failure('message_content_empty') : success(content)
}
