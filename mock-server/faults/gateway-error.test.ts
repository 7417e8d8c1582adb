/** Tests the fault of a gateway: a page of HTML answers in place of the mock, which does nothing. */
import { expect, test } from 'vitest'
import { operationIds } from '../../spec/index.ts'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock } from '../mock.ts'
import { overrideStatus } from '../overrides/heads.ts'
import { defaultScenario } from '../scenario/default-scenario.ts'

const headers = { 'api-key': 'acs-demo-primary' }
const title = (page: string) => /<title>(.*)<\/title>/.exec(page)?.[1]

test('the page of a gateway has the status that was asked for, and nothing of the contract', async () => {
  await using mock = await createMock()
  const { threads } = mock.main.export()
  for (const [fault, told] of [
    ['gateway-error', '502 Bad Gateway'],
    ['gateway-error:503', '503 Service Unavailable'],
    ['gateway-error:status=413', '413 Content Too Large'],
    ['gateway-error:599', '599 Error'],
  ] as const) {
    const answer = await mock.fetch('/v1/threads', {
      method: 'POST',
      headers: { ...headers, 'x-acs-fault': fault },
      body: '{}',
    })
    expect([String(answer.status), title(await answer.text())]).toEqual([told.slice(0, 3), told])
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('x-acs-reason')).toBeNull()
    expect(mock.journal.query().at(-1)).toMatchObject({
      reason: 'injected-fault',
      injected: [{ fault, by: 'header', state: 'applied' }],
      outcome: 'read-all',
    })
  }
  expect(mock.main.export().threads).toEqual(threads)
})

test('a gateway answers any request: with a wrong path, a wrong key or an upload without a grant', async () => {
  await using mock = await createMock()
  mock.faults.add({ fault: 'gateway-error' })
  for (const [method, path, key] of [
    ['GET', '/v1/nowhere', 'acs-demo-primary'],
    ['GET', '/v1/assistants', 'nobody'],
    ['PUT', '/v1/uploads/x', 'acs-demo-primary'],
    ['DELETE', '/v1/threads', 'acs-demo-primary'],
  ] as const) {
    const answer = await mock.fetch(path, { method, headers: { 'api-key': key } })
    expect([path, answer.status, title(await answer.text())]).toEqual([path, 502, '502 Bad Gateway'])
  }
})

test('a status outside of 400 to 599 is refused, and every operation is possible', async () => {
  const { faults } = await createMock()
  for (const status of [399, 600]) {
    expect(() => faults.add({ fault: `gateway-error:${status}` })).toThrow(
      `"status" of "gateway-error" takes a whole number from 400 to 599, not "${status}"`,
    )
  }
  const row = faults.faultCatalogue().find(({ name }) => name === 'gateway-error')
  expect(row?.operations).toEqual(operationIds)
  for (const operation of operationIds) faults.add({ fault: 'gateway-error', match: { operation } })
})

test('a page of a gateway comes late, is cut, and comes before a later error', async () => {
  await using mock = await createMock({ clock: { mode: 'frozen' } })
  const path = '/v1/tenants/my-api-keys'
  const asked = (fault: string) => mock.fetch(path, { headers: { ...headers, 'x-acs-fault': fault } })
  const late = await asked('late-headers:5; gateway-error:504; bad_request')
  expect([late.status, late.headers.get('x-acs-fault-missed')]).toEqual([504, 'bad_request: another error came first'])
  await expect(asked('gateway-error; cut-in-body:9').then((answer) => answer.text())).rejects.toThrow()
  expect(mock.journal.query().at(-1)?.responseText()).toBe('<html>\r\n<')
})

test('a scenario can ask for it, and no override of the service changes the page', async () => {
  await using mock = await createMock({
    scenario: {
      ...defaultScenario,
      assistants: defaultScenario.assistants.map((one) =>
        one.name === 'Echo' ? { ...one, faults: [{ fault: 'gateway-error:503', times: 1 }] } : one,
      ),
    },
    deviations: [overrideStatus(() => 418)],
  })
  const assistant_id = mockClient(mock.main, mock).assistant('Echo')
  const body = JSON.stringify({ assistant_id, messages: [{ role: 'user', content: 'x' }] })
  const statuses: number[] = []
  for (const path of ['/v1/chat/completions', '/v1/chat/completions'])
    statuses.push((await mock.fetch(path, { method: 'POST', headers, body })).status)
  expect(statuses).toEqual([503, 418])
})

test('a trace leaves out what a gateway answered', async () => {
  await using mock = await createMock()
  await mock.fetch('/v1/assistants', { headers: { ...headers, 'x-acs-fault': 'gateway-error:401' } })
  const [header, ...rest] = mock.journal.export('trace').trimEnd().split('\n')
  expect(JSON.parse(header ?? '').leftOut).toEqual({ exchanges: 1, responses: 0 })
  expect(rest).toHaveLength(1)
})
