/**
 * Turns a routed request into a command, or into the list of all its faults. Schemas judge shape; what an assistant
 * requires of a request (contract: Assistant) is added to the same list.
 */
import { hash } from 'node:crypto'
import type { OperationId, Validator } from '../../spec/index.ts'
import type { Parsed, RequestInput } from '../exchange/request-input.ts'
import { assistantOf } from '../machine/assistants.ts'
import type { CompletionCommand, MessageDraft, RequestCommand } from '../machine/command.ts'
import type { ToolCall } from '../machine/run.ts'
import type { Role } from '../machine/state.ts'
import type { FieldFault } from '../reasons/reason.ts'
import type { JsonObject } from '../scenario/scenario.ts'
import { fieldFaults } from './field-errors.ts'
import { halfPairFaults, isEmptyContent, requiredFieldFaults, toolCallsOf } from './message-fields.ts'
import {
  type BodyOperation,
  bodyValidator,
  checkedParameters,
  type Parameter,
  parameterFaults,
  typedValue,
} from './request-validators.ts'

/** Validates a request and returns its command. */
export function parseCommand(input: RequestInput): Parsed {
  const rules = rulesOf(input.operation)
  const values: Record<string, unknown> = {}
  const faults: FieldFault[] = []
  for (const parameter of rules.parameters) {
    const value = readParameter(parameter, input)
    values[parameter.name] = value
    faults.push(...(isRepeated(parameter, input) ? [repeatedFault(parameter)] : parameterFaults(parameter, value)))
  }
  const body = input.body === undefined && rules.bodyOptional ? {} : input.body
  if (rules.validateBody !== null) faults.push(...bodyFaults(rules.validateBody, input, body))
  if (faults.length > 0) return { kind: 'rejected', rejection: { reason: 'invalid-fields', faults } }
  return { kind: 'command', command: rules.build(input, values, body as JsonObject) }
}

interface OperationRules {
  readonly parameters: readonly Parameter[]
  readonly validateBody: Validator | null
  readonly bodyOptional: boolean
  readonly build: (input: RequestInput, values: Readonly<Record<string, unknown>>, body: JsonObject) => RequestCommand
}

const rulesCache = new Map<OperationId, OperationRules>()

function rulesOf(operation: RequestInput['operation']): OperationRules {
  const known = rulesCache.get(operation)
  if (known !== undefined) return known
  const withBody = operation in bodies
  const rules: OperationRules = {
    parameters: checkedParameters(operation),
    validateBody: withBody ? bodyValidator(operation as BodyOperation) : null,
    bodyOptional: bodies[operation as BodyOperation] === 'optional',
    build: builders[operation],
  }
  rulesCache.set(operation, rules)
  return rules
}

const bodies: Readonly<Record<BodyOperation, 'required' | 'optional'>> = {
  createChatCompletion: 'required',
  streamChatCompletion: 'required',
  streamChatCompletionEvents: 'required',
  runThread: 'optional',
  streamThreadRun: 'optional',
  createMessage: 'required',
  createThread: 'optional',
}

function readParameter(parameter: Parameter, input: RequestInput): unknown {
  const text = parameter.in === 'header' ? input.header(parameter.name) : input.query?.get(parameter.name)
  if (text === undefined || text === null) return undefined
  // A nullable parameter sent empty is the null of a query string, and a required text sent empty says nothing.
  if (text === '' && (Array.isArray(parameter.type) || parameter.required)) return undefined
  return typedValue(parameter, text)
}

/** Which of two values counts is a guess, so none does. */
function isRepeated({ in: place, name }: Parameter, { query }: RequestInput): boolean {
  return place === 'query' && query !== null && query.getAll(name).length > 1
}

function repeatedFault({ in: place, name }: Parameter): FieldFault {
  return { loc: [place, name], message: 'must be given once', type: 'value_error' }
}

function bodyFaults(validate: Validator, input: RequestInput, body: unknown): readonly FieldFault[] {
  if (body === undefined) return [{ loc: ['body'], message: 'is required', type: 'missing' }]
  const found = validate(body)
  if (found.length === 1 && input.operation === 'createMessage' && isEmptyContent(found)) return []
  const faults = found.length === 0 ? halfPairFaults(input.operation, body) : fieldFaults(['body'], body, found)
  const required = requiredFields(input, body)
  return required === null ? faults : [...faults, ...requiredFieldFaults(required, body, faults)]
}

function requiredFields(input: RequestInput, body: unknown): Readonly<Record<string, readonly string[]>> | null {
  if (!input.operation.includes('ChatCompletion')) return null
  const id = (body as { assistant_id?: unknown } | null)?.assistant_id
  if (typeof id !== 'string') return null
  return assistantOf(input.caller.tenant, id)?.requiredFields ?? null
}

type Build = OperationRules['build']

const completion: Build = (input, values, body) => ({
  operation: input.operation as CompletionCommand['operation'],
  caller: input.caller,
  assistantId: String(body.assistant_id),
  threadId: textOrNull(values.thread_id),
  messages: (body.messages as readonly JsonObject[]).map(draftOf),
  digest: digestOf(input),
})

const run: Build = (input, _values, body) => ({
  operation: input.operation === 'runThread' ? 'runThread' : 'streamThreadRun',
  caller: input.caller,
  threadId: input.pathId,
  assistantId: textOrNull(body.assistant_id),
  toolsOffered: Array.isArray(body.tools) && body.tools.length > 0,
  toolsExcluded: body.tool_choice === 'none',
})

const builders: Readonly<Record<RequestInput['operation'], Build>> = {
  createChatCompletion: completion,
  streamChatCompletion: completion,
  streamChatCompletionEvents: completion,
  runThread: run,
  streamThreadRun: run,
  createThread: (input, _values, body) => ({
    operation: 'createThread',
    caller: input.caller,
    assistantId: textOrNull(body.assistant_id),
    digest: digestOf(input),
  }),
  createMessage: (input, _values, body) => ({
    operation: 'createMessage',
    caller: input.caller,
    threadId: input.pathId,
    message: draftOf(body),
  }),
  listMessages: (input, values) => ({
    operation: 'listMessages',
    caller: input.caller,
    threadId: input.pathId,
    limit: typeof values.limit === 'number' ? values.limit : defaultPageSize,
    cursor: textOrNull(values.cursor),
  }),
  listAssistants: ({ caller }) => ({ operation: 'listAssistants', caller }),
  getAssistant: ({ caller, pathId }) => ({ operation: 'getAssistant', caller, assistantId: pathId }),
  listMyApiKeys: ({ caller }) => ({ operation: 'listMyApiKeys', caller }),
  createUploadGrant: (input, values) => ({
    operation: 'createUploadGrant',
    caller: input.caller,
    filename: String(values.filename),
    persist: values.persist !== false,
    userId: String(values['user-id']),
    baseUrl: input.baseUrl,
    digest: digestOf(input),
  }),
  getFileStatus: ({ caller, pathId }) => ({ operation: 'getFileStatus', caller, fileId: pathId }),
}

/** Messages of a page when the request gives no limit (contract: Limits). */
export const defaultPageSize = 100

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function draftOf(json: JsonObject): MessageDraft {
  const role = json.role as Role
  const draft: { -readonly [Field in keyof MessageDraft]: MessageDraft[Field] } = {
    role,
    content: String(json.content),
  }
  if (role === 'assistant') {
    const toolCalls: readonly ToolCall[] | undefined = toolCallsOf(json.tool_calls)
    if (toolCalls !== undefined) draft.tool_calls = toolCalls
    if (json.meta_data !== undefined) draft.meta_data = json.meta_data
    if (json.sources !== undefined) draft.sources = json.sources
  }
  if (role === 'tool' && typeof json.tool_call_id === 'string') draft.tool_call_id = json.tool_call_id
  const fileIds = json.file_ids
  if (Array.isArray(fileIds)) draft.file_ids = fileIds.filter((id) => typeof id === 'string')
  return draft
}

/** The identity of a creating request: everything that the client chose, but not the address. */
function digestOf(input: RequestInput): string {
  const body = input.bodyBytes === null ? '' : hash('sha1', input.bodyBytes, 'base64url')
  return `${input.query?.toString() ?? ''} ${input.header('user-id') ?? ''} ${body}`
}
