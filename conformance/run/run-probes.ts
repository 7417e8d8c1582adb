/**
 * Runs a plan: each probe in its own context, several at a time on request. The reason that stops a probe becomes a note;
 * the reason that stops the run goes into the footer.
 */
import type { Chapter, OperationId } from '../../spec/index.ts'
import type { Client } from '../client/client.ts'
import type { Meter } from '../client/meter.ts'
import { UnsendableRequest } from '../client/unsendable.ts'
import { coverageOf } from '../planning/coverage.ts'
import type { Plan, PlanOptions } from '../planning/plan.ts'
import { isOnStandby, openingOf, playOrder } from '../planning/play-order.ts'
import { threadSource } from '../preflight/thread-source.ts'
import { type AssistantHealth, createAssistantHealth, isQuestion } from '../probe-runtime/assistant-health.ts'
import { type AssistantMessages, createAssistantMessages } from '../probe-runtime/assistant-messages.ts'
import { createCircuitBreaker } from '../probe-runtime/circuit-breaker.ts'
import { withCommonHeaders } from '../probe-runtime/client-headers.ts'
import { createFixtures, type Fixtures } from '../probe-runtime/fixtures.ts'
import { ProbeAborted } from '../probe-runtime/probe-aborted.ts'
import {
  createProbeClient,
  guardClient,
  type ProbeClientParts,
  repeatingClient,
} from '../probe-runtime/probe-client.ts'
import { createProbeContext } from '../probe-runtime/probe-context.ts'
import type { Answer } from '../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../probe-runtime/request-spec.ts'
import { type Cost, costOf, type Probe } from '../probes/probe.ts'
import { allProbes } from '../probes/registry.ts'
import type { Tier } from '../profile/budget-tiers.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import type { ProbeNote } from '../trace/exchange.ts'
import type { RunEvent } from './run-event.ts'
import { playInOrder, type Schedule, scheduleOf } from './schedule.ts'

interface RunProbesOptions {
  readonly profile: TargetProfile
  readonly seed: number
  readonly signal: AbortSignal
  readonly client: Client
  readonly meter: Meter
  readonly concurrency?: number | undefined
  /** The part of a divided run that plays. */
  readonly shard?: PlanOptions['shard']
  readonly emit: (event: RunEvent) => void
  readonly onNote: (note: ProbeNote) => void
}

/** Plays every planned probe; gives the reason why the run is not complete, or `null`. */
export async function runProbes(plan: Plan, options: RunProbesOptions): Promise<string | null> {
  noteLeftOut(plan, options)
  const common = withCommonHeaders(options.client, options.seed, options.profile.transport)
  const client = guardClient(common, createCircuitBreaker(), options.signal)
  const standby = new Map(
    plan.standby.map(({ id, leastExchanges, modelCalls }) => [id, { exchanges: leastExchanges, modelCalls }]),
  )
  const waiting = new Set(standby.keys())
  const ids = new Set(plan.probes.map(({ id }) => id))
  const planned = allProbes.filter(({ id }) => ids.has(id))
  const able = allProbes.filter(({ id }) => ids.has(id) || waiting.has(id))
  const sequence = playOrder(able, options.seed, waiting)
  const opening = openingOf(planned, options.seed)
  const schedule = scheduleOf(sequence, options.profile, plan.tier, { opening, standby: waiting })
  const isAffordable = affordableOf(standby, options.meter)
  const health = createAssistantHealth()
  const fixtures = fixturesFor(options, client, health)
  const run: RunContext = {
    ...options,
    client,
    tier: plan.tier,
    fixtures,
    health,
    schedule,
    assistantMessages: createAssistantMessages(),
  }
  const chapters = chapterSigns(sequence, options.emit)
  const aborts: ProbeAborted[] = []
  await playInOrder(sequence, schedule, options.concurrency ?? 1, async (probe) => {
    chapters.enter(probe)
    const aborted = isAffordable(probe) ? await play(probe, run) : null
    options.meter.release(probe.id)
    chapters.leave(probe)
    // The plan promised nothing of those on standby: if the caps end them, the run is as complete as without them.
    if (aborted !== null && !(isOnStandby(probe, waiting) && aborted.code === 'budget')) aborts.push(aborted)
    return aborted?.endsRun !== true
  })
  return (aborts.find(({ endsRun }) => endsRun) ?? aborts.find(({ code }) => code === 'budget'))?.code ?? null
}

/**
 * Whether a probe plays. What is left for those on standby is counted once, when the first of them may start: then nothing else
 * is on its way, so that the same target is always asked the same.
 */
function affordableOf(standby: ReadonlyMap<string, Cost>, meter: Meter): (probe: Probe) => boolean {
  let kept: ReadonlySet<string> | null = null
  return ({ id }) => {
    if (!standby.has(id)) return true
    kept ??= new Set([...standby].filter(([one, share]) => meter.keep(one, share)).map(([one]) => one))
    return kept.has(id)
  }
}

interface RunContext extends RunProbesOptions {
  readonly tier: Tier
  readonly fixtures: Fixtures
  readonly health: AssistantHealth
  readonly schedule: Schedule
  readonly assistantMessages: AssistantMessages
}

/** The most repetitions of one probe. */
const mostRepetitions = 4

/**
 * Plays one probe; again from its start when its assistant failed before much was sent, or when the contents of a thread
 * are unknown.
 */
async function play(probe: Probe, run: RunContext): Promise<ProbeAborted | null> {
  for (let attempt = 0; ; attempt += 1) {
    let answered = 0
    const aborted = await playOnce(probe, run, attempt, () => {
      answered += 1
    })
    const isReplaced = aborted?.code === 'assistant-retired' && answered <= longestDisturbed
    if ((aborted?.code !== 'disturbed' && !isReplaced) || attempt === mostRepetitions) return aborted
  }
}

/** A probe, or an attempt, of more requests is not repeated after a failure: the cost would exceed the benefit. */
export const longestDisturbed = 20

/**
 * Whether the probe may run again because of a write to a thread with an unknown effect. Half of the rest stays reserved
 * for single requests that fail.
 */
function mayPlayAgain(probe: Probe, attempt: number, { meter, profile, tier }: RunContext): boolean {
  const { exchanges, modelCalls } = costOf(probe, profile, tier)
  const left = meter.leftForRepetitions()
  const isAffordable = 2 * exchanges <= left.exchanges && modelCalls < left.modelCalls
  return attempt < mostRepetitions && exchanges <= longestDisturbed && isAffordable && probe.last !== true
}

/**
 * Each attempt has its own random values, and so has each part of a divided run: a probe that runs in several parts makes
 * up other ids and texts in each.
 */
function chanceOf({ id }: Probe, { shard }: RunContext, attempt: number): string {
  const again = attempt === 0 ? id : `${id}/${attempt}`
  return shard === undefined || shard.index === 1 ? again : `${again} in part ${shard.index}`
}

/** Runs one probe to its end, or until it is stopped. */
async function playOnce(
  probe: Probe,
  run: RunContext,
  attempt: number,
  onAnswered: () => void,
): Promise<ProbeAborted | null> {
  const requirements = [...new Set(coverageOf(probe).map(({ requirement }) => requirement))]
  const fixtures = run.fixtures.of(probe.id, run.schedule.placesFor(probe))
  const client = attempt === 0 ? run.client : repeatingClient(run.client)
  const learn = learning(probe, fixtures, run, attempt)
  const onAnswer: typeof learn = (...heard) => {
    onAnswered()
    return learn(...heard)
  }
  const turn = turnsOf(probe, fixtures, run)
  const sender = createProbeClient(probe.id, { client, timeoutOf: fixtures.timeoutOf, turn, onAnswer })
  const context = createProbeContext(probe.id, requirements, {
    ...run,
    fixtures,
    chance: chanceOf(probe, run, attempt),
    sender: { ...sender, send: run.assistantMessages.adapted(sender.send) },
    workers: run.concurrency ?? 1,
    left: () => leftFor(probe, run),
    reserve: run.meter.leftForRepetitions,
  })
  try {
    await probe.play(context)
    return null
  } catch (aborted) {
    // A strange value of the target, from which no request can be made, costs one probe and never the run.
    if (aborted instanceof UnsendableRequest) {
      context.note('blocked', `The probe ended early, because a request could not be written: ${aborted.message}`)
      return null
    }
    if (!(aborted instanceof ProbeAborted)) throw aborted
    // The writes of this attempt are not repeated in the same threads.
    if (aborted.code === 'disturbed') fixtures.giveUpShared()
    if (aborted.code === 'assistant-retired') context.note('blocked', aborted.message)
    else if (aborted.code !== 'disturbed' && !aborted.endsRun)
      context.note(aborted.code === 'budget' ? 'budget' : 'blocked', aborted.message)
    return aborted
  }
}

/**
 * The budget of a probe. Where the reserve is spent, one model call stays for refusals: they need one, since they may
 * be answered.
 */
function leftFor({ id }: Probe, { meter }: RunContext): Cost {
  const { exchanges, modelCalls } = meter.left(id)
  return { exchanges, modelCalls: meter.leftForRepetitions().modelCalls > 0 ? modelCalls : Math.max(0, modelCalls - 1) }
}

/** Learns from answers; ends the probe when its assistant does not work. */
function learning(probe: Probe, fixtures: Fixtures, run: RunContext, attempt: number): ProbeClientParts['onAnswer'] {
  return async (answer, operation, ask, disturbed) => {
    fixtures.learn(answer, operation, ask)
    const thread = ask.in?.thread_id
    // A deliberately provoked failure is no disturbance: the thread must work after it.
    const isUnknown = disturbed && operation !== 'listMessages' && ask.retry !== 'none'
    if (isUnknown && thread !== undefined) fixtures.giveUp(thread)
    await endWhenRetired(probe, fixtures, run.health, { answer, operation, ask, disturbed })
    if (isUnknown && thread !== undefined && mayPlayAgain(probe, attempt, run))
      throw new ProbeAborted('disturbed', `The contents of the thread ${thread} are unknown.`)
  }
}

/** A question waits until its assistant may be asked, and ends the probe when the assistant was retired meanwhile. */
function turnsOf(probe: Probe, fixtures: Fixtures, { health }: RunContext): NonNullable<ProbeClientParts['turn']> {
  const unlessRetired = async (assistant: string, turn: Promise<() => void>): Promise<() => void> => {
    const over = await turn
    if (!health.isRetired(assistant) || probe.asksSeveral === true) return over
    over()
    throw new ProbeAborted('assistant-retired', `The assistant ${assistant} was retired; another one takes over.`)
  }
  return (operation, ask) => {
    const assistant = isQuestion(operation, ask) ? fixtures.assistantOf(ask) : undefined
    const turn = assistant === undefined ? null : health.turn(assistant)
    return assistant === undefined || turn === null ? null : unlessRetired(assistant, turn)
  }
}

interface Heard {
  readonly answer: Answer
  readonly operation: OperationId | null
  readonly ask: RequestSpec
  readonly disturbed: boolean
}

async function endWhenRetired(
  probe: Probe,
  fixtures: Fixtures,
  health: AssistantHealth,
  { answer, operation, ask, disturbed }: Heard,
): Promise<void> {
  const assistant = isQuestion(operation, ask) ? fixtures.assistantOf(ask) : undefined
  if (assistant === undefined) return
  const sound = await fixtures.askable(typeof ask.as === 'string' ? ask.as : 'primary')
  const others = sound.filter(({ id }) => id.toLowerCase() !== assistant.toLowerCase())
  const isRetired = health.count(assistant, answer, { hasOther: others.length > 0, disturbed })
  if (isRetired && probe.asksSeveral !== true)
    throw new ProbeAborted('assistant-retired', retirementText(assistant, answer))
}

function retirementText(assistant: string, { exchange, errorCode }: Answer): string {
  const error = errorCode ?? exchange.failure ?? `status ${exchange.response?.status}`
  return `The assistant ${assistant} failed twice (${error}, ${exchange.id}); another one takes over.`
}

function fixturesFor({ profile, shard }: RunProbesOptions, client: Client, health: AssistantHealth): Fixtures {
  const { send } = createProbeClient('assistants.list', { client, onAnswer: async () => {} })
  return createFixtures({ profile, health, send, threads: threadSource(profile, client, shard ?? null) })
}

/** The omissions of the plan are noted at once, so that an interrupted run still gives the reasons. */
function noteLeftOut(plan: Plan, { onNote }: RunProbesOptions): void {
  const groups = new Map<string, ProbeNote>()
  for (const { requirement, operation, probe, reason, text } of plan.unexercised) {
    const key = `${probe} ${operation} ${reason}`
    const requirements = new Set([...(groups.get(key)?.requirements ?? []), requirement])
    groups.set(key, { kind: 'note', probe, requirements: [...requirements], operation, reason, text })
  }
  for (const note of groups.values()) onNote(note)
}

/** Reports when the first probe of a chapter starts and when its last one ends. */
function chapterSigns(
  sequence: readonly Probe[],
  emit: RunProbesOptions['emit'],
): { readonly enter: (probe: Probe) => void; readonly leave: (probe: Probe) => void } {
  const open = new Set<Chapter>()
  const left = new Map<Chapter, number>()
  for (const { chapter } of sequence) left.set(chapter, (left.get(chapter) ?? 0) + 1)
  return {
    enter: ({ chapter }) => {
      if (!open.has(chapter)) emit({ type: 'chapter', chapter, state: 'started' })
      open.add(chapter)
    },
    leave: ({ chapter }) => {
      const rest = (left.get(chapter) ?? 1) - 1
      left.set(chapter, rest)
      if (rest === 0) emit({ type: 'chapter', chapter, state: 'finished' })
    },
  }
}
