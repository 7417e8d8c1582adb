/**
 * Runs one trial: the suite tests the mock with one subject's hook overrides, in this process. Its report becomes a few
 * lines of data. The trial does not know the expected result; the proof does.
 */
import {
  type Client,
  type ClientOptions,
  type Cost,
  type FetchHandler,
  fetchClient,
  headersAsWritten,
  type Judgement,
  judge,
  run,
  type TargetProfile,
  type Tier,
  type Trace,
  type Verdict,
} from '../../conformance/index.ts'
import { createMock, type Mock } from '../../mock-server/index.ts'
import { referenceProfile } from '../reference-profile.ts'
import type { Subject, SubjectKind } from './mutant.ts'
import { virtualClock, withVirtualTime } from './virtual-time.ts'

export interface TrialOptions {
  readonly tier: Extract<Tier, 'smoke' | 'gate'>
  readonly seed: number
  /** Probes that play at the same time; default 1. */
  readonly concurrency?: number
}

/** A requirement that the suite found violated. */
export interface Breach {
  readonly requirement: string
  /** Requests and model calls that were sent when the last exchange of the shortest witness was over. */
  readonly requests: number
  readonly modelCalls: number
  readonly expected: string
  readonly actual: string
  /** The operations and facets at which it was found violated. */
  readonly places: readonly Place[]
}

/** Where a requirement is owed. */
type Place = Pick<Verdict, 'operation' | 'facet'>

export interface Trial {
  readonly kind: SubjectKind
  readonly id: string
  readonly outcome: Judgement['outcome']
  readonly strictOutcome: Judgement['outcome']
  /** Why a run is incomplete or invalid. */
  readonly reason?: string
  readonly breaches: readonly Breach[]
  /** Requirements that were upheld and nowhere violated. */
  readonly upheld: readonly string[]
  readonly exchanges: number
  readonly modelCalls: number
}

/** Plays the tier against the mock with these overrides; first the probes of one requirement, if the subject names it. */
export const runTrial = async (subject: Subject, options: TrialOptions): Promise<Trial> => {
  const { only, ...whole } = subject
  if (only === undefined) return runOnce(subject, options)
  const short = await runOnce(subject, options)
  return short.breaches.length > 0 ? short : runOnce(whole, options)
}

const runOnce = async (subject: Subject, options: TrialOptions): Promise<Trial> => {
  const { trace, costs } = await record(subject, options)
  const { only = '*' } = subject
  const judgement = judge(trace, { only })
  const strict = judge(trace, { strict: true, only })
  const breaches = breachesIn(judgement, costs)
  const broken = new Set(breaches.map(({ requirement }) => requirement))
  const upheld = new Set(
    judgement.verdicts.flatMap(({ requirement, outcome }) =>
      outcome === 'upheld' && !broken.has(requirement) ? [requirement] : [],
    ),
  )
  const reason = judgement.reason ?? strict.reason
  return {
    kind: subject.kind,
    id: subject.id,
    outcome: judgement.outcome,
    strictOutcome: strict.outcome,
    ...(reason === undefined ? {} : { reason }),
    breaches,
    upheld: [...upheld],
    exchanges: trace.exchanges.length,
    modelCalls: trace.footer?.modelCalls ?? 0,
  }
}

interface Recorded {
  readonly trace: Trace
  /** The cost when an exchange was over. */
  readonly costs: ReadonlyMap<string, Cost>
}

/** A name for a mock without a port; it is not used. */
const inProcessUrl = 'http://acs.mock'

const record = async ({ overrides, profile, only }: Subject, options: TrialOptions): Promise<Recorded> => {
  await using mock = await createMock({ deviations: overrides, seed: options.seed, clock: virtualClock })
  const costs = new Map<string, Cost>()
  for await (const event of run(trialProfile(profile), { ...options, only, client: trialClient(mock) })) {
    if (event.type === 'exchanged') costs.set(event.exchange.id, event.cost)
    if (event.type === 'finished') return { trace: event.trace, costs }
  }
  throw new Error('the run ended without a trace')
}

/** Carries requests to a mock in this process with a virtual clock; `altered` may change them. */
export const trialClient = (
  mock: Mock,
  altered: (handler: FetchHandler) => FetchHandler = (handler) => handler,
): ((given: ClientOptions) => Client) => {
  const { nowMs, ticking } = withVirtualTime(mock)
  const answer: FetchHandler = async (request) => {
    const response = await mock.fetch(request, writtenBy(request))
    // As a listener does; here the time of the world is the time.
    response.headers.set('date', new Date(mock.clock.nowUs() / 1000).toUTCString())
    return response
  }
  const connect = fetchClient(altered(answer))
  return (given) => ticking(connect({ ...given, clock: nowMs }))
}

/** Header names as the suite wrote them, which a Request forgets. */
const writtenBy = (request: Request): RequestInit => {
  const headers = headersAsWritten(request)
  return headers === undefined ? {} : { headers: headers.map(([name, value]): [string, string] => [name, value]) }
}

/** The profile of a mock in this process, as it follows a subject. */
export const trialProfile = (patch: Partial<TargetProfile>): TargetProfile => {
  const profile = referenceProfile(inProcessUrl)
  const tools =
    profile.tools === null || patch.tools === undefined ? profile.tools : { ...profile.tools, ...patch.tools }
  return { ...profile, ...patch, tools }
}

/** One breach for each violated requirement: the one that was known first, with the places of all. */
const breachesIn = ({ verdicts }: Judgement, costs: ReadonlyMap<string, Cost>): readonly Breach[] => {
  const first = new Map<string, Breach>()
  for (const verdict of verdicts) {
    if (verdict.outcome !== 'violated') continue
    const known = first.get(verdict.requirement)
    const breach = breachOf(verdict, costs, known?.places ?? [])
    const isFirst = known === undefined || breach.requests < known.requests
    first.set(verdict.requirement, isFirst ? breach : { ...known, places: breach.places })
  }
  return [...first.values()]
}

const breachOf = (verdict: Verdict, costs: Recorded['costs'], known: readonly Place[]): Breach => {
  const { requirement, operation, facet, witness, exchanges, expected, actual } = verdict
  const last = witness?.steps.at(-1)?.exchange ?? exchanges.at(-1) ?? ''
  const cost = costs.get(last)
  return {
    requirement,
    requests: cost?.exchanges ?? 0,
    modelCalls: cost?.modelCalls ?? 0,
    expected: expected ?? '',
    actual: actual ?? '',
    places: [...known, { operation, facet }],
  }
}
