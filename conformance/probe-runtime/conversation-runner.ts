/**
 * Sends the requests of a generated conversation with the ids that this target gave. Its commands name threads and
 * calls by index only. The model predicts each answer; the actual answer decides how the conversation continues.
 */
import {
  type AnswerTool,
  admissible,
  advance,
  type Conversation,
  type ConversationCommand,
  type ConversationState,
  callFor,
  callsModel,
  isPlayable,
  openingState,
  openingThreads,
} from '../../generators/index.ts'
import type { OperationId } from '../../spec/index.ts'
import type { ProbeContext } from './probe-context.ts'
import { type Answer, stringAt } from './probe-response.ts'
import type { RequestSpec } from './request-spec.ts'
import { askingMessage, newCallId, resultMessage } from './tool-calls.ts'

/** The ids behind the indices so far. */
interface Bindings {
  /** Thread ids, in the order of the model's threads. */
  readonly threads: string[]
  /** Call ids, by their number. */
  readonly calls: string[]
}

/**
 * Plays the commands in their order and reads every thread at the end; leaves out commands that this target does not
 * support.
 */
export async function runConversation(context: ProbeContext, conversation: Conversation): Promise<void> {
  const bound: Bindings = { threads: [], calls: [] }
  for (const tenant of openingThreads) {
    const thread = await context.thread(tenant)
    if (thread === null) return
    bound.threads.push(thread)
  }
  let state = openingState
  for (const command of conversation.commands) {
    if (!isPlayable(state, command)) continue
    if (callsModel(command) && context.left().modelCalls < 1) continue
    const request = await requestOf(context, command, state, bound)
    if (request === null) continue
    const answer = await context.send(request.operation, request.ask)
    const accepted = answer.outcome === 'accepted'
    if (accepted && command.kind === 'complete') bound.threads.push(completionThread(answer))
    state = advance(state, command, accepted)
  }
  for (const [index, as] of openingThreads.entries()) {
    await context.send('listMessages', { in: { thread_id: bound.threads[index] ?? '' }, as })
  }
}

interface Request {
  readonly operation: OperationId
  readonly ask: RequestSpec
}

const expectations = { must: 'accepted', may: 'either', 'must-not': 'rejected' } as const

async function requestOf(
  context: ProbeContext,
  command: ConversationCommand,
  state: ConversationState,
  bound: Bindings,
): Promise<Request | null> {
  const request =
    command.kind === 'complete' ? await completion(context, command) : await onThread(context, command, state, bound)
  if (request === null) return null
  const expects = expectations[admissible(state, command).accept]
  return { ...request, ask: { ...request.ask, as: command.as, expects, purpose: `command:${command.kind}` } }
}

async function completion(
  context: ProbeContext,
  command: ConversationCommand & { kind: 'complete' },
): Promise<Request | null> {
  const other = command.as === 'primary' ? 'secondary' : 'primary'
  const own = await context.assistant('plain', command.as)
  const ownIds = new Set((await context.assistants(command.as)).map(({ id }) => id))
  const foreign = (await context.assistants(other)).find(({ id }) => !ownIds.has(id)) ?? null
  const assistant = command.assistant === 'own' ? own : foreign
  if (assistant === null) return null
  const messages = command.roles.map((role) => ({ role, content: command.content }))
  const operation = command.stream ? 'streamChatCompletion' : 'createChatCompletion'
  return { operation, ask: { json: context.completion(assistant, { messages }) } }
}

async function onThread(
  context: ProbeContext,
  command: Exclude<ConversationCommand, { kind: 'complete' }>,
  state: ConversationState,
  bound: Bindings,
): Promise<Request | null> {
  const path = { thread_id: threadOf(command, state, bound) }
  switch (command.kind) {
    case 'list': {
      const query = command.limit === null ? [] : [['limit', String(command.limit)] as const]
      return { operation: 'listMessages', ask: { in: path, query } }
    }
    case 'run': {
      const assistant = await context.assistant('plain', command.as)
      const operation = command.stream ? 'streamThreadRun' : 'runThread'
      return assistant === null ? null : { operation, ask: { in: path, json: context.runBody(assistant) } }
    }
    case 'ask-tool': {
      const json = asking(context, state, bound)
      return json === null ? null : { operation: 'createMessage', ask: { in: path, json } }
    }
    case 'answer-tool': {
      const json = resultMessage(calledBy(context, command, state, bound), command.content, context.profile.tools)
      return { operation: 'createMessage', ask: { in: path, json } }
    }
    default: {
      const role = command.kind === 'add-message' ? command.role : 'user'
      return { operation: 'createMessage', ask: { in: path, json: { role, content: command.content } } }
    }
  }
}

function threadOf(
  command: Exclude<ConversationCommand, { kind: 'complete' }>,
  state: ConversationState,
  { threads }: Bindings,
): string {
  if (command.kind !== 'add-to-closed') return threads[command.thread % openingThreads.length] ?? ''
  const closed = [...state.threads.keys()].filter((at) => state.threads[at]?.closed)
  return threads[closed[command.closed % Math.max(1, closed.length)] ?? 0] ?? ''
}

/** A call gets the number that the model gives it next; a refused message is asked again under the same number. */
function asking(context: ProbeContext, { calls }: ConversationState, bound: Bindings): Record<string, unknown> | null {
  const { tools } = context.profile
  const id = newCallId(context)
  bound.calls[calls] = id
  return tools === null ? null : askingMessage([id], 'Let me look that up.', tools)
}

function calledBy(context: ProbeContext, command: AnswerTool, state: ConversationState, { calls }: Bindings): string {
  const number = callFor(state, command)
  return (number === null ? undefined : calls[number]) ?? context.random.uuid()
}

function completionThread({ json, lines }: Answer): string {
  return stringAt(json, '/thread_id') ?? stringAt(lines[0], '/thread_id') ?? ''
}
