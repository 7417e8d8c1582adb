/**
 * The rules of threads, tools, completions, runs and streams as one table.
 *
 * Each row names the contract section it rests on. The rows that match a state and a command together give its answer:
 * - a rule is broken: refused, with the error code the contract states for it; `open` where it states none, or where two
 *   faults meet and the contract does not say which is reported;
 * - no rule is broken but the contract is silent: open, and the gap is named;
 * - else: accepted.
 * Refusals for reasons outside a conversation (rate limit, timeout, unavailable part) are not modelled.
 * The next state of an open answer holds if the service accepts the command as meant; if it refuses, the state stays.
 */
import { type Command, type MessageKind, START, type State } from './commands.ts'

type ErrorCode =
  | 'assistant_not_available'
  | 'engine_does_not_support_streaming'
  | 'message_content_empty'
  | 'thread_not_found'
  | 'tool_message_has_no_matching_tool_call'
  | 'validation_error'

export type Outcome = 'accepted' | { readonly refused: ErrorCode | 'open' } | { readonly open: string }

type Calls = 'none' | 'one' | 'many'
type Fields<C> = C extends Command ? C : never
type FieldName = Fields<Command> extends infer C ? (C extends unknown ? keyof C : never) : never
type FieldValue<K> = Command extends infer C ? (C extends unknown ? (K extends keyof C ? C[K] : never) : never) : never
type Pattern = { readonly [K in FieldName]?: readonly FieldValue<K>[] } & {
  readonly [K in Exclude<keyof State, 'calls'>]?: readonly State[K][]
} & { readonly calls?: readonly Calls[] }

type Row = { readonly section: string; readonly when: Pattern; readonly outcome: Outcome }

const ON_THREAD = ['create', 'run', 'list'] as const
const EXISTS = ['direct', 'completions'] as const
const PLAIN = ['whole', 'stream'] as const
const [ACCEPTED, CODE_OPEN] = ['accepted', { refused: 'open' }] as const
const NO_MATCH = { refused: 'tool_message_has_no_matching_tool_call' } as const

const section =
  (name: string) =>
  (when: Pattern, outcome: Outcome): Row => ({ section: name, when, outcome })
const message = section('Message')
const assistant = section('Assistant')
const complete = section('POST /v1/chat/completions')
const completeStream = section('POST /v1/chat/completions/stream')
const events = section('POST /v1/chat/completions/events/stream')
const run = section('POST /v1/threads/{thread_id}/run')
const runStream = section('POST /v1/threads/{thread_id}/run/stream')
const list = section('GET /v1/threads/{thread_id}/messages')
const create = section('POST /v1/threads/{thread_id}/messages')
const creation = section('Thread creation')
const authentication = section('Authentication')
const errors = section('Errors')
const gapsOfErrors = section('Gaps in errors')
const limits = section('Limits')
const gapsOfResources = section('Gaps in resources')

export const TABLE: readonly Row[] = [
  create({ kind: ['create'] }, ACCEPTED),
  run({ kind: ['run'], form: ['whole'] }, ACCEPTED),
  runStream({ kind: ['run'], form: ['stream'] }, ACCEPTED),
  list({ kind: ['list'] }, ACCEPTED),
  complete({ kind: ['complete'], form: ['whole'] }, ACCEPTED),
  completeStream({ kind: ['complete'], form: ['stream'] }, ACCEPTED),
  events({ kind: ['complete'], form: ['events'] }, ACCEPTED),
  creation({ kind: ['begin'] }, { open: 'the operation that creates a thread directly' }),

  errors(
    { kind: ON_THREAD, target: ['own', 'foreign', 'keyless'], origin: ['unknown'] },
    { refused: 'thread_not_found' },
  ),
  gapsOfErrors({ kind: ON_THREAD, target: ['malformed'] }, CODE_OPEN),
  authentication({ target: ['keyless'] }, CODE_OPEN),
  authentication({ target: ['foreign'], origin: EXISTS }, { open: 'whether a tenant sees the threads of another' }),

  message({ kind: ['create'], content: ['empty'] }, { refused: 'message_content_empty' }),
  message({ kind: ['create'], content: ['blank'] }, { open: 'whether content of blanks counts as empty' }),
  create({ kind: ['create'], message: ['role-outside-set'] }, CODE_OPEN),
  create({ kind: ['create'], origin: ['completions'] }, CODE_OPEN),
  create(
    {
      kind: ['create'],
      origin: ['direct'],
      message: ['system'],
      last: ['user', 'system', 'tool', 'assistant', 'asking', 'answer'],
    },
    { open: 'a system message should be the first: whether another place is refused' },
  ),
  gapsOfResources(
    { kind: ['create'], message: ['asking-one', 'asking-two'] },
    { open: 'the structure of a tool call on an assistant message' },
  ),
  errors({ kind: ['create'], origin: ['direct'], message: ['tool-unknown'] }, NO_MATCH),
  errors({ kind: ['create'], origin: ['direct'], message: ['tool-open'], calls: ['none'] }, NO_MATCH),
  errors({ kind: ['create'], origin: ['direct'], message: ['tool-answered'], answered: [false] }, NO_MATCH),
  create({ kind: ['create'], origin: ['direct'], message: ['tool-no-id'] }, CODE_OPEN),
  create(
    { kind: ['create'], origin: ['direct'], message: ['tool-open'], calls: ['one', 'many'], late: [true] },
    { open: 'whether a tool message must follow its request directly' },
  ),
  create(
    { kind: ['create'], origin: ['direct'], message: ['tool-answered'], answered: [true] },
    { open: 'a second tool message for one call' },
  ),

  run({ kind: ['run'], origin: ['direct'], hasUser: ['no'] }, CODE_OPEN),
  run(
    { kind: ['run'], origin: ['direct'], hasUser: ['unsettled'] },
    { open: 'whether a completion stores its messages' },
  ),
  run({ kind: ['run'], origin: ['direct'], calls: ['one', 'many'] }, CODE_OPEN),
  run({ kind: ['run'], origin: ['direct'], irregular: [true] }, { open: 'which order of tool messages a run demands' }),
  run({ kind: ['run'], origin: ['completions'] }, { open: 'a run on a thread created by chat completions' }),
  run({ kind: ['run'], tools: [true] }, { open: 'body fields of a run' }),
  authentication({ kind: ['run'], assistant: ['foreign'] }, { refused: 'assistant_not_available' }),
  errors({ kind: ['run'], form: ['stream'], assistant: ['mute'] }, { refused: 'engine_does_not_support_streaming' }),
  errors(
    { kind: ['run'], form: ['whole'], assistant: ['mute'] },
    { open: 'when a whole run reports engine_does_not_support_streaming' },
  ),
  runStream(
    { kind: ['run'], form: ['stream'], origin: ['direct'], last: ['none', 'system', 'assistant', 'asking'] },
    CODE_OPEN,
  ),
  runStream(
    { kind: ['run'], form: ['stream'], origin: ['direct'], last: ['answer'] },
    { open: 'whether an answer is stored' },
  ),

  list({ query: ['limit-zero'] }, { open: 'the least value of limit' }),
  limits({ query: ['limit-huge'] }, { open: 'the maximum value of limit' }),
  list({ query: ['limit-text'] }, CODE_OPEN),
  list({ query: ['cursor-unknown'] }, { open: 'a cursor that the service did not issue' }),

  complete(
    { kind: ['complete'], target: ['own', 'foreign', 'keyless'], origin: ['unknown'] },
    { open: 'a thread_id that names no thread' },
  ),
  complete(
    { kind: ['complete'], target: ['own', 'foreign', 'keyless'], origin: ['direct'] },
    { open: 'a completion on a thread created directly' },
  ),
  events(
    { form: ['events'], target: ['own', 'foreign', 'keyless'] },
    { open: 'query parameter names of the events stream' },
  ),
  errors({ form: PLAIN, body: ['assistant-missing'] }, { refused: 'validation_error' }),
  gapsOfErrors({ form: ['events'], body: ['assistant-missing'] }, CODE_OPEN),
  authentication({ form: PLAIN, body: ['assistant-foreign'] }, { refused: 'assistant_not_available' }),
  gapsOfErrors({ form: ['events'], body: ['assistant-foreign'] }, CODE_OPEN),
  errors({ body: ['assistant-unknown'] }, CODE_OPEN),
  assistant(
    { form: ['stream', 'events'], body: ['assistant-mute'] },
    { open: 'a streamed completion by an assistant without streaming' },
  ),
  assistant({ body: ['required-field-missing'] }, CODE_OPEN),
  complete({ body: ['no-user-message'] }, CODE_OPEN),
  complete({ body: ['empty-content'] }, { open: 'whether a message of a completion may be empty' }),
]

const COMPLETED: State = { ...START, origin: 'completions', last: 'answer', hasUser: 'unsettled' }

const CONDITIONS = TABLE.map((row) => ({
  row,
  conditions: Object.entries(row.when).map(([key, allowed]) => ({ key, allowed: allowed as readonly unknown[] })),
}))

/** The rows that speak about a command in a state. */
export function rowsFor(state: State, command: Command): readonly Row[] {
  const facts: Record<string, unknown> = { ...state, ...command, calls: bucket(state.calls) }
  return CONDITIONS.filter(({ conditions }) =>
    conditions.every(({ key, allowed }) => allowed.includes(facts[key])),
  ).map(({ row }) => row)
}

export function expected(state: State, command: Command): { readonly outcome: Outcome; readonly next: State } {
  const outcome = combine(rowsFor(state, command).map((row) => row.outcome))
  const refused = outcome !== 'accepted' && 'refused' in outcome
  return { outcome, next: refused ? state : after(state, command) }
}

function combine(outcomes: readonly Outcome[]): Outcome {
  const rules = outcomes.filter((outcome) => outcome !== 'accepted')
  const codes = new Set(rules.flatMap((rule) => ('refused' in rule ? [rule.refused] : [])))
  const gaps = rules.flatMap((rule) => ('open' in rule ? [rule.open] : []))
  const [code] = codes
  if (code !== undefined) return { refused: codes.size > 1 || gaps.length > 0 ? 'open' : code }
  return gaps.length > 0 ? { open: gaps.join('; ') } : 'accepted'
}

function after(state: State, command: Command): State {
  if (command.kind === 'list') return state
  if (command.kind === 'begin') return state.origin === 'unknown' ? { ...START, origin: 'direct' } : state
  if (command.kind === 'create') return append(state, command.message)
  if (state.origin === 'unknown') return COMPLETED
  if (state.origin === 'completions') return state
  if (command.kind === 'run') return { ...state, last: 'answer', irregular: state.irregular || command.tools }
  if (command.target === 'none') return state
  return { ...state, last: 'answer', hasUser: state.hasUser === 'yes' ? 'yes' : 'unsettled', late: state.calls > 0 }
}

function append(before: State, name: MessageKind): State {
  const state = { ...before, late: before.calls > 0 }
  if (name === 'user') return { ...state, last: 'user', hasUser: 'yes' }
  if (name === 'system' || name === 'assistant') return { ...state, last: name }
  if (name === 'asking-one') return { ...state, last: 'asking', calls: before.calls + 1 }
  if (name === 'asking-two') return { ...state, last: 'asking', calls: before.calls + 2 }
  if (name === 'tool-answered') return { ...state, last: 'tool', irregular: true }
  const calls = before.calls - 1
  const irregular = before.irregular || before.late
  return { ...before, last: 'tool', calls, late: before.late && calls > 0, answered: true, irregular }
}

function bucket(calls: number): Calls {
  if (calls === 0) return 'none'
  return calls === 1 ? 'one' : 'many'
}
