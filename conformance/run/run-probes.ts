/**
 * Playing a plan: probes in their order, a few at a time when asked for, each on its own stage. What stops a probe becomes a
 * note; what stops the run becomes the reason in the footer.
 */
import type { Chapter } from '../../spec/index.ts'
import type { Client } from '../client/client.ts'
import type { Meter } from '../client/meter.ts'
import { coverageOf } from '../planning/coverage.ts'
import type { Plan, PlanOptions } from '../planning/plan.ts'
import { createCircuitBreaker } from '../probe-runtime/circuit-breaker.ts'
import { createFixtures, type Fixtures } from '../probe-runtime/fixtures.ts'
import { ProbeAborted } from '../probe-runtime/probe-aborted.ts'
import { createProbeClient, guardClient } from '../probe-runtime/probe-client.ts'
import { createProbeContext } from '../probe-runtime/probe-context.ts'
import type { Probe } from '../probes/probe.ts'
import { allProbes } from '../probes/registry.ts'
import type { Tier } from '../profile/budget-tiers.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import { threadSource } from '../profile/thread-source.ts'
import type { ProbeNote } from '../trace/exchange.ts'
import type { RunEvent } from './run-event.ts'

export interface RunProbesOptions {
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
  const client = guardClient(options.client, createCircuitBreaker(), options.signal)
  const run: RunContext = { ...options, client, tier: plan.tier, fixtures: fixturesFor(options, client) }
  const planned = new Set(plan.probes.map(({ id }) => id))
  const programme = allProbes.filter(({ id }) => planned.has(id))
  const chapters = chapterSigns(programme, options.emit)
  const aborts: ProbeAborted[] = []
  const playing = new Map<string, Promise<void>>()
  const playOne = async (probe: Probe): Promise<void> => {
    await Promise.all(probe.last ? playing.values() : (probe.after ?? []).map((id) => playing.get(id)))
    if (aborts.some(({ endsRun }) => endsRun)) return
    chapters.enter(probe)
    const aborted = await play(probe, run)
    chapters.leave(probe)
    if (aborted !== null) aborts.push(aborted)
  }
  const queue = programme.values()
  const lane = async (): Promise<void> => {
    for (const probe of queue) {
      const over = playOne(probe)
      playing.set(probe.id, over)
      await over
    }
  }
  await Promise.all(Array.from({ length: options.concurrency ?? 1 }, lane))
  return (aborts.find(({ endsRun }) => endsRun) ?? aborts.find(({ code }) => code === 'budget'))?.code ?? null
}

interface RunContext extends RunProbesOptions {
  readonly tier: Tier
  readonly fixtures: Fixtures
}

/** Plays one probe to its end, or to what halts it. */
async function play(probe: Probe, run: RunContext): Promise<ProbeAborted | null> {
  const requirements = [...new Set(coverageOf(probe).map(({ requirement }) => requirement))]
  const stage = createProbeContext(probe.id, requirements, {
    ...run,
    sender: createProbeClient(probe.id, { client: run.client, onAnswer: run.fixtures.learn }),
    left: run.meter.left,
  })
  try {
    await probe.play(stage)
    return null
  } catch (aborted) {
    if (isUnwritable(aborted)) {
      stage.note('blocked', `The probe ended early, since a request could not be written: ${aborted.message}`)
      return null
    }
    if (!(aborted instanceof ProbeAborted)) throw aborted
    if (!aborted.endsRun) stage.note(aborted.code === 'budget' ? 'budget' : 'blocked', aborted.message)
    return aborted
  }
}

/** A strange value of the target, from which no request can be made, costs one probe and never the run. */
function isUnwritable(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof URIError
}

function fixturesFor({ profile, shard }: RunProbesOptions, client: Client): Fixtures {
  const { send } = createProbeClient('assistants.list', { client, onAnswer: () => {} })
  return createFixtures({ profile, send, threads: threadSource(profile, client, shard ?? null) })
}

/** What the plan leaves out is said at once, so that an interrupted run still tells why. */
function noteLeftOut(plan: Plan, { onNote }: RunProbesOptions): void {
  const groups = new Map<string, ProbeNote>()
  for (const { requirement, operation, probe, reason, text } of plan.unexercised) {
    const key = `${probe} ${operation} ${reason}`
    const requirements = new Set([...(groups.get(key)?.requirements ?? []), requirement])
    groups.set(key, { kind: 'note', probe, requirements: [...requirements], operation, reason, text })
  }
  for (const note of groups.values()) onNote(note)
}

/** Tells when the first probe of a chapter starts and when its last one is over. */
function chapterSigns(
  programme: readonly Probe[],
  emit: RunProbesOptions['emit'],
): { readonly enter: (probe: Probe) => void; readonly leave: (probe: Probe) => void } {
  const open = new Set<Chapter>()
  const left = new Map<Chapter, number>()
  for (const { chapter } of programme) left.set(chapter, (left.get(chapter) ?? 0) + 1)
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
