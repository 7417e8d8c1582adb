/**
 * Walks threads through every state of the state table and asks in each what has to be refused there.
 * Refusals cost no model call and move nothing, so one visit of a state asks them all; deep asks every pair.
 */
import {
  emptyThread,
  expectationOf,
  isRefusedRun,
  nextMove,
  pairKey,
  rulesFor,
  statePairs,
  type ThreadCommand,
  type ThreadState,
} from '../../../generators/index.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { toolResult } from '../../probe-runtime/sample-texts.ts'
import { newCallId } from '../../probe-runtime/tool-calls.ts'
import type { TargetProfile } from '../../profile/target-profile.ts'
import { exercised, type Probe, rejectionRules, successRules } from '../probe.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import { refuseResult } from '../tools/tools.ts'
import { listThread } from './threads.ts'
import { type WalkedThread, walkedThread } from './walked-thread.ts'

const needs = { claims: ['threads'], threads: true } as const
/** Enough for every state; a thread of more messages than these may be too long for a service. */
const gateThreads = 3
const deepThreads = 30
const mostMessages = 16
/** Messages to be refused that gate asks beside the runs, each in a state of its own. */
const refusedMessages = 4

export const everyStateProbes = [
  {
    id: 'threads.every-state',
    chapter: 'threads',
    shares: ['system-only'],
    from: 'gate',
    exercises: [
      exercised(['createMessage'], ...successRules),
      exercised(['runThread', 'streamThreadRun'], 'threads.run-needs-user-message', ...rejectionRules),
      exercised(['streamThreadRun'], 'threads.stream-ends-on-user-or-tool', 'streams.same-acceptance'),
      exercised(
        ['runThread', 'streamThreadRun', 'createMessage'],
        'threads.rejected-leaves-no-trace',
        'threads.empty-content-refused',
      ),
      exercised(['createMessage'], 'tools.unmatched-refused', 'tools.unmatched-error', ...rejectionRules),
      exercised(['listMessages'], 'pagination.empty-thread'),
    ],
    needs,
    cost: costOfWalk,
    play: walkEveryState,
  },
  {
    // It sends nothing: the walk above asks it, where a client can write a call.
    id: 'tools.every-state',
    chapter: 'tools',
    from: 'gate',
    exercises: [
      exercised(['runThread', 'streamThreadRun'], 'tools.run-needs-tool-messages#none-answered'),
      exercised(['createMessage'], 'tools.matched-accepted'),
    ],
    needs: { claims: ['threads', 'tools'], threads: true, tools: 'message' },
    after: ['threads.every-state'],
    cost: { exchanges: 0, modelCalls: 0 },
    play: async () => {},
  },
] as const satisfies readonly Probe[]

function costOfWalk(profile: TargetProfile, tier: Parameters<Extract<Probe['cost'], (...args: never) => unknown>>[1]) {
  const withCalls = writesCalls(profile)
  const streams = profile.claims.includes('streaming')
  if (tier !== 'gate') return { exchanges: withCalls ? 421 : 111, modelCalls: 8 }
  const refused = statePairs.filter((pair) => isRefusedRun(pair) && isAskable(pair.state, pair.command, withCalls))
  const runs = refused.filter(({ command }) => streams || command !== 'stream').length
  const read = hasSecond(profile) ? 1 : 0
  return { exchanges: runs + (withCalls ? 31 : 7) + refusedMessages + 6 + read, modelCalls: 0 }
}

function writesCalls({ claims, tools }: TargetProfile): boolean {
  return claims.includes('tools') && tools?.assistantMessage !== undefined
}

/** Without a way to write calls only the states of plain messages can be reached. */
function isAskable({ last, openCalls }: ThreadState, command: ThreadCommand, withCalls: boolean): boolean {
  if (withCalls) return true
  const needsCalls = command === 'ask-one' || command === 'ask-two' || command === 'result'
  return last !== 'asking' && last !== 'tool' && openCalls === 0 && !needsCalls
}

/** What the walk still has to ask, and what it has learnt not to try. */
interface Walk {
  readonly stage: ProbeContext
  /** Keys of pairs that are still to be asked. */
  readonly wanted: Set<string>
  /** Commands with their rules that this target does not take, or answers although it must not. */
  readonly closed: Set<string>
  readonly rank: (command: ThreadCommand) => number
  readonly withCalls: boolean
  /** Runs behind whose first refusal the thread was listed: what one form leaves is not taken for the other's. */
  readonly listed: Set<ThreadCommand>
}

async function walkEveryState(stage: ProbeContext): Promise<void> {
  const withCalls = writesCalls(stage.profile)
  if (!withCalls) stage.note('no-fixture', 'Without a way to write tool calls, states behind a call are not asked.')
  const walk: Walk = {
    stage,
    withCalls,
    wanted: wantedPairs(stage, withCalls),
    closed: new Set(),
    listed: new Set(),
    rank: shuffledRank(stage),
  }
  const first = await stage.shared('system-only')
  if (first === null) return
  if (first.empty) await askEmptyList(walk, first.id)
  if (hasSecond(stage.profile)) await refuseRead(stage, first.id)
  await refuseResult(stage, first.id, newCallId(stage.random), 'unmatched:/body')
  await refuseResultWithoutId(stage, first.id)
  if (!first.empty) return stage.note('no-fixture', 'The profile does not say that a thread is empty.')
  const most = stage.tier === 'gate' ? gateThreads : deepThreads
  for (let opened = 0; opened < most && walk.wanted.size > 0; opened += 1) {
    const id = opened === 0 ? first.id : await stage.thread()
    if (id === null) return
    const thread = walkedThread(stage, id)
    const before = walk.wanted.size
    await walkThread(walk, thread)
    if (walk.wanted.size === before) break
  }
  if (walk.wanted.size > 0) noteRest(walk)
}

/** Gate wants the runs that must be refused, a state each for some messages, and the list of an empty thread. */
function wantedPairs({ tier, profile, random }: ProbeContext, withCalls: boolean): Set<string> {
  const streams = profile.claims.includes('streaming')
  const askable = statePairs.filter(
    ({ state, command }) => isAskable(state, command, withCalls) && (streams || command !== 'stream'),
  )
  if (tier !== 'gate') return new Set(askable.map(pairKey))
  const messages = askable.filter(({ command }) => command === 'empty-content' || command === 'unknown-result')
  const chosen = random.shuffled(messages).slice(0, refusedMessages)
  const unknown = { state: { ...emptyThread, last: 'assistant', hasUser: true }, command: 'unknown-result' } as const
  return new Set([...askable.filter(isRefusedRun), ...chosen, unknown].map(pairKey))
}

function shuffledRank({ random }: ProbeContext): Walk['rank'] {
  const order = random.shuffled(['user', 'system', 'assistant', 'ask-one', 'ask-two', 'result'])
  return (command) => order.indexOf(command)
}

/** Before anything was refused in it, an empty thread is surely empty. */
async function askEmptyList({ stage, wanted }: Walk, thread: string): Promise<void> {
  wanted.delete(pairKey({ state: emptyThread, command: 'list' }))
  await listThread(stage, thread)
}

function hasSecond({ claims, tenants }: TargetProfile): boolean {
  return claims.includes('tenancy') && tenants.secondary !== undefined
}

/** A thread without a message is its tenant's as well. */
function refuseRead(stage: ProbeContext, thread: string): Promise<unknown> {
  const foreign = { purpose: 'foreign:/path/thread_id', in: { thread_id: thread }, as: 'secondary' } as const
  return sendOneInvalid(stage, 'listMessages', foreign)
}

function refuseResultWithoutId(stage: ProbeContext, thread: string): Promise<unknown> {
  const json = { role: 'tool', content: toolResult(stage.random) }
  return sendOneInvalid(stage, 'createMessage', { purpose: 'drop:/body/tool_call_id', in: { thread_id: thread }, json })
}

async function walkThread(walk: Walk, thread: WalkedThread): Promise<void> {
  for (let written = 0; written <= mostMessages; written += 1) {
    if (!(await askHere(walk, thread)) || written === mostMessages) return
    const move = nextMove(thread.state(), {
      isWanted: (state) =>
        statePairs.some((pair) => isSame(pair.state, state) && isWantedHere(walk, state, pair.command)),
      isWantedMove: (state, command) => walk.wanted.has(pairKey({ state, command })),
      isPossible: (state, command) => isPossible(walk, state, command),
      rank: walk.rank,
    })
    if (move === null || !(await moveOn(walk, thread, move))) return
  }
}

const isSame = (one: ThreadState, other: ThreadState): boolean =>
  pairKey({ state: one, command: 'list' }) === pairKey({ state: other, command: 'list' })

/** Whether something is to be asked that leaves the state as it is. */
function isWantedHere({ wanted }: Walk, state: ThreadState, command: ThreadCommand): boolean {
  const stays = command === 'list' || expectationOf(state, command) === 'refused'
  return stays && wanted.has(pairKey({ state, command }))
}

function isPossible({ stage, closed, withCalls }: Walk, state: ThreadState, command: ThreadCommand): boolean {
  if (!isAskable(state, command, withCalls) || closed.has(likeKey(state, command))) return false
  const isRun = command === 'run' || command === 'stream'
  return !isRun || (stage.tier !== 'gate' && stage.left().modelCalls > 1)
}

/** A command together with the rules that speak about it: what a target refuses once, it refuses there. */
function likeKey(state: ThreadState, command: ThreadCommand): string {
  const rules = rulesFor(state, command)
  return rules.length === 0 ? pairKey({ state, command }) : `${command}: ${rules.join(', ')}`
}

/** Asks what leaves the state as it is; says whether the thread still is in it. */
async function askHere(walk: Walk, thread: WalkedThread): Promise<boolean> {
  const { stage, wanted, closed } = walk
  const state = thread.state()
  const here = statePairs.filter((pair) => isSame(pair.state, state) && isWantedHere(walk, state, pair.command))
  for (const { command } of stage.random.shuffled(here)) {
    wanted.delete(pairKey({ state, command }))
    if (command === 'list') {
      await listThread(stage, thread.id)
      continue
    }
    const [rule = ''] = rulesFor(state, command)
    if (closed.has(`${command}: ${rule}`)) continue
    const { outcome } = await thread.refuse(command)
    if (outcome !== 'accepted') {
      await listOnce(walk, thread, command)
      continue
    }
    closed.add(`${command}: ${rule}`)
    stage.note(
      'blocked',
      `${command} (${rule}) was accepted; more of its kind would be paid for.`,
      thread.operation(command),
    )
    return false
  }
  return true
}

async function listOnce({ stage, listed }: Walk, { id }: WalkedThread, command: ThreadCommand): Promise<void> {
  if (listed.has(command) || (command !== 'run' && command !== 'stream')) return
  listed.add(command)
  await listThread(stage, id)
}

/** Writes the next message; says whether the thread can be walked on. */
async function moveOn({ wanted, closed }: Walk, thread: WalkedThread, command: ThreadCommand): Promise<boolean> {
  const state = thread.state()
  wanted.delete(pairKey({ state, command }))
  const { outcome } = await thread.move(command)
  if (outcome === 'rejected') closed.add(likeKey(state, command))
  return outcome !== 'none'
}

function noteRest({ stage, wanted, closed }: Walk): void {
  const refused = closed.size === 0 ? '' : ` The target does not take: ${[...closed].join('; ')}.`
  stage.note('refused-by-target', `${wanted.size} pairs of a thread's state and a request were not reached.${refused}`)
}
