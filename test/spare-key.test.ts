/** Tests that another key of the primary tenant lists the same keys and reaches the same threads. */
import { expect, test } from 'vitest'
import { trialClient, trialProfile } from '../cli/prove/trial.ts'
import { virtualClock } from '../cli/prove/virtual-time.ts'
import { type FetchHandler, judge, run } from '../conformance/index.ts'
import { createMock, defaultScenario } from '../mock-server/index.ts'
import { sampleOf } from './support/samples.ts'

const spare = 'acs-demo-spare'
const scenario = {
  ...defaultScenario,
  tenants: defaultScenario.tenants.map((tenant) =>
    tenant.name === 'primary' ? { ...tenant, keys: [...tenant.keys, { key: spare }] } : tenant,
  ),
}

interface KeyRecords {
  readonly api_keys: readonly { readonly api_key: string }[]
}

const onlyKeyInUse = (handler: FetchHandler): FetchHandler => {
  return async (request) => {
    const key = request.headers.get('api-key')
    const answer = await handler(request)
    if (!answer.ok || !request.url.endsWith('/my-api-keys')) return answer
    const record = (await answer.json()) as KeyRecords
    return Response.json({ ...record, api_keys: record.api_keys.filter(({ api_key }) => api_key === key) })
  }
}

const onlyOwnForSpare = (handler: FetchHandler): FetchHandler => {
  const own = onlyKeyInUse(handler)
  return (request) => (request.headers.get('api-key') === spare ? own(request) : handler(request))
}

const idByKey = (handler: FetchHandler): FetchHandler => {
  return async (request) => {
    const answer = await handler(request)
    if (request.headers.get('api-key') !== spare || !request.url.endsWith('/my-api-keys')) return answer
    const record = (await answer.json()) as { readonly api_keys: readonly { readonly id: string }[] }
    return Response.json({ ...record, id: record.api_keys.at(-1)?.id })
  }
}

const threadsByKey =
  (part: string) =>
  (handler: FetchHandler): FetchHandler => {
    return (request) => {
      const url = new URL(request.url)
      const isAsked = url.pathname.includes('/threads/') && url.pathname.endsWith(part)
      if (request.headers.get('api-key') !== spare || !isAsked) return handler(request)
      const detail = 'Thread not found'
      return Promise.resolve(Response.json({ error_code: 'thread_not_found', detail }, { status: 404 }))
    }
  }

const assistantsByKey = (handler: FetchHandler): FetchHandler => {
  return (request) => {
    if (request.headers.get('api-key') !== spare || !request.url.endsWith('/assistants')) return handler(request)
    return handler(new Request(request.url, { headers: { 'api-key': 'acs-demo-secondary' } }))
  }
}

const cases: readonly (readonly [string, (handler: FetchHandler) => FetchHandler, readonly string[]])[] = [
  ['a sound service', (handler) => handler, []],
  ['one that lists the key in use only', onlyKeyInUse, ['auth.key-names-tenant']],
  ['one that lists all keys for the first one only', onlyOwnForSpare, ['auth.key-names-tenant']],
  ['one that lists assistants by key', assistantsByKey, ['assistants.list-is-complete']],
  ['one that keeps threads by key', threadsByKey(''), ['tenancy.record-is-stable']],
  ['one whose runs look threads up by key', threadsByKey('/run'), ['tenancy.record-is-stable']],
  ['one that takes the id of a key for that of the tenant', idByKey, ['auth.key-names-tenant']],
]

test.each(sampleOf('keys of one tenant', cases))('two keys of a tenant before %s', async (_name, fault, rules) => {
  await using mock = await createMock({ seed: 7, clock: virtualClock, scenario })
  const profile = trialProfile({})
  const tenants = { ...profile.tenants, spare: { key: spare } }
  for await (const event of run({ ...profile, tenants }, { tier: 'gate', seed: 7, client: trialClient(mock, fault) })) {
    if (event.type !== 'finished') continue
    const { outcome, verdicts } = judge(event.trace, { strict: true })
    const violated = verdicts.filter((one) => one.outcome === 'violated').map(({ requirement }) => requirement)
    expect([outcome, violated]).toEqual([rules.length === 0 ? 'conformant' : 'nonconformant', rules])
    return
  }
  throw new Error('the run ended without a trace')
})
