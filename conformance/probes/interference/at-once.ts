/**
 * Requests of two tenants and of several threads at the same time. Nothing new is judged: what each of them is answered
 * alone is also what it has to be answered among others.
 */
import { transientFailureOf } from '../../client/transient-failure.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { uniqueQuestion, uniqueStatement } from '../../probe-runtime/sample-texts.ts'
import type { TenantName } from '../../profile/target-profile.ts'
import { exercised, type Probe, successRules } from '../probe.ts'
import { inLanes } from '../support/in-lanes.ts'
import { walkPages } from '../support/page-walk.ts'
import { runOnThread } from '../threads/runs.ts'
import { listThread, postMessage } from '../threads/threads.ts'
import { askFor, newCall, sendResult } from '../tools/tools.ts'
import { runUnlike, unlikeAssistant } from './unlike-assistant.ts'

const bothTenants = ['primary', 'secondary'] as const
/** A result of the first of two requests that reaches the second one depends on who is faster, so each pair is sent again. */
const rounds = 2
const keyRounds = 2

export const overlapProbes = [
  {
    id: 'tenancy.reads-at-once',
    chapter: 'tenancy',
    shares: ['runs', 'workshop', 'second-a'],
    from: 'gate',
    rare: true,
    exercises: [
      exercised(['listMyApiKeys'], 'tenancy.keys-are-own', 'tenancy.record-is-stable'),
      exercised(['getAssistant'], 'assistants.get-returns-requested', 'assistants.list-and-get-agree'),
    ],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    // It opens the threads.
    after: ['threads.interleaved'],
    cost: ({ claims, threads }) => ({
      exchanges: 2 * keyRounds + 2 * rounds * (claims.includes('files') ? 3 : 2) + (threads === null ? 0 : 8),
      modelCalls: 0,
    }),
    play: playReads,
  },
  {
    id: 'tools.results-at-once',
    chapter: 'tools',
    shares: ['workshop'],
    from: 'gate',
    rare: true,
    exercises: [exercised(['createMessage'], 'tools.matched-accepted')],
    needs: { claims: ['threads', 'tools'], threads: true, tools: 'message' },
    after: ['threads.interleaved'],
    cost: { exchanges: 4, modelCalls: 0 },
    play: async (stage) => {
      const mapping = stage.profile.tools
      const thread = await stage.shared('workshop')
      const calls = [newCall(stage), newCall(stage)] as const
      if (mapping === null || thread === null || !(await askFor(stage, thread.id, calls, mapping))) return
      await Promise.all(calls.map((call) => sendResult(stage, thread.id, call)))
      await listThread(stage, thread.id)
    },
  },
  {
    id: 'threads.runs-at-once',
    chapter: 'threads',
    shares: ['second-a', 'runs', 'unlike', 'spare-calls'],
    from: 'gate',
    rare: true,
    exercises: [
      exercised(['runThread'], ...successRules, 'threads.run-appends-answer', 'streams.answer-belongs-to-thread'),
    ],
    needs: { claims: ['threads'], threads: true },
    // The thread of the run that failed has to be run as well.
    late: true,
    after: ['threads.run', 'errors.provoked'],
    cost: { exchanges: 11, modelCalls: 3 },
    play: playRuns,
  },
] as const satisfies readonly Probe[]

/** Reads of two tenants, and of two threads of one tenant, in pairs. */
async function playReads(stage: ProbeContext): Promise<void> {
  for (let round = 0; round < keyRounds; round += 1)
    await Promise.all(bothTenants.map((as) => stage.send('listMyApiKeys', { as })))
  const grant = { query: [['filename', 'notes.txt']], headers: [['user-id', 'user-1']] } as const
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(bothTenants.map((as) => stage.send('listAssistants', { as })))
    await Promise.all(bothTenants.map((as) => readAssistant(stage, as, round)))
    if (stage.profile.claims.includes('files'))
      await Promise.all(bothTenants.map((as) => stage.send('createUploadGrant', { as, ...grant })))
  }
  await readThreads(stage)
}

/** The last of a tenant's assistants and the one before it: the first ones may be the same for both tenants. */
async function readAssistant(stage: ProbeContext, as: TenantName, round: number): Promise<void> {
  const assistant = (await stage.assistants(as)).at(-1 - round)
  if (assistant !== undefined) await stage.send('getAssistant', { as, in: { assistant_id: assistant.id } })
}

async function readThreads(stage: ProbeContext): Promise<void> {
  const { claims, threads } = stage.profile
  if (threads === null || !claims.includes('threads')) return
  const own = await stage.shared('runs')
  const other = await stage.shared('workshop')
  const foreign = await stage.shared('second-a', 'secondary')
  if (own === null || other === null || foreign === null) return
  await Promise.all([
    postMessage(stage, other.id, 'user', uniqueStatement(stage.random)),
    postMessage(stage, own.id, 'user', uniqueStatement(stage.random)),
  ])
  for (let round = 0; round < rounds; round += 1)
    await Promise.all([
      listThread(stage, own.id),
      listThread(stage, foreign.id, 'secondary'),
      listThread(stage, other.id),
    ])
}

/**
 * Two runs of one thread, which a service may refuse to do at once, a run of another thread by an assistant of another kind,
 * and a message to that thread meanwhile.
 */
async function playRuns(stage: ProbeContext): Promise<void> {
  const hasSecond = stage.profile.claims.includes('tenancy') && stage.profile.tenants.secondary !== undefined
  const as = hasSecond ? 'secondary' : 'primary'
  const twice = await stage.shared(hasSecond ? 'second-a' : 'runs', as)
  const plain = await stage.assistant('plain', as)
  const unlike = await unlikeAssistant(stage)
  if (twice === null || plain === null || unlike === null) return
  const once = await stage.shared('unlike', 'primary', unlike)
  if (once === null) return
  const left = stage.left().modelCalls
  if (left < 2) return stage.note('budget', 'Fewer than two model calls are left, so no two runs can be at once.')
  const questions = [
    [twice.id, uniqueQuestion(stage.random), as],
    [once.id, uniqueQuestion(stage.random), 'primary'],
  ] as const
  await inLanes(stage, questions, ([thread, question, asker]) => postMessage(stage, thread, 'user', question, asker))
  const again = { as, expects: 'either', purpose: 'overlapping-run:/thread' } as const
  const [, other] = await Promise.all([
    runOnThread(stage, twice.id, 'runThread', plain, { as }),
    runUnlike(stage, once.id, unlike, (plain) => ({ ...plain, retry: 'none' })),
    ...(left < 3 ? [] : [runOnThread(stage, twice.id, 'runThread', plain, again)]),
    postMessage(stage, once.id, 'user', uniqueStatement(stage.random)),
  ])
  // Only what fails again and again, with something else in between, surely stays so.
  if (transientFailureOf(other.exchange) !== null) await runUnlike(stage, once.id, unlike)
  const reads = [() => listThread(stage, once.id), () => walkPages(stage, twice.id, 6, 8, { as, untilSeen: true })]
  await inLanes(stage, reads, (read) => read())
}
