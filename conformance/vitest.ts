/**
 * The door `acs-kit/vitest`: one vitest test for each requirement of the contract, inside a team's own test file. The suite
 * runs once, before the first of them; each test then only looks its verdicts up.
 */
import { beforeAll, expect, test } from 'vitest'
import { isTestable, type Requirement, requirements } from '../spec/index.ts'
import { type FetchHandler, fetchClient } from './client/fetch-client.ts'
import { judge } from './judge/judge.ts'
import { requirementOutcome } from './judge/requirement-outcome.ts'
import type { Judgement } from './judge/verdict.ts'
import { matchesSelection } from './planning/coverage.ts'
import type { Tier } from './profile/budget-tiers.ts'
import { loadProfile } from './profile/load-profile.ts'
import type { TargetProfile } from './profile/target-profile.ts'
import { run } from './run/run.ts'

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
  /** Longest duration of the run itself, default two minutes. */
  readonly timeoutMs?: number
}

/** A URL for handlers, which look at the path alone. */
const handlerUrl = 'http://acs.test'
const defaultTimeoutMs = 120_000

/** Declares the tests; call it once at the top of a test file. */
export function conformance(options: ConformanceOptions): void {
  const { only, tier = 'gate' } = options
  let judgement: Judgement | undefined
  beforeAll(async () => {
    judgement = await judged(options)
  }, options.timeoutMs ?? defaultTimeoutMs)
  const rows: readonly Requirement[] = requirements
  for (const row of rows.filter((one) => isTestable(one) && matchesSelection(only, one.id))) {
    test(`${row.id}: ${row.rule}`, (context) => {
      if (judgement === undefined) throw new Error('the suite did not run')
      const { status, text } = requirementOutcome(judgement, row.id)
      if (status === 'skipped') context.skip(text)
      expect(text, `${row.section}\n${row.fix}`).toBe('')
    })
  }
  if (tier !== 'smoke') {
    test('everything that the claimed levels owe was exercised', () => {
      const open = judgement?.verdicts.filter(({ outcome }) => outcome === 'unexercised')
      expect(judgement?.outcome, JSON.stringify(open, null, 2)).not.toBe('incomplete')
    })
  }
}

async function judged(options: ConformanceOptions): Promise<Judgement> {
  const { tier = 'gate', seed, only, strict = false, maxModelCalls, fetch } = options
  const profile = await profileOf(options)
  const client = fetch === undefined ? {} : { client: fetchClient(fetch) }
  for await (const event of run(profile, { tier, seed, only, maxModelCalls, ...client })) {
    if (event.type !== 'finished') continue
    const { footer } = event.trace
    if (footer?.complete !== true) throw new Error(`the run is not complete: ${footer?.reason ?? 'no reason given'}`)
    const judgement = judge(event.trace, { strict, ...(only === undefined ? {} : { only }) })
    if (judgement.outcome === 'invalid') throw new Error('the run is invalid: nothing could be judged')
    return judgement
  }
  throw new Error('the run ended without a trace')
}

async function profileOf({ profile, url, fetch }: ConformanceOptions): Promise<TargetProfile> {
  // JavaScript callers can leave it out, whatever the type says.
  if ((profile as unknown) === undefined)
    throw new Error('conformance() needs a profile: the path of an acs.target.yaml, which acs init writes')
  const given = typeof profile === 'string' ? await loadProfile(profile) : profile
  const baseUrl = url ?? given.baseUrl ?? (fetch === undefined ? undefined : handlerUrl)
  if (baseUrl === undefined) throw new Error('conformance() needs a url, a fetch handler or a profile with a baseUrl')
  return { ...given, baseUrl }
}
