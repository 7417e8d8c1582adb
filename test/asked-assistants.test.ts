/** Of a tenant with several assistants the gate asks each one, however they stand in the list. */
import { expect, test } from 'vitest'
import { trialClient } from '../cli/prove/trial.ts'
import { virtualClock } from '../cli/prove/virtual-time.ts'
import { referenceProfile } from '../cli/reference-profile.ts'
import { judge, run, type Trace } from '../conformance/index.ts'
import { createMock, defaultScenario } from '../mock-server/index.ts'

/** The one that answers whole only stands between others that require nothing. */
const ofPrimary = ['Echo', 'Legal assistant', 'Whole answers only', 'Weather desk', 'Second', 'Third', 'Strict']

/** Ids that a profile may name and no list of the tenant shows. */
const unlisted = Object.fromEntries(
  [7, 8].map((digit) => [`${digit}0000000-0000-4000-8000-000000000000`, { prompt: 'Hello' }]),
)

function scenarioOf(names: readonly string[]): typeof defaultScenario {
  const [echo] = defaultScenario.assistants
  const legal = defaultScenario.assistants.find(({ name }) => name === 'Legal assistant')
  if (echo === undefined || legal === undefined) throw new Error('the scenario has other assistants')
  const others = [
    { ...echo, name: 'Second' },
    { ...echo, name: 'Third' },
    { ...legal, name: 'Strict' },
  ]
  const [primary, ...tenants] = defaultScenario.tenants
  if (primary === undefined) throw new Error('the scenario has no tenant')
  return {
    ...defaultScenario,
    tenants: [{ ...primary, assistants: [...names] }, ...tenants],
    assistants: [...defaultScenario.assistants, ...others],
  }
}

const askedIn = ({ exchanges }: Trace): ReadonlySet<unknown> =>
  new Set(
    exchanges
      .filter(({ response, request }) => response?.status === 200 && /\/(run|completions)(\/|\?|$)/.test(request.url))
      .map(({ request: { body } }) => JSON.parse(body !== null && 'utf8' in body ? body.utf8 : '{}').assistant_id),
  )

test('each assistant of a tenant of seven answers a question', async () => {
  await using mock = await createMock({ seed: 1, clock: virtualClock, scenario: scenarioOf(ofPrimary) })
  const profile = referenceProfile('http://acs.mock')
  for await (const event of run(profile, { tier: 'gate', seed: 1, client: trialClient(mock) })) {
    if (event.type !== 'finished') continue
    const asked = askedIn(event.trace)
    const listed = mock.scenario.tenants[0]?.assistants ?? []
    expect(listed.filter(({ id }) => !asked.has(id)).map(({ name }) => name)).toEqual([])
  }
})

test('the assistant that is read without a key is read with one, also where the profile names some of other tenants', async () => {
  const scenario = scenarioOf(['Legal assistant', 'Whole answers only', 'Weather desk', 'Strict', 'Echo'])
  await using mock = await createMock({ seed: 1, clock: virtualClock, scenario })
  const profile = {
    ...referenceProfile('http://acs.mock'),
    assistants: unlisted,
    tenants: { primary: referenceProfile('').tenants.primary },
  }
  for await (const event of run(profile, { tier: 'gate', seed: 1, only: 'a*', client: trialClient(mock) })) {
    if (event.type !== 'finished') continue
    const verdicts = judge(event.trace).verdicts.filter(
      ({ requirement, operation }) => requirement === 'auth.key-required' && operation === 'getAssistant',
    )
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['upheld'])
  }
})
