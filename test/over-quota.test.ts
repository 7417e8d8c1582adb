/** Tests that what a key over its quota writes is looked for with another key of its tenant. */
import { expect, test } from 'vitest'
import { trialProfile } from '../cli/prove/trial.ts'
import { fetchClient, judge, run } from '../conformance/index.ts'
import { createMock, type Mock } from '../mock-server/index.ts'

const asPrimary = (request: Request): Request => {
  const changed = new Request(request)
  changed.headers.set('api-key', 'acs-demo-primary')
  return changed
}

/** A throttled key of the first tenant, whose messages are refused over the quota, and maybe stored all the same. */
const withKeyOfPrimary = (mock: Mock, isStored: boolean) => async (request: Request) => {
  if (request.headers.get('api-key') !== 'acs-demo-throttled') return mock.fetch(request)
  const copy = request.clone()
  const answer = await mock.fetch(request)
  const isMessage = copy.method === 'POST' && copy.url.endsWith('/messages')
  if (answer.status === 429 && isMessage && isStored) await mock.fetch(asPrimary(copy))
  return answer.ok && copy.url.endsWith('/my-api-keys') ? mock.fetch(asPrimary(copy)) : answer
}

test.each([
  ['stored', true],
  ['not stored', false],
])('a message that was refused over the quota and is %s', async (_name, isStored) => {
  await using mock = await createMock({ seed: 5 })
  const client = fetchClient(withKeyOfPrimary(mock, isStored))
  for await (const event of run(trialProfile({}), { tier: 'gate', seed: 5, client })) {
    if (event.type !== 'finished') continue
    const violated = judge(event.trace).verdicts.filter(({ outcome }) => outcome === 'violated')
    const rules = violated.map(({ requirement, operation }) => `${requirement} ${operation}`)
    expect(rules.includes('threads.rejected-leaves-no-trace createMessage')).toBe(isStored)
    return
  }
  throw new Error('the run ended without a trace')
})
