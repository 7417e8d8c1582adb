/**
 * A conversation as plain data: commands that name threads, calls and assistants by index, so that a sequence means the
 * same on every target. Ids are bound when it is played; an index is taken modulo what exists then.
 */

/** The tenants of every conversation. */
export type Speaker = 'primary' | 'secondary'

/** Who owns the threads that stand open before the first command: two of one tenant, one of the other. */
export const openingThreads: readonly Speaker[] = ['primary', 'primary', 'secondary']

/** A message of a role that needs nothing before it. */
export interface AddMessage {
  readonly kind: 'add-message'
  readonly as: Speaker
  readonly thread: number
  readonly role: 'user' | 'system' | 'assistant'
  readonly content: string
}

/** An assistant message that asks for a tool, written by the client. */
interface AskTool {
  readonly kind: 'ask-tool'
  readonly as: Speaker
  readonly thread: number
}

/** A tool message: for an open call of the thread, for a call of another thread, or for one that nobody asked for. */
export interface AnswerTool {
  readonly kind: 'answer-tool'
  readonly as: Speaker
  readonly thread: number
  readonly call: 'open' | 'answered' | 'of-another-thread' | 'invented'
  /** Which of the calls that fit. */
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

/** A completion: makes a thread of its own that takes no further messages. */
export interface Complete {
  readonly kind: 'complete'
  readonly as: Speaker
  readonly assistant: 'own' | 'foreign'
  readonly stream: boolean
  readonly roles: readonly ('user' | 'system' | 'assistant')[]
  readonly content: string
}

/** Adding to a thread that a completion made. */
interface AddToClosed {
  readonly kind: 'add-to-closed'
  readonly as: Speaker
  /** Which of the completion-born threads. */
  readonly closed: number
  readonly content: string
}

export type ConversationCommand = AddMessage | AskTool | AnswerTool | RunThread | ListThread | Complete | AddToClosed

export interface Conversation {
  readonly commands: readonly ConversationCommand[]
}

/** Whether a command costs a model call when it is accepted. */
export function callsModel({ kind }: ConversationCommand): boolean {
  return kind === 'run' || kind === 'complete'
}

/** The abstract commands on one thread, each in the one form that its rule needs. */
export function threadCommands(thread: number): readonly ConversationCommand[] {
  const as = openingThreads[thread] ?? 'primary'
  const stranger: Speaker = as === 'primary' ? 'secondary' : 'primary'
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
    say('user', 'Whose thread is this?', stranger),
    { kind: 'list', as: stranger, thread, limit: null },
    { kind: 'run', as: stranger, thread, stream: false },
  ]
}

/** The abstract commands on no open thread. */
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
