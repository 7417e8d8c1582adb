/** What a mock says when it is up: a mock that is wrong on purpose has to say so. */
import { expect, test } from 'vitest'
import { createMock } from '../mock-server/index.ts'
import { mockBanner } from './mock-banner.ts'

const cast = { tenants: [] }

test('deviations and variants stand right below the URL', () => {
  const overridden = { deviate: ['threads.run-answer-not-stored'], variant: ['http.every-success-200'] }
  expect(mockBanner('http://127.0.0.1:1', cast, overridden, false).split('\n').slice(0, 4)).toEqual([
    'ACS mock on http://127.0.0.1:1  (Ctrl-C stops it)',
    'inspector http://127.0.0.1:1/_acs/ui',
    'violates  threads.run-answer-not-stored',
    'varies    http.every-success-200',
  ])
})

test('the banner creates a thread, says what a quota counts, and where a refusal is explained', async () => {
  await using mock = await createMock()
  const text = mockBanner('http://127.0.0.1:1', mock.scenario, {}, false)
  expect(text).toMatch(/curl http:\/\/127\.0\.0\.1:1\/v1\/threads -H 'api-key: acs-demo-primary' .* # creates a thread/)
  expect(text).toContain('The quota counts completions, runs, message requests and my-api-keys,')
  expect(text).toContain('header x-acs-reason: acs explain <reason>')
  expect(mockBanner('http://127.0.0.1:1', { tenants: [] }, {}, false)).not.toContain('A quota')
})

test('the banner creates a thread as the clients of the vendor do', async () => {
  await using mock = await createMock()
  const threads = { method: 'post', path: '/v1/conversations', body: { agent: '{{assistant_id}}', note: "it's" } }
  const text = mockBanner('http://127.0.0.1:1', mock.scenario, { threads }, false)
  const assistant = mock.scenario.tenants[0]?.assistants[0]?.id
  expect(text).toContain('curl http://127.0.0.1:1/v1/conversations -H')
  expect(text).toContain(`-d '{"agent":"${assistant}","note":"it'\\''s"}'   # creates a thread`)
  expect(text).not.toMatch(/\/v1\/threads -H/)
})

test('a mock that is right says nothing of the kind', () => {
  expect(mockBanner('http://127.0.0.1:1', cast, { deviate: [], variant: [] }, false)).not.toMatch(/violates|varies/)
})

test('the requests of a mock that speaks HTTPS trust its certificate', async () => {
  await using mock = await createMock()
  const text = mockBanner('https://127.0.0.1:1', mock.scenario, { tlsCert: 'tls/my cert.pem' }, false)
  expect(text).toContain("curl --cacert 'tls/my cert.pem' -N https://127.0.0.1:1/v1/chat/completions/stream")
  expect(text).toContain("curl --cacert 'tls/my cert.pem' https://127.0.0.1:1/v1/threads")
})
