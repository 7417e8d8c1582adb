/** Tests that what a key over its quota writes is looked for with another key of its tenant. */
import { expect, test } from 'vitest'
import { trialClient, trialProfile } from '../cli/prove/trial.ts'
import { virtualClock } from '../cli/prove/virtual-time.ts'
import { type FetchHandler, judge, run } from '../conformance/index.ts'
import { createMock } from '../mock-server/index.ts'

const asPrimary = (request: Request): Request => {
  const changed = new Request(request)
  changed.headers.set('api-key', 'acs-demo-primary')
  return changed
}

/** A throttled key of the first tenant, whose messages are refused over the quota, and maybe stored all the same. */
const withKeyOfPrimary = (isStored: boolean) => (handler: FetchHandler) => async (request: Request) => {
  if (request.headers.get('api-key') !== 'acs-demo-throttled') return handler(request)
  const copy = request.clone()
  const answer = await handler(request)
  const isMessage = copy.method === 'POST' && copy.url.endsWith('/messages')
  if (answer.status === 429 && isMessage && isStored) await handler(asPrimary(copy))
  return answer.ok && copy.url.endsWith('/my-api-keys') ? handler(asPrimary(copy)) : answer
}

test.each([
  ['stored', true],
  ['not stored', false],
])('a message that was refused over the quota and is %s', async (_name, isStored) => {
  await using mock = await createMock({ seed: 5, clock: virtualClock })
  const client = trialClient(mock, withKeyOfPrimary(isStored))
  for await (const event of run(trialProfile({}), { tier: 'gate', seed: 5, client })) {
    if (event.type !== 'finished') continue
    const violated = judge(event.trace).verdicts.filter(({ outcome }) => outcome === 'violated')
    const rules = violated.map(({ requirement, operation }) => `${requirement} ${operation}`)
    expect(rules.includes('threads.rejected-leaves-no-trace createMessage')).toBe(isStored)
    return
  }
  throw new Error('the run ended without a trace')
})
