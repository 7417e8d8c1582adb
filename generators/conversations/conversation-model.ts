/**
 * Models the contract as a state machine: the state, the playable commands, the allowed outcomes.
 * The answer of a model is never predicted, only that a message was added.
 */
import {
  type AddMessage,
  type AnswerTool,
  type Complete,
  type ConversationCommand,
  openingThreads,
  type RunThread,
  type Speaker,
} from './command.ts'

interface ModelEntry {
  readonly role: 'user' | 'system' | 'assistant' | 'tool'
  /** Tool calls of an assistant message, by their number in the conversation. */
  readonly asks: readonly number[]
  /** The call that a tool message answers. */
  readonly answers: number | null
}

interface ModelThread {
  readonly tenant: Speaker
  readonly closed: boolean
  readonly entries: readonly ModelEntry[]
}

export interface ConversationState {
  readonly threads: readonly ModelThread[]
  readonly calls: number
}

/** The outcomes that the contract allows: whether a command must be accepted, and the codes of a rejection. */
interface Admissible {
  readonly accept: 'must' | 'may' | 'must-not'
  /** Codes that a rejection may have; `null` if the contract names none. */
  readonly errorCodes: readonly string[] | null
  /** Heading of the contract with the rule. */
  readonly section: string
}

const runSection = 'Endpoints / POST /v1/threads/{thread_id}/run'
const addSection = 'Endpoints / POST /v1/threads/{thread_id}/messages'
const chatSection = 'Endpoints / POST /v1/chat/completions'

/** The state before the first command: empty threads, two of one tenant and one of the other. */
export const openingState: ConversationState = {
  threads: openingThreads.map((tenant) => ({ tenant, closed: false, entries: [] })),
  calls: 0,
}

/** True if a command has what it needs, such as an open call or a closed thread. */
export function isPlayable(state: ConversationState, command: ConversationCommand): boolean {
  if (command.kind === 'answer-tool') return command.call === 'invented' || callFor(state, command) !== null
  return command.kind !== 'add-to-closed' || closedThreads(state).length > 0
}

/** The outcomes that the contract allows for a command in a state. */
export function admissible(state: ConversationState, command: ConversationCommand): Admissible {
  if (command.kind === 'complete') return forCompletion(command)
  if (command.kind === 'add-to-closed') return barred(addSection, null)
  const thread = threadOf(state, command.thread)
  if (thread.tenant !== command.as) return barred('Authentication', ['thread_not_found'])
  switch (command.kind) {
    case 'list':
      return owed('Endpoints / GET /v1/threads/{thread_id}/messages')
    case 'run':
      return forRun(thread, command)
    case 'answer-tool':
      return forToolMessage(command)
    case 'ask-tool':
      return openCalls(thread).length > 0 ? open(addSection) : owed(addSection)
    case 'add-message':
      return forMessage(thread, command)
  }
}

/** The state after a command, given whether the service accepted it. */
export function advance(state: ConversationState, command: ConversationCommand, accepted: boolean): ConversationState {
  if (!accepted) return state
  switch (command.kind) {
    case 'list':
      return state
    case 'complete': {
      const sent = command.roles.map((role) => entry(role))
      const born = { tenant: command.as, closed: true, entries: [...sent, entry('assistant')] }
      return { ...state, threads: [...state.threads, born] }
    }
    case 'ask-tool':
      return {
        ...append(state, command.thread, { ...entry('assistant'), asks: [state.calls] }),
        calls: state.calls + 1,
      }
    case 'answer-tool':
      return append(state, command.thread, { ...entry('tool'), answers: callFor(state, command) })
    case 'run':
      return append(state, command.thread, entry('assistant'))
    case 'add-message':
      return append(state, command.thread, entry(command.role))
    case 'add-to-closed': {
      const closed = closedThreads(state)
      const at = closed[command.closed % Math.max(1, closed.length)]
      return at === undefined ? state : append(state, at, entry('user'))
    }
  }
}

/** The state after a command that is accepted wherever the contract allows it. */
export function advanceAsExpected(state: ConversationState, command: ConversationCommand): ConversationState {
  return advance(state, command, admissible(state, command).accept !== 'must-not')
}

/** Calls of a thread that no tool message has answered yet. */
export function openCalls({ entries }: ModelThread): readonly number[] {
  const answered = new Set(entries.map(({ answers }) => answers))
  return entries.flatMap(({ asks }) => asks).filter((call) => !answered.has(call))
}

/** The number of the call that a tool message answers, or `null` if there is none of that kind. */
export function callFor(state: ConversationState, command: AnswerTool): number | null {
  const thread = threadOf(state, command.thread)
  const own = thread.entries.flatMap(({ asks }) => asks)
  const unanswered = openCalls(thread)
  const candidates = {
    open: unanswered,
    answered: own.filter((call) => !unanswered.includes(call)),
    'of-another-thread': state.threads
      .filter((other) => other !== thread)
      .flatMap(({ entries }) => entries.flatMap(({ asks }) => asks)),
    invented: [],
  }[command.call]
  return candidates[command.index % Math.max(1, candidates.length)] ?? null
}

function forCompletion({ roles, assistant }: Complete): Admissible {
  if (assistant === 'foreign') return barred('Authentication', ['assistant_not_available'])
  return roles.includes('user') ? owed(chatSection) : barred(chatSection, ['validation_error'])
}

function forRun(thread: ModelThread, { stream }: RunThread): Admissible {
  const last = thread.entries.at(-1)?.role
  if (!thread.entries.some(({ role }) => role === 'user')) return barred(runSection, null)
  if (openCalls(thread).length > 0) return barred(runSection, null)
  if (last === 'user' || last === 'tool') return owed(runSection)
  // The contract states the rule about the last message for the streamed form only.
  return stream ? barred('Endpoints / POST /v1/threads/{thread_id}/run/stream', null) : open(runSection)
}

function forToolMessage({ call }: AnswerTool): Admissible {
  if (call === 'open') return owed(addSection)
  return call === 'answered' ? open(addSection) : barred(addSection, ['tool_message_has_no_matching_tool_call'])
}

function forMessage(thread: ModelThread, { role, content }: AddMessage): Admissible {
  if (content === '') return barred('Resources and their fields', ['message_content_empty'])
  if (role === 'system' && thread.entries.length > 0) return open(addSection)
  return openCalls(thread).length > 0 ? open(addSection) : owed(addSection)
}

function threadOf({ threads }: ConversationState, index: number): ModelThread {
  const opened = threads.slice(0, openingThreads.length)
  return opened[index % opened.length] ?? { tenant: 'primary', closed: false, entries: [] }
}

function closedThreads({ threads }: ConversationState): readonly number[] {
  return [...threads.keys()].filter((at) => threads[at]?.closed === true)
}

function append(state: ConversationState, index: number, added: ModelEntry): ConversationState {
  const at = index < openingThreads.length ? index : index % state.threads.length
  const threads = state.threads.map((thread, other) =>
    other === at ? { ...thread, entries: [...thread.entries, added] } : thread,
  )
  return { ...state, threads }
}

function entry(role: ModelEntry['role']): ModelEntry {
  return { role, asks: [], answers: null }
}

function owed(section: string): Admissible {
  return { accept: 'must', errorCodes: null, section }
}

function open(section: string): Admissible {
  return { accept: 'may', errorCodes: null, section }
}

function barred(section: string, errorCodes: readonly string[] | null): Admissible {
  return { accept: 'must-not', errorCodes, section }
}
