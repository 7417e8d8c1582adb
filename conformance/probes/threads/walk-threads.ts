/**
 * Walks threads from state to state, a few side by side, and asks in each state what is wanted there. What has to be refused
 * changes no state, so it is sent together. The walk depends on the seed and the answers, never on timing.
 */
import {
  expectationOf,
  nextMove,
  nextState,
  pairKey,
  rulesFor,
  stateKey,
  statePairs,
  type ThreadCommand,
  type ThreadState,
} from '../../../generators/index.ts'
import { groupBy } from '../../../spec/index.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import { inLanes } from '../support/in-lanes.ts'
import { listThread } from './threads.ts'
import { type WalkedThread, walkedThread } from './walked-thread.ts'

/** Enough for every state; a thread of more messages than these may be too long for a service. */
const gateThreads = 3
const deepThreads = 30
const mostMessages = 16
/** Threads that are walked at the same time, where calls make a walk long. */
const sideBySide = 2

/** What the walk still has to ask, and what it has learnt not to try. */
export interface Walk {
  readonly context: ProbeContext
  /** Keys of pairs that are still to be asked. */
  readonly wanted: Set<string>
  /** Commands with their rules that this target does not take, or answers although it must not. */
  readonly closed: Set<string>
  readonly rank: (command: ThreadCommand, state: ThreadState) => number
  readonly withCalls: boolean
  /** What its messages say first. */
  readonly contents: Iterator<string>
  /** Runs behind whose first refusal the thread was listed: what one form leaves is not taken for the other's. */
  readonly listed: Set<ThreadCommand>
}

/** A thread on its walk. */
interface Walker {
  readonly thread: WalkedThread
  /** Commands to send first, before the walk chooses its own. */
  given: readonly ThreadCommand[]
  written: number
  isOver: boolean
}

/**
 * Sends results away from their calls. A target that accepts one behind a user message has no reason to refuse one behind a newer
 * assistant message. Two messages ask, and the newer one is answered first: whoever looks for open calls in that one alone finds
 * none. The system message only makes the rest of the walk shorter.
 */
const resultsAway = ['user', 'system', 'ask-two', 'ask-one', 'user', 'result', 'assistant', 'result'] as const

/** Walks a few threads side by side, in steps, so that what each of them is asked does not depend on timing. */
export async function walkThreads(walk: Walk, first: string): Promise<void> {
  const { context, wanted } = walk
  const most = context.tier === 'gate' ? gateThreads : deepThreads
  let opened = 0
  let atOpening = Number.POSITIVE_INFINITY
  let walkers: readonly Walker[] = []
  while (wanted.size > 0) {
    // After a thread that led to nothing new, no further one will.
    if (walkers.length === 0 && wanted.size === atOpening) return
    if (walkers.length === 0) atOpening = wanted.size
    while (walkers.length < (walk.withCalls ? sideBySide : 1) && opened < most) {
      const id = opened === 0 ? first : await context.thread()
      if (id === null) break
      opened += 1
      const given = opened === 1 && walk.withCalls ? resultsAway : []
      walkers = [...walkers, { thread: walkedThread(context, id, walk.contents), given, written: 0, isOver: false }]
    }
    if (walkers.length === 0) return
    await askAll(walk, walkers)
    await moveAll(walk, walkers)
    walkers = walkers.filter(({ isOver }) => !isOver)
  }
}

/** Moves the first thread on, and each other one that a single step leads to something wanted. */
async function moveAll(walk: Walk, walkers: readonly Walker[]): Promise<void> {
  const steps: Step[] = []
  for (const walker of walkers.filter(({ isOver }) => !isOver)) {
    const isLeader = steps.length === 0
    const [given] = walker.given
    const command = walker.written === mostMessages ? null : (given ?? moveFor(walk, walker, steps))
    if (command !== null) steps.push({ walker, state: walker.thread.state(), command })
    else if (isLeader || walker.written === mostMessages) walker.isOver = true
  }
  await inLanes(walk.context, steps, (step) => moveOn(walk, step))
}

interface Step {
  readonly walker: Walker
  readonly state: ThreadState
  readonly command: ThreadCommand
}

function moveFor(walk: Walk, { thread }: Walker, taken: readonly Step[]): ThreadCommand | null {
  const from = thread.state()
  const leadsTo = ({ state, command }: Step): ThreadState => nextState(state, command)
  return nextMove(from, {
    isWanted: (state) =>
      !taken.some((step) => isSame(leadsTo(step), state)) &&
      commandsOf(state).some((command) => isWantedHere(walk, state, command)),
    isWantedMove: (state, command) =>
      walk.wanted.has(pairKey({ state, command })) &&
      !taken.some((step) => step.command === command && isSame(step.state, state)),
    isPossible: (state, command) => (taken.length === 0 || isSame(state, from)) && isPossible(walk, state, command),
    rank: walk.rank,
  })
}

const pairsByState = groupBy(statePairs, ({ state }) => stateKey(state))

/** What can be asked in a state. */
const commandsOf = (state: ThreadState): readonly ThreadCommand[] =>
  (pairsByState.get(stateKey(state)) ?? []).map(({ command }) => command)

const isSame = (one: ThreadState, other: ThreadState): boolean => stateKey(one) === stateKey(other)

/** Whether something is to be asked that leaves the state as it is. */
function isWantedHere({ wanted }: Walk, state: ThreadState, command: ThreadCommand): boolean {
  const stays = command === 'list' || expectationOf(state, command) === 'refused'
  return stays && wanted.has(pairKey({ state, command }))
}

function isPossible({ context, closed, withCalls }: Walk, state: ThreadState, command: ThreadCommand): boolean {
  if (!isAskable(state, command, withCalls) || closed.has(likeKey(state, command))) return false
  const isRun = command === 'run' || command === 'stream'
  return !isRun || (context.tier !== 'gate' && context.left().modelCalls > 1)
}

/** A command together with the rules that speak about it: what a target refuses once, it refuses there. */
function likeKey(state: ThreadState, command: ThreadCommand): string {
  const rules = rulesFor(state, command)
  return rules.length === 0 ? pairKey({ state, command }) : `${command}: ${rules.join(', ')}`
}

/** Asks in each thread what leaves its state as it is; refusals go out together. */
async function askAll(walk: Walk, walkers: readonly Walker[]): Promise<void> {
  const together: Refusal[] = []
  for (const walker of walkers) together.push(...(await refusalsFor(walk, walker)))
  await inLanes(walk.context, together, async (refusal) => {
    if (refusal.walker.isOver) walk.wanted.add(refusal.pair)
    else await refuse(walk, refusal)
  })
}

interface Refusal {
  readonly walker: Walker
  readonly pair: string
  readonly command: ThreadCommand
  /** The command with the first rule that forbids it. */
  readonly kind: string
  readonly send: () => Promise<Answer>
}

/** Lists what is asked for, and writes what has to be refused; the first run of each form is sent and read at once. */
async function refusalsFor(walk: Walk, walker: Walker): Promise<readonly Refusal[]> {
  const { context, wanted, closed, listed } = walk
  const { thread } = walker
  const state = thread.state()
  const here = commandsOf(state).filter((command) => isWantedHere(walk, state, command))
  const refusals: Refusal[] = []
  for (const command of context.random.shuffled(here)) {
    const pair = pairKey({ state, command })
    wanted.delete(pair)
    const kind = `${command}: ${rulesFor(state, command)[0] ?? ''}`
    if (command === 'list') await listThread(context, thread.id)
    else if (!closed.has(kind)) {
      const refusal = { walker, pair, command, kind, send: await thread.refusal(command) }
      const isRun = command === 'run' || command === 'stream'
      if (!isRun || listed.has(command)) refusals.push(refusal)
      else {
        listed.add(command)
        await refuse(walk, refusal)
        await listThread(context, thread.id)
      }
    }
  }
  return refusals
}

/** Sends what has to be refused; what is accepted ends its kind, and the walk of its thread. */
async function refuse({ context, closed }: Walk, { walker, command, kind, send }: Refusal): Promise<void> {
  if (closed.has(kind) || (await send()).outcome !== 'accepted') return
  closed.add(kind)
  walker.isOver = true
  const operation = walker.thread.operation(command)
  context.note('blocked', `${kind} was accepted; more of its kind would be paid for.`, { operation })
}

/** Writes the next message. */
async function moveOn({ wanted, closed }: Walk, { walker, state, command }: Step): Promise<void> {
  wanted.delete(pairKey({ state, command }))
  walker.written += 1
  const { outcome } = await walker.thread.move(command)
  // A late system message may be refused; what follows does not need it.
  walker.given = outcome === 'accepted' || command === 'system' ? walker.given.slice(1) : []
  if (outcome === 'rejected') closed.add(likeKey(state, command))
  if (outcome === 'none') walker.isOver = true
}

/** Without a way to write calls only the states of plain messages can be reached. */
export function isAskable({ last, openCalls }: ThreadState, command: ThreadCommand, withCalls: boolean): boolean {
  if (withCalls) return true
  const needsCalls = command === 'ask-one' || command === 'ask-two' || command === 'result'
  return last !== 'asking' && last !== 'tool' && openCalls === 0 && !needsCalls
}
