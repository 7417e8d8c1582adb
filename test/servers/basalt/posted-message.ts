/**
 * Reads the body of a posted message: text, role, attachments and tool fields.
 * An assistant message that is posted gets metadata by the schema of the thread's assistant.
 */
import { type Exchange, engineOf } from './exchange.ts'
import { parseId } from './identity.ts'
import type { MessageContent, Thread, ToolRequest } from './model.ts'
import { failure, type Outcome, otherFailure, success } from './outcome.ts'
import { type Fields, isFields, readContent, readFields } from './request-reader.ts'

function readToolRequests(value: unknown): Outcome<ToolRequest[]> {
  const items = value ?? []
  if (!Array.isArray(items)) return otherFailure('invalid_argument', 'tool_requests is an array')
  const requests = items.filter(isFields).flatMap(({ call_id, tool, input }) => {
    const isWhole = typeof call_id === 'string' && call_id !== '' && typeof tool === 'string'
    return isWhole ? [{ call_id, tool, input: isFields(input) ? input : {} }] : []
  })
  if (requests.length < items.length) return otherFailure('invalid_argument', 'A tool request has a call_id and a tool')
  return success(requests)
}

function readAttachments({ platform, tenant }: Exchange, value: unknown): Outcome<{ file_id: string }[]> {
  const items = value ?? []
  if (!Array.isArray(items)) return otherFailure('invalid_argument', 'attachments is an array')
  const ids = items.map((item) => (isFields(item) ? parseId(item.file_id) : null))
  const known = ids.filter((id) => id !== null).filter((id) => platform.files.state(tenant.id, id) !== null)
  if (known.length < ids.length) return failure('resource_not_found')
  return success(known.map((file_id) => ({ file_id })))
}

function readAssistantPart(
  exchange: Exchange,
  thread: Thread,
  content: string,
  fields: Fields,
): Outcome<Partial<MessageContent>> {
  const requests = readToolRequests(fields.tool_requests)
  if (!requests.ok) return requests
  const engine = engineOf(exchange.tenant, thread.assistantId)
  const meta_data = engine.ok ? engine.value.metaData(content) : {}
  return success({ meta_data, sources: [], tool_requests: requests.value })
}

/** The message in a body, checked on its own; its place in the thread is another matter. */
export function readPostedMessage(exchange: Exchange, thread: Thread): Outcome<MessageContent> {
  const read = readFields(exchange.body)
  if (!read.ok) return read
  const fields = read.value
  const { role } = fields
  if (role !== 'user' && role !== 'system' && role !== 'tool' && role !== 'assistant') {
    return otherFailure('invalid_argument', 'role is user, system, tool or assistant')
  }
  const content = readContent(fields)
  if (!content.ok) return content
  const attachments = readAttachments(exchange, fields.attachments)
  if (!attachments.ok) return attachments
  const base: MessageContent = { role, content: content.value, attachments: attachments.value }
  if (role === 'assistant') {
    const part = readAssistantPart(exchange, thread, content.value, fields)
    return part.ok ? success({ ...base, ...part.value }) : part
  }
  const { tool_call_id } = fields
  return success(role === 'tool' && typeof tool_call_id === 'string' ? { ...base, tool_call_id } : base)
}
