/**
 * The entry point `acs-kit/vitest`: one vitest test for each requirement of the contract, inside a team's own test file.
 * The suite runs once, before the first of them; each test only looks up its verdicts.
 */
import { beforeAll, expect, test } from 'vitest'
import { isTestable, type Requirement, requirements } from '../spec/index.ts'
import { type FetchHandler, fetchClient } from './client/fetch-client.ts'
import { requirementOutcome } from './judge/requirement-outcome.ts'
import { matchesSelection } from './planning/coverage.ts'
import type { Tier } from './profile/budget-tiers.ts'
import { loadProfile } from './profile/load-profile.ts'
import type { TargetProfile } from './profile/target-profile.ts'
import { type JudgedRun, judgedRun, whyOpen } from './run/judged-run.ts'

export type { FetchHandler } from './client/fetch-client.ts'

export interface ConformanceOptions {
  /** Base URL of the target; default the profile's own. */
  readonly url?: string
  /** Answers requests in this process instead of a server. */
  readonly fetch?: FetchHandler
  /** The target profile, or the path of an `acs.target.yaml`. */
  readonly profile: string | (Omit<TargetProfile, 'baseUrl'> & { readonly baseUrl?: string })
  /** Default `gate`. */
  readonly tier?: Tier
  /** Repeats the requests of an earlier run. */
  readonly seed?: number
  /** Only requirements that match this glob. */
  readonly only?: string
  /** Implied rules fail as well. */
  readonly strict?: boolean
  readonly maxModelCalls?: number
  /** Longest duration of the run itself, default two minutes; a run that takes longer ends early and is judged. */
  readonly timeoutMs?: number
  /** File for the trace, in a folder that exists; `acs judge` makes a report of it. */
  readonly trace?: string
}

/** A URL for handlers, which look at the path alone. */
const handlerUrl = 'http://acs.test'
const defaultTimeoutMs = 120_000
/** The additional time for ending and judging. */
const judgingMs = 60_000

/** Declares the tests; call it once at the top of a test file. Throws when nothing says how the target is reached. */
export function conformance(options: ConformanceOptions): void {
  // JavaScript callers can omit it in spite of the type; then no tests are declared, and a single failure reports it.
  if ((options.profile as unknown) === undefined)
    throw new Error('conformance() needs a profile: the path of an acs.target.yaml, which acs init writes')
  const { only, tier = 'gate', timeoutMs = defaultTimeoutMs } = options
  let judged: JudgedRun | undefined
  beforeAll(async () => {
    const { strict, seed, maxModelCalls, fetch, trace } = options
    const client = fetch === undefined ? {} : { client: fetchClient(fetch) }
    const runOptions = { tier, seed, only, maxModelCalls, totalMs: timeoutMs, trace, ...client }
    judged = await judgedRun(await profileOf(options), { ...runOptions, strict: strict === true })
  }, timeoutMs + judgingMs)
  const rows: readonly Requirement[] = requirements
  for (const row of rows.filter((one) => isTestable(one) && matchesSelection(only, one.id))) {
    test(`${row.id}: ${row.rule}`, (context) => {
      if (judged === undefined) throw new Error('the suite did not run')
      const { status, text } = requirementOutcome(judged.judgement, row.id)
      if (status === 'skipped') context.skip(text)
      expect(text, `${row.section}\n${row.fix ?? ''}`).toBe('')
    })
  }
  test(tier === 'smoke' ? 'the run came to its end' : 'everything that the claimed levels owe was decided', () => {
    expect(judged && whyOpen(judged, tier)).toBe('')
  })
}

async function profileOf({ profile, url, fetch }: ConformanceOptions): Promise<TargetProfile> {
  const given = typeof profile === 'string' ? await loadProfile(profile) : profile
  const baseUrl = url ?? given.baseUrl ?? (fetch === undefined ? undefined : handlerUrl)
  if (baseUrl === undefined) throw new Error('conformance() needs a url, a fetch handler or a profile with a baseUrl')
  return { ...given, baseUrl }
}
