/**
 * Walks threads through every state of the state table and asks in each what has to be refused there.
 * Refusals cost no model call and move nothing, so one visit of a state asks them all; deep asks every pair.
 */
import { emptyThread, isRefusedRun, pairKey, statePairs } from '../../../generators/index.ts'
import { everyPastedText } from '../../probe-runtime/pasted-texts.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { inheritedName } from '../../probe-runtime/sample-texts.ts'
import type { TargetProfile } from '../../profile/target-profile.ts'
import { mayFillByCompletion } from '../completions/question-not-last.ts'
import { exercised, type Probe, rejectionRules, successRules } from '../probe.ts'
import { hasSecondTenant } from '../support/profile-facts.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import { refuseResult, refuseResultWithoutId } from '../tools/results.ts'
import { listThread } from './threads.ts'
import { isAskable, type Walk, walkThreads } from './walk-threads.ts'

const needs = { claims: ['threads'], threads: true } as const
/** Messages to be refused that gate asks beside the runs, each in a state of its own: two of them are surely empty ones. */
const refusedMessages = 3

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
  const read = hasSecondTenant(profile) ? 1 : 0
  // As measured. Where there is one tenant, a plan for a single requirement takes up to three messages more.
  const written = withCalls ? (hasSecondTenant(profile) ? 33 : 36) : 8
  return { exchanges: runs + written + refusedMessages + 6 + read, modelCalls: 0 }
}

function writesCalls({ claims, tools }: TargetProfile): boolean {
  return claims.includes('tools') && tools?.assistantMessage !== undefined
}

async function walkEveryState(context: ProbeContext): Promise<void> {
  const withCalls = writesCalls(context.profile)
  if (!withCalls) {
    const text = 'The profile does not show how a client writes tool calls, so states after a call are not asked.'
    context.note('no-fixture', text, { about: ['tools.*'] })
  }
  const walk: Walk = {
    context,
    withCalls,
    wanted: wantedPairs(context, withCalls),
    closed: new Set(),
    listed: new Set(),
    rank: shuffledRank(context),
    contents: mayFillByCompletion(context) ? everyPastedText(context.random) : [].values(),
  }
  const first = await context.shared('system-only')
  if (first === null) return
  if (first.empty) await askEmptyList(walk, first.id)
  if (hasSecondTenant(context.profile)) await refuseRead(context, first.id)
  // Where no client writes a call, these are the only unknown ids that a run meets, and one that is no UUID may be malformed.
  if (!withCalls) await refuseResult(context, first.id, inheritedName(context.random), 'unmatched:/body')
  await refuseResult(context, first.id, context.random.uuid(), 'unmatched:/body')
  // Else it is sent where calls wait for their results, one of which it might be taken for.
  if (!withCalls) await refuseResultWithoutId(context, first.id)
  if (!first.empty) return context.note('no-fixture', 'The profile does not say that a thread is empty.')
  await walkThreads(walk, first.id)
  if (walk.wanted.size > 0) noteRest(walk)
}

/**
 * Gate wants the runs that must be refused, and a state each for some messages. An empty message is tried first in an empty
 * thread, where a system message may stand, and as the result of a call.
 */
function wantedPairs({ tier, profile, random }: ProbeContext, withCalls: boolean): Set<string> {
  const streams = profile.claims.includes('streaming')
  const askable = statePairs.filter(
    ({ state, command }) => isAskable(state, command, withCalls) && (streams || command !== 'stream'),
  )
  if (tier !== 'gate') return new Set(askable.map(pairKey))
  const messages = random.shuffled(
    askable.filter(({ command }) => command === 'empty-content' || command === 'unknown-result'),
  )
  const empty = messages.filter(({ command }) => command === 'empty-content')
  const surely = (['none', 'asking'] as const).flatMap((last) => empty.find(({ state }) => state.last === last) ?? [])
  const chosen = [...surely, ...messages.filter((pair) => !surely.includes(pair))].slice(0, refusedMessages)
  const unknown = { state: { ...emptyThread, last: 'assistant', hasUser: true }, command: 'unknown-result' } as const
  return new Set([...askable.filter(isRefusedRun), ...chosen, unknown].map(pairKey))
}

/**
 * By chance, but a system message comes right behind a question: whoever overlooks it for the end of a thread finds an end
 * there that may be streamed. A single call comes last: two of them lead through more states.
 */
function shuffledRank({ random }: ProbeContext): Walk['rank'] {
  const order = [...random.shuffled(['user', 'system', 'assistant', 'ask-two', 'result']), 'ask-one']
  return (command, { last }) => (last === 'user' && command === 'system' ? -1 : order.indexOf(command))
}

/** Before anything was refused in it, an empty thread is surely empty. */
async function askEmptyList({ context, wanted }: Walk, thread: string): Promise<void> {
  wanted.delete(pairKey({ state: emptyThread, command: 'list' }))
  await listThread(context, thread)
}

/** A thread without a message is its tenant's as well. */
function refuseRead(context: ProbeContext, thread: string): Promise<unknown> {
  const foreign = { purpose: 'foreign:/path/thread_id', in: { thread_id: thread }, as: 'secondary' } as const
  return sendOneInvalid(context, 'listMessages', foreign)
}

function noteRest({ context, wanted, closed }: Walk): void {
  const refused = closed.size === 0 ? '' : ` The target does not take: ${[...closed].join('; ')}.`
  context.note(
    'refused-by-target',
    `${wanted.size} pairs of a thread's state and a request were not reached.${refused}`,
  )
}
