/**
 * Defines a conversation as a list of commands that name threads and calls by index.
 * A sequence therefore means the same on every target: ids are bound when it runs, an index is taken modulo what exists then.
 */

/** The tenants of every conversation. */
export type Speaker = 'primary' | 'secondary'

/** The owners of the threads that exist before the first command: two of one tenant, one of the other. */
export const openingThreads: readonly Speaker[] = ['primary', 'primary', 'secondary']

/** A message of a role that needs no earlier message. */
export interface AddMessage {
  readonly kind: 'add-message'
  readonly as: Speaker
  readonly thread: number
  readonly role: 'user' | 'system' | 'assistant'
  readonly content: string
}

/** An assistant message with a tool call, written by the client. */
interface AskTool {
  readonly kind: 'ask-tool'
  readonly as: Speaker
  readonly thread: number
}

/** A tool message: for a call of the thread, for a call of another thread, or for an invented call id. */
export interface AnswerTool {
  readonly kind: 'answer-tool'
  readonly as: Speaker
  readonly thread: number
  readonly call: 'open' | 'answered' | 'of-another-thread' | 'invented'
  /** Index among the matching calls. */
  readonly index: number
  readonly content: string
}

export interface RunThread {
  readonly kind: 'run'
  readonly as: Speaker
  readonly thread: number
  readonly stream: boolean
}

interface ListThread {
  readonly kind: 'list'
  readonly as: Speaker
  readonly thread: number
  readonly limit: number | null
}

/** A completion: it creates a thread that accepts no further messages. */
export interface Complete {
  readonly kind: 'complete'
  readonly as: Speaker
  readonly assistant: 'own' | 'foreign'
  readonly stream: boolean
  readonly roles: readonly ('user' | 'system' | 'assistant')[]
  readonly content: string
}

/** A message to a thread that a completion created. */
interface AddToClosed {
  readonly kind: 'add-to-closed'
  readonly as: Speaker
  /** Index among the threads that completions created. */
  readonly closed: number
  readonly content: string
}

export type ConversationCommand = AddMessage | AskTool | AnswerTool | RunThread | ListThread | Complete | AddToClosed

export interface Conversation {
  readonly commands: readonly ConversationCommand[]
}

/** True if a command costs a model call when it is accepted. */
export function callsModel({ kind }: ConversationCommand): boolean {
  return kind === 'run' || kind === 'complete'
}

/** The abstract commands on one thread, one for each rule. */
export function threadCommands(thread: number): readonly ConversationCommand[] {
  const as = openingThreads[thread] ?? 'primary'
  const other: Speaker = as === 'primary' ? 'secondary' : 'primary'
  const say = (role: AddMessage['role'], content: string, who = as): ConversationCommand => ({
    kind: 'add-message',
    as: who,
    thread,
    role,
    content,
  })
  const answer = (call: AnswerTool['call']): ConversationCommand => ({
    kind: 'answer-tool',
    as,
    thread,
    call,
    index: 0,
    content: '12 months',
  })
  return [
    say('user', 'How long is the notice period?'),
    say('system', 'Answer in one sentence.'),
    say('assistant', 'It depends on the contract.'),
    say('user', ''),
    { kind: 'ask-tool', as, thread },
    answer('open'),
    answer('answered'),
    answer('of-another-thread'),
    answer('invented'),
    { kind: 'run', as, thread, stream: false },
    { kind: 'run', as, thread, stream: true },
    { kind: 'list', as, thread, limit: null },
    say('user', 'Whose thread is this?', other),
    { kind: 'list', as: other, thread, limit: null },
    { kind: 'run', as: other, thread, stream: false },
  ]
}

/** The abstract commands that use none of the opening threads. */
export const threadlessCommands: readonly ConversationCommand[] = [
  complete(['user']),
  complete(['system']),
  { ...complete(['user']), assistant: 'foreign' },
  { ...complete(['user']), stream: true },
  { kind: 'add-to-closed', as: 'primary', closed: 0, content: 'One more thing.' },
]

function complete(roles: Complete['roles']): Complete {
  return { kind: 'complete', as: 'primary', assistant: 'own', stream: false, roles, content: 'What is a lease?' }
}
