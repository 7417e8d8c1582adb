/**
 * The abstract states of a thread and the duties of a service in each, as a table. A state holds the inputs of the
 * contract's rules: the last message, the presence of a user message, the number of open calls.
 */

const lastKinds = ['none', 'user', 'system', 'assistant', 'asking', 'tool'] as const
/** The last message of a thread; `asking` is an assistant message that asks for tools. */
type LastKind = (typeof lastKinds)[number]

export interface ThreadState {
  readonly last: LastKind
  readonly hasUser: boolean
  /** Tool calls without a result; the rules make no difference between two and more. */
  readonly openCalls: number
}

const threadCommands = [
  'user',
  'system',
  'assistant',
  'ask-one',
  'ask-two',
  'result',
  'unknown-result',
  'empty-content',
  'run',
  'stream',
  'list',
] as const
/** The requests to a thread: a message of each kind, both forms of a run, its list. */
export type ThreadCommand = (typeof threadCommands)[number]

/** `open`: the contract says neither; `void`: the command has no meaning in the state. */
type Expectation = 'accepted' | 'refused' | 'open' | 'void'

/** Why a request has to be refused or why the contract leaves it open. */
type ThreadRule = (typeof rules)[number]['rule']

interface Row {
  readonly rule: string
  readonly commands: readonly ThreadCommand[]
  readonly when: {
    readonly last?: readonly LastKind[]
    readonly hasUser?: boolean
    readonly someCalls?: boolean
  }
  readonly expects: Exclude<Expectation, 'accepted'>
}

const runs = ['run', 'stream'] as const
const asking = ['ask-one', 'ask-two'] as const
const written = ['user', 'system', 'assistant', ...asking] as const

/** Without a matching row, a request must be accepted. */
const rules = [
  { rule: 'no call is open', commands: ['result'], when: { someCalls: false }, expects: 'void' },
  { rule: 'no user message', commands: runs, when: { hasUser: false }, expects: 'refused' },
  { rule: 'open call', commands: runs, when: { someCalls: true }, expects: 'refused' },
  {
    rule: 'end of the thread',
    commands: ['stream'],
    when: { last: ['none', 'system', 'assistant', 'asking'] },
    expects: 'refused',
  },
  { rule: 'unknown call', commands: ['unknown-result'], when: {}, expects: 'refused' },
  { rule: 'empty content', commands: ['empty-content'], when: {}, expects: 'refused' },
  { rule: 'late system message', commands: ['system'], when: { last: lastKinds.slice(1) }, expects: 'open' },
  { rule: 'message behind an open call', commands: written, when: { someCalls: true }, expects: 'open' },
  { rule: 'call written by a client', commands: asking, when: {}, expects: 'open' },
  {
    rule: 'result away from its call',
    commands: ['result'],
    when: { last: ['user', 'system', 'assistant', 'tool'] },
    expects: 'open',
  },
  { rule: 'run behind no question', commands: ['run'], when: { last: ['system', 'assistant'] }, expects: 'open' },
] as const satisfies readonly Row[]

/** The rules that cover a command in a state, in order of precedence. */
export function rulesFor(state: ThreadState, command: ThreadCommand): readonly ThreadRule[] {
  return rowsFor(state, command).map(({ rule }) => rule as ThreadRule)
}

/** The duty of a service: a void command requires nothing, and a reason to refuse outweighs open questions. */
export function expectationOf(state: ThreadState, command: ThreadCommand): Expectation {
  const found = new Set(rowsFor(state, command).map(({ expects }) => expects))
  return (['void', 'refused', 'open'] as const).find((expects) => found.has(expects)) ?? 'accepted'
}

function rowsFor(state: ThreadState, command: ThreadCommand): readonly Row[] {
  const all: readonly Row[] = rules
  return all.filter(({ commands, when }) => commands.includes(command) && isIn(state, when))
}

function isIn({ last, hasUser, openCalls }: ThreadState, when: Row['when']): boolean {
  return (
    (when.last?.includes(last) ?? true) &&
    (when.hasUser ?? hasUser) === hasUser &&
    (when.someCalls ?? openCalls > 0) === openCalls > 0
  )
}

/** A thread without messages. */
export const emptyThread: ThreadState = { last: 'none', hasUser: false, openCalls: 0 }

const callsAsked: Readonly<Partial<Record<ThreadCommand, number>>> = { 'ask-one': 1, 'ask-two': 2, result: -1 }

/** The state after an accepted command; an answer of a run is an assistant message. */
export function nextState(state: ThreadState, command: ThreadCommand): ThreadState {
  const last = lastBehind[command]
  if (last === undefined) return state
  const openCalls = state.openCalls + (callsAsked[command] ?? 0)
  return { last, hasUser: state.hasUser || command === 'user', openCalls }
}

const lastBehind: Readonly<Partial<Record<ThreadCommand, LastKind>>> = {
  user: 'user',
  system: 'system',
  assistant: 'assistant',
  'ask-one': 'asking',
  'ask-two': 'asking',
  result: 'tool',
  run: 'assistant',
  stream: 'assistant',
}

/** One text for each state; two open calls and more are one. */
export function stateKey({ last, hasUser, openCalls }: ThreadState): string {
  return `${last} ${hasUser ? 'with' : 'without'} user, ${Math.min(openCalls, 2)} open`
}

/** More calls than these lead to no other state. */
const mostOpenCalls = 4

/** The commands that may move a thread on from a state. */
export function movesFrom(state: ThreadState): readonly ThreadCommand[] {
  return threadCommands.filter((command) => {
    const expects = expectationOf(state, command)
    return (
      lastBehind[command] !== undefined &&
      (expects === 'accepted' || expects === 'open') &&
      nextState(state, command).openCalls <= mostOpenCalls
    )
  })
}

/** Every state that a thread can be in, one for each key, in the order in which a search finds them. */
export const threadStates: readonly ThreadState[] = statesFrom(emptyThread)

function statesFrom(start: ThreadState): readonly ThreadState[] {
  const found = new Map([[JSON.stringify(start), start]])
  // A map also visits entries added during the loop: it is the queue of the search.
  for (const state of found.values()) {
    for (const command of movesFrom(state)) {
      const next = nextState(state, command)
      if (!found.has(JSON.stringify(next))) found.set(JSON.stringify(next), next)
    }
  }
  const byKey = new Map([...found.values()].reverse().map((state) => [stateKey(state), state]))
  return [...byKey.values()].reverse()
}

/** A state together with a command. */
export interface StatePair {
  readonly state: ThreadState
  readonly command: ThreadCommand
}

/** One text for each pair. */
export function pairKey({ state, command }: StatePair): string {
  return `${stateKey(state)}: ${command}`
}

/** Every meaningful pair. */
export const statePairs: readonly StatePair[] = threadStates.flatMap((state) =>
  threadCommands.filter((command) => expectationOf(state, command) !== 'void').map((command) => ({ state, command })),
)

/** Whether a pair is a run that has to be refused. */
export function isRefusedRun({ state, command }: StatePair): boolean {
  return (command === 'run' || command === 'stream') && expectationOf(state, command) === 'refused'
}
