/** Of a tenant with several assistants the gate asks each one, however they stand in the list. */
import { expect, test } from 'vitest'
import { trialClient } from '../cli/prove/trial.ts'
import { virtualClock } from '../cli/prove/virtual-time.ts'
import { referenceProfile } from '../cli/reference-profile.ts'
import { run, type Trace } from '../conformance/index.ts'
import { createMock, defaultScenario } from '../mock-server/index.ts'

/** The one that answers whole only stands between others that require nothing. */
const ofPrimary = ['Echo', 'Legal assistant', 'Whole answers only', 'Weather desk', 'Second', 'Third', 'Strict']

function scenarioOfMany(): typeof defaultScenario {
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
    tenants: [{ ...primary, assistants: ofPrimary }, ...tenants],
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
  await using mock = await createMock({ seed: 1, clock: virtualClock, scenario: scenarioOfMany() })
  const profile = referenceProfile('http://acs.mock')
  for await (const event of run(profile, { tier: 'gate', seed: 1, client: trialClient(mock) })) {
    if (event.type !== 'finished') continue
    const asked = askedIn(event.trace)
    const listed = mock.scenario.tenants[0]?.assistants ?? []
    expect(listed.filter(({ id }) => !asked.has(id)).map(({ name }) => name)).toEqual([])
  }
})
