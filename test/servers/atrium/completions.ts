/**
 * The chat completions: a whole answer, a stream of text fragments, a stream of content blocks.
 * All three read the same body, and the messages sent are stored on the thread before the answer is.
 */
import { answerInBlocks, answerInFragments, answerWhole, type Turn } from './answers.ts'
import type { Call, Reply } from './call.ts'
import { bodyObject, IssueList, isObject, type JsonObject, readUuid } from './reading.ts'
import { type AssistantEntry, type MessageDraft, type Role, roles, type Thread } from './records.ts'
import { rejectWith } from './rejection.ts'

interface CompletionBody {
  readonly assistantId: string
  readonly drafts: readonly MessageDraft[]
  readonly fields: JsonObject
}

/** Whether a value is one of the four roles. */
export function isRole(value: unknown): value is Role {
  return roles.some((role) => role === value)
}

function readDraft(value: unknown, index: number, issues: IssueList): MessageDraft | null {
  const loc = ['body', 'messages', index]
  if (!isObject(value)) {
    issues.add(loc, 'model_attributes_type', 'Input should be a valid dictionary')
    return null
  }
  const { content, role } = value
  if (content === undefined) issues.missing(...loc, 'content')
  else if (typeof content !== 'string') issues.add([...loc, 'content'], 'string_type', 'Input should be a valid string')
  if (role === undefined) issues.missing(...loc, 'role')
  else if (!isRole(role)) issues.add([...loc, 'role'], 'literal_error', `Input should be one of ${roles.join(', ')}`)
  return typeof content === 'string' && isRole(role) ? { role, content } : null
}

function readDrafts(value: unknown, issues: IssueList): MessageDraft[] {
  if (value === undefined) issues.missing('body', 'messages')
  else if (!Array.isArray(value)) issues.add(['body', 'messages'], 'list_type', 'Input should be a valid list')
  if (!Array.isArray(value)) return []
  const drafts = value.map((item, index) => readDraft(item, index, issues)).filter((draft) => draft !== null)
  if (!value.some((item) => isObject(item) && item.role === 'user')) {
    issues.add(['body', 'messages'], 'value_error', 'Value error, a user message is needed')
  }
  return drafts
}

function readBody(fields: JsonObject): CompletionBody {
  const issues = new IssueList()
  const assistantId = readUuid(fields.assistant_id)
  if (fields.assistant_id === undefined) issues.missing('body', 'assistant_id')
  else if (assistantId === null) issues.add(['body', 'assistant_id'], 'uuid_parsing', 'Input should be a valid UUID')
  const drafts = readDrafts(fields.messages, issues)
  if (fields.user_id !== undefined && fields.user_id !== null && readUuid(fields.user_id) === null) {
    issues.add(['body', 'user_id'], 'uuid_parsing', 'Input should be a valid UUID')
  }
  if (fields.user_data !== undefined && fields.user_data !== null && !isObject(fields.user_data)) {
    issues.add(['body', 'user_data'], 'dict_type', 'Input should be a valid dictionary')
  }
  issues.raise()
  if (drafts.some((draft) => draft.content === '')) throw rejectWith('message_content_empty')
  return { assistantId: assistantId ?? '', drafts, fields }
}

/** The tenant's assistant of that id. */
export function assistantOf(call: Call, assistantId: string): AssistantEntry {
  const assistant = call.tenant.assistants.get(assistantId)
  if (assistant === undefined) throw rejectWith('assistant_not_available')
  return assistant
}

/** Holds a body against the fields that the assistant says it requires. */
export function demandRequiredFields(assistant: AssistantEntry, fields: JsonObject): void {
  const issues = new IssueList()
  const isAbsent = (value: unknown) => value === undefined || value === null
  for (const [place, names] of Object.entries(assistant.record.request_required_fields)) {
    const holder = place === '__root__' ? fields : fields[place]
    const path = place === '__root__' ? ['body'] : ['body', place]
    if (!isObject(holder)) continue
    for (const name of names) if (isAbsent(holder[name])) issues.missing(...path, name)
  }
  issues.raise()
}

function existingThread(call: Call): Thread | null {
  const asked = call.query.get('thread_id')
  if (asked === null || asked === '') return null
  const thread = call.state.threadOf(call.tenant.id, readUuid(asked) ?? '')
  if (thread === null) throw rejectWith('resource_not_found')
  return thread
}

async function openTurn(call: Call, streamed: boolean): Promise<Turn> {
  const body = readBody(bodyObject(await call.json()))
  const assistant = assistantOf(call, body.assistantId)
  demandRequiredFields(assistant, body.fields)
  if (streamed && !assistant.record.streaming) throw rejectWith('engine_does_not_support_streaming')
  const thread = existingThread(call) ?? call.state.openThread(call.tenant.id, true)
  for (const draft of body.drafts) {
    call.state.append(thread, draft.role === 'assistant' ? { ...draft, meta_data: {}, sources: [] } : draft)
  }
  return { state: call.state, thread, assistant }
}

/** Answers a chat completion whole. */
export async function completeChat(call: Call): Promise<Reply> {
  return { json: answerWhole(await openTurn(call, false)) }
}

/** Answers a chat completion as text fragments. */
export async function streamChat(call: Call): Promise<Reply> {
  return { lines: answerInFragments(await openTurn(call, true)) }
}

/** Answers a chat completion as content blocks. */
export async function streamChatEvents(call: Call): Promise<Reply> {
  return { lines: answerInBlocks(await openTurn(call, true)) }
}
