/** An assistant that the profile names by its id is looked for, also when the list leaves it out. */
import { expect, test } from 'vitest'
import { trialClient } from '../../cli/prove/trial.ts'
import { virtualClock } from '../../cli/prove/virtual-time.ts'
import { referenceProfile } from '../../cli/reference-profile.ts'
import { judge, run } from '../../conformance/index.ts'
import { createMock } from '../../mock-server/index.ts'
import { overrideReply } from '../../mock-server/overrides/replies.ts'

const leftOut = async (named: boolean): Promise<readonly string[]> => {
  await using whole = await createMock({ seed: 1, clock: virtualClock })
  const last = whole.scenario.tenants[0]?.assistants.at(-1)?.id ?? ''
  const withoutLast = overrideReply('listAssistants', (json) =>
    Array.isArray(json) ? json.filter((record) => JSON.stringify(record).includes(last) === false) : json,
  )
  await using mock = await createMock({ seed: 1, clock: virtualClock, deviations: [withoutLast] })
  const profile = { ...referenceProfile('http://acs.mock'), tools: null, assistants: named ? { [last]: {} } : {} }
  const options = { tier: 'gate', seed: 1, only: 'assistants.*', client: trialClient(mock) } as const
  for await (const event of run(profile, options)) {
    if (event.type !== 'finished') continue
    const { verdicts } = judge(event.trace, { strict: true })
    return verdicts.filter(({ outcome }) => outcome === 'violated').map(({ requirement }) => requirement)
  }
  throw new Error('the run ended without a trace')
}

test('a named assistant that can be read and is not listed is a violation', async () => {
  expect(await leftOut(true)).toContain('assistants.unknown-refused')
})

test('without a name nobody knows of it', async () => {
  expect(await leftOut(false)).toEqual([])
})
