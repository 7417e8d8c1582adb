/**
 * Runs the planned probes against a target and reports everything as events, the trace last. A dead target, an
 * interruption or a spent budget still ends in a trace with an honest footer.
 */
import { type Client, createClient } from '../client/client.ts'
import { createMeter, type Meter } from '../client/meter.ts'
import type { Cost } from '../client/meter-accounts.ts'
import type { ClientOptions } from '../client/send-request.ts'
import { newTraceparent } from '../client/traceparent.ts'
import { type Plan, type PlanOptions, planRun } from '../planning/plan.ts'
import { ProbeAborted } from '../probe-runtime/probe-aborted.ts'
import { totalMsFor } from '../profile/budget-tiers.ts'
import { secretsOf } from '../profile/redact-profile.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import { traceHeader } from '../profile/trace-header.ts'
import { createPseudonyms } from '../pseudonyms/pseudonyms.ts'
import type { Exchange, ProbeNote, TraceFooter, TraceHeader } from '../trace/exchange.ts'
import { highest } from '../trace/highest.ts'
import { createEventQueue } from './event-queue.ts'
import type { RunEvent } from './run-event.ts'
import { longestDisturbed, runProbes } from './run-probes.ts'

export interface RunOptions extends PlanOptions {
  /** Ends the run early; the trace then says `interrupted`. */
  readonly signal?: AbortSignal | undefined
  /** The longest duration of the run, milliseconds; default from the profile or the tier. */
  readonly totalMs?: number | undefined
  /** Probes that play at the same time; default 1, which keeps the order of requests the same for the same seed. */
  readonly concurrency?: number | undefined
  /** Whether requests carry a `traceparent` unless the profile says otherwise; default false. */
  readonly traceparent?: boolean | undefined
  /**
   * Takes the header and every exchange, each before the probe that asked goes on. A recording that is written here misses
   * nothing that later requests build on, even if the process dies; the events may lag behind.
   */
  readonly onRecord?: ((record: TraceHeader | Exchange) => void) | undefined
  /** The recording of an interrupted run that this run resumes. */
  readonly earlier?: EarlierRun | undefined
  /** Another way to carry requests; default HTTP. */
  readonly client?: ((options: ClientOptions) => Client) | undefined
}

/** What was recorded before this run, and the pseudonyms that secrets have there. */
interface EarlierRun {
  readonly header: TraceHeader
  readonly exchanges: readonly Exchange[]
  readonly pseudonyms: readonly (readonly [secret: string, pseudonym: string])[]
}

/** Runs the suite against a target; the last event carries the trace. Never throws because of a target's behaviour. */
export async function* run(profile: TargetProfile, options: RunOptions = {}): AsyncGenerator<RunEvent, void, void> {
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31)
  const leave = new AbortController()
  const signal = options.signal === undefined ? leave.signal : AbortSignal.any([options.signal, leave.signal])
  const queue = createEventQueue<RunEvent>()
  const work = recordRun(profile, { ...options, seed, signal }, queue.push).finally(queue.end)
  try {
    yield* queue
  } finally {
    leave.abort()
    await work
  }
}

type Settled = RunOptions & { readonly seed: number; readonly signal: AbortSignal }

async function recordRun(profile: TargetProfile, options: Settled, emit: (event: RunEvent) => void): Promise<void> {
  const plan = planRun(profile, options)
  const { earlier } = options
  const pseudonyms = createPseudonyms({ secrets: secretsOf(profile), known: earlier?.pseudonyms })
  const exchanges: Exchange[] = [...(earlier?.exchanges ?? [])]
  const notes: ProbeNote[] = []
  const onNote = (note: ProbeNote): void => {
    notes.push(note)
    emit({ type: 'noted', note })
  }
  const meter = meterOf(plan, profile, earlier === undefined ? 0 : (options.concurrency ?? 1))
  const header =
    earlier === undefined
      ? { ...traceHeader(profile, pseudonyms, options.seed), plan: plannedOf(plan, options) }
      : { ...earlier.header, resumed: true }
  options.onRecord?.(header)
  emit({ type: 'planned', plan, header })
  const record = (exchange: Exchange, cost: Cost): void => {
    options.onRecord?.(exchange)
    emit({ type: 'exchanged', exchange, cost })
  }
  for (const exchange of exchanges) record(exchange, meter.cost())
  const startedAtMs = performance.now()
  const client = (options.client ?? createClient)({
    profile,
    pseudonyms,
    meter,
    exchangesBefore: highest(exchanges.map(sequence)),
    traceparent: (profile.transport?.traceparent ?? options.traceparent) === true ? newTraceparent : undefined,
    onExchange: (exchange, cost) => {
      exchanges.push(exchange)
      record(exchange, cost)
    },
  })
  const close = (): void => void client.close()
  const limitMs = totalMsFor(
    plan.tier,
    neededMs(plan, profile),
    options.totalMs ?? profile.timeouts?.totalMs ?? profile.budget.totalMs,
  )
  const late = AbortSignal.timeout(Math.min(limitMs, longestTimerMs))
  const signal = AbortSignal.any([options.signal, late])
  signal.addEventListener('abort', close)
  const ended = await runProbes(plan, { ...options, signal, profile, client, meter, emit, onNote }).catch(asFault)
  signal.removeEventListener('abort', close)
  const stopReason = ended === 'interrupted' && !options.signal.aborted ? lateReason(limitMs) : ended
  await client.close()
  const durationMs = Math.round(performance.now() - startedAtMs)
  const footer = footerOf(exchanges.length, meter.cost().modelCalls, durationMs, stopReason)
  exchanges.sort((left, right) => sequence(left) - sequence(right))
  emit({ type: 'finished', trace: { header, exchanges, notes, footer } })
}

/** The time that the rate requires, or a model that always takes the longest allowed time. */
function neededMs({ durationMs, modelCalls }: Plan, { budget, timeouts }: TargetProfile): number {
  const callMs = timeouts?.modelMs ?? 3 * budget.timeoutMs
  return Math.max(durationMs ?? 0, modelCalls * callMs)
}

const longestTimerMs = 2 ** 31 - 1

function lateReason(limitMs: number): string {
  return `time: the limit of ${Number((limitMs / 60_000).toFixed(2))} min is reached`
}

/** The part of the plan that a reader of the trace needs. */
function plannedOf({ tier, caps }: Plan, { shard, concurrency, only }: Settled): NonNullable<TraceHeader['plan']> {
  return {
    tier,
    ...caps,
    ...((concurrency ?? 1) === 1 ? {} : { workers: concurrency ?? 1 }),
    ...(shard === undefined ? {} : { shard: { index: shard.index, count: shard.of } }),
    ...(only === undefined ? {} : { only }),
  }
}

/** Requests in flight at an interruption are sent again, and their probes may run again: the reserve grows by their cost. */
function meterOf(plan: Plan, profile: TargetProfile, interrupted: number): Meter {
  const { maxExchanges, maxModelCalls, reserve } = plan.caps
  return createMeter({
    maxExchanges: maxExchanges ?? undefined,
    maxModelCalls: maxModelCalls ?? undefined,
    reserve: {
      exchanges: reserve.exchanges + interrupted * longestDisturbed,
      modelCalls: reserve.modelCalls + interrupted * 2,
    },
    shares: new Map(plan.probes.map(({ id, exchanges, modelCalls }) => [id, { exchanges, modelCalls }])),
    ratePerMinute: profile.budget.ratePerMinute,
  })
}

function footerOf(exchanges: number, modelCalls: number, durationMs: number, stopReason: string | null): TraceFooter {
  const footer = { kind: 'footer', exchanges, modelCalls, durationMs } as const
  return stopReason === null ? { ...footer, complete: true } : { ...footer, complete: false, reason: stopReason }
}

function asFault(error: unknown): string {
  return error instanceof ProbeAborted
    ? error.code
    : `suite-fault: ${error instanceof Error ? error.message : String(error)}`
}

function sequence({ id }: Exchange): number {
  return Number(id.slice(1))
}
