/**
 * Tests that a counterexample, cut out of a long run and replayed on new threads, shows its violation again.
 * Not for every deviation: some count requests, or need a hundred messages or two at the same time.
 */
import { expect, test } from 'vitest'
import { select, subjectOf } from '../../cli/prove/mutant.ts'
import { trialClient, trialProfile } from '../../cli/prove/trial.ts'
import { virtualClock } from '../../cli/prove/virtual-time.ts'
import { confirm, judge, run, type Trace } from '../../conformance/index.ts'
import { createMock, type Deviation } from '../../mock-server/index.ts'
import { sampleOf, sampling } from '../support/samples.ts'

/** Of all deviations 95 % show again; a small sample may hold several of the others. */
const floor = sampling.whole ? 0.94 : 0.6
const timeoutMs = 3_600_000

test(
  'nearly every violation shows again when its counterexample is replayed',
  async () => {
    const deviations = sampleOf('deviations whose counterexample is replayed', (await select({})).deviations)
    const lost: string[] = []
    for (const deviation of deviations) if (!(await showsAgain(deviation))) lost.push(deviation.id)
    expect(lost.length / deviations.length, lost.join(' ')).toBeLessThanOrEqual(1 - floor)
  },
  timeoutMs,
)

/** Runs gate on the deviation, and replays the counterexample that was found. */
async function showsAgain({ id, requirement }: Deviation): Promise<boolean> {
  const subject = await subjectOf('deviation', id)
  await using mock = await createMock({ deviations: subject.overrides, seed: 1, clock: virtualClock })
  const [profile, client] = [trialProfile(subject.profile), trialClient(mock)]
  const trace = await lastTrace(run(profile, { tier: 'gate', seed: 1, client }))
  const judgement = judge(trace, { strict: true })
  const verdicts = judgement.verdicts.filter((one) => one.outcome === 'violated' && one.requirement === requirement)
  const again = await confirm({ ...judgement, verdicts: verdicts.slice(0, 1) }, trace, profile, {
    judge: (replayed, options) => judge(replayed, { ...options, strict: true }),
    maxExchanges: 100,
    maxModelCalls: 20,
    client,
  })
  return again.some(({ outcome }) => outcome.kind === 'reproduced')
}

async function lastTrace(events: ReturnType<typeof run>): Promise<Trace> {
  for await (const event of events) if (event.type === 'finished') return event.trace
  throw new Error('the run did not finish')
}
