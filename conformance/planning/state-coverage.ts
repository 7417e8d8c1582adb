/**
 * Counts the thread states that a trace reached, and the requests made in each. The figures say how much of the state
 * table a run has covered; they are never a verdict.
 */
import {
  emptyThread,
  isRefusedRun,
  nextState,
  pairKey,
  type StatePair,
  stateKey,
  statePairs,
  type ThreadCommand,
  type ThreadState,
  threadStates,
} from '../../generators/index.ts'
import { groupBy } from '../../spec/index.ts'
import { fieldOf } from '../judge/read/json.ts'
import { type Answer, readAnswer, stringAt } from '../probe-runtime/probe-response.ts'
import { callIdsIn } from '../probe-runtime/tool-calls.ts'
import type { ToolMapping } from '../profile/target-profile.ts'
import { textOf } from '../trace/bytes.ts'
import type { Exchange, Trace } from '../trace/exchange.ts'

interface Share {
  readonly asked: number
  readonly of: number
}

interface StateCoverage {
  readonly states: Share
  /** Runs, whole and streamed, in the states in which they have to be refused. */
  readonly refusedRuns: Share
  /** Every state with all requests that are possible in it. */
  readonly pairs: Share
  readonly missingStates: readonly string[]
  readonly missingRefusedRuns: readonly string[]
}

/** The coverage of a run's trace, or `null` when it asked for no thread that was written message by message. */
export function stateCoverage(trace: Pick<Trace, 'header' | 'exchanges'>): StateCoverage | null {
  const tools = toolsOf(trace)
  const threads = new Map<string, ThreadView>()
  const asked = new Map<string, StatePair>()
  const reached = new Set<string>()
  for (const [id, exchanges] of byThread(trace.exchanges)) {
    const view: ThreadView = { state: emptyThread, open: new Set(), tools }
    threads.set(id, view)
    for (const exchange of exchanges) {
      const { state } = view
      reached.add(stateKey(state))
      const command = follow(view, exchange)
      if (command !== null) asked.set(pairKey({ state, command }), { state, command })
    }
    reached.add(stateKey(view.state))
  }
  return threads.size === 0 ? null : figuresOf(reached, asked)
}

function figuresOf(reached: ReadonlySet<string>, asked: ReadonlyMap<string, StatePair>): StateCoverage {
  const missingStates = threadStates.map(stateKey).filter((key) => !reached.has(key))
  const missing = statePairs.filter((pair) => !asked.has(pairKey(pair)))
  const refused = statePairs.filter(isRefusedRun)
  const missingRefusedRuns = missing.filter(isRefusedRun).map(pairKey)
  return {
    states: { asked: threadStates.length - missingStates.length, of: threadStates.length },
    refusedRuns: { asked: refused.length - missingRefusedRuns.length, of: refused.length },
    pairs: { asked: statePairs.length - missing.length, of: statePairs.length },
    missingStates,
    missingRefusedRuns,
  }
}

interface ThreadView {
  state: ThreadState
  /** Ids of calls without a result. */
  readonly open: Set<string>
  readonly tools: ToolMapping | null
}

const onThread = /\/v1\/threads\/([^/?#]+)\/(?:messages|run)/

/** The requests of the owner about each thread to which a message was added; a completion's thread takes none. */
function byThread(exchanges: readonly Exchange[]): ReadonlyMap<string, readonly Exchange[]> {
  const groups = groupBy(exchanges, ({ request, credential }) =>
    credential === null ? null : (onThread.exec(request.url)?.[1] ?? null),
  )
  const owned = new Map<string, readonly Exchange[]>()
  for (const [id, all] of groups) {
    const owner = all.find((one) => operationOf(one) === 'createMessage' && readAnswer(one).outcome === 'accepted')
    if (owner !== undefined)
      owned.set(
        id,
        all.filter(({ credential }) => credential === owner.credential),
      )
  }
  return owned
}

function operationOf({ request, intent }: Exchange): string | null {
  if (intent !== null) return intent.operation
  if (request.method === 'GET') return 'listMessages'
  if (/\/messages(?:$|\?)/.test(request.url)) return 'createMessage'
  return request.url.endsWith('/stream') ? 'streamThreadRun' : 'runThread'
}

/** The request in the terms of the table, and the state after it; `null` for requests that the table does not cover. */
function follow(view: ThreadView, exchange: Exchange): ThreadCommand | null {
  const answer = readAnswer(exchange)
  switch (operationOf(exchange)) {
    case 'listMessages':
      return 'list'
    case 'runThread':
      return followRun(view, answer, 'run')
    case 'streamThreadRun':
      return followRun(view, answer, 'stream')
    case 'createMessage':
      return followMessage(view, answer, bodyOf(exchange))
    default:
      return null
  }
}

function followRun(view: ThreadView, answer: Answer, command: 'run' | 'stream'): ThreadCommand {
  if (answer.outcome !== 'accepted') return command
  const calls = view.tools === null ? [] : callIdsIn(answer.json, view.tools)
  view.state = { ...nextState(view.state, command), ...(calls.length > 0 ? { last: 'asking' } : {}) }
  openAll(view, calls)
  return command
}

function followMessage(view: ThreadView, answer: Answer, body: unknown): ThreadCommand | null {
  const calls = view.tools === null ? [] : callIdsIn(body, view.tools)
  const result = stringAt(body, `/${view.tools?.resultField ?? 'tool_call_id'}`)
  const command = commandOf(view, body, calls, result)
  if (command === null || answer.outcome !== 'accepted') return command
  view.state = nextState(view.state, command)
  if (command === 'result') view.open.delete(result ?? '')
  openAll(view, calls)
  return command
}

function openAll(view: ThreadView, calls: readonly string[]): void {
  for (const id of calls) view.open.add(id)
  view.state = { ...view.state, openCalls: view.open.size }
}

const written = new Set<unknown>(['user', 'system', 'assistant'] satisfies ThreadCommand[])

function commandOf(
  { open }: ThreadView,
  body: unknown,
  calls: readonly string[],
  result: string | undefined,
): ThreadCommand | null {
  const role = fieldOf(body, 'role')
  const content = fieldOf(body, 'content')
  if (content === '') return 'empty-content'
  if (typeof content !== 'string') return null
  if (role === 'tool') return result === undefined ? null : open.has(result) ? 'result' : 'unknown-result'
  if (role === 'assistant' && calls.length > 0) return calls.length === 1 ? 'ask-one' : 'ask-two'
  return written.has(role) ? (role as ThreadCommand) : null
}

function bodyOf({ request: { body } }: Exchange): unknown {
  try {
    return body === null ? null : JSON.parse(textOf(body))
  } catch {
    return null
  }
}

function toolsOf({ header }: Pick<Trace, 'header'>): ToolMapping | null {
  const tools = fieldOf(header.profile, 'tools')
  return typeof tools === 'object' && tools !== null ? (tools as ToolMapping) : null
}
