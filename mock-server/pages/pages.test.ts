/** Tests what lies beside the API, in process and on a socket: document, health check, page for browsers. */
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMock } from '../mock.ts'
import { defaultScenario } from '../scenario/default-scenario.ts'

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('the document names the URL by which the client reached the mock, in both forms', async () => {
  await using mock = await createMock()
  await using listener = await mock.listen()
  const json = await fetch(`${listener.url}/openapi.json`)
  const document = await json.json()
  expect([json.status, json.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(json.headers.get('access-control-allow-origin')).toBe('*')
  expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: listener.url }] })
  const yaml = await fetch(`${listener.url}/openapi.yaml?fresh`)
  expect(yaml.headers.get('content-type')).toBe('application/yaml')
  expect(parse(await yaml.text())).toEqual(document)
  expect(await (await mock.fetch('/openapi.json')).json()).toMatchObject({ servers: [{ url: 'http://acs.mock' }] })
})

test('the document is at the path of a world, too, and makes no world', async () => {
  await using mock = await createMock()
  await using listener = await mock.listen()
  const seeded = mock.world({ name: 'two', seed: 2 })
  const read = async (path: string) => JSON.parse(await (await fetch(listener.url + path)).text())
  const whole = await read('/openapi.json')
  for (const name of ['one', seeded.name]) {
    const document = await read(`/w/${name}/openapi.json?fresh`)
    expect(document.servers[0].url).toBe(`${listener.url}/w/${name}`)
    expect(JSON.stringify(document.paths) === JSON.stringify(whole.paths)).toBe(name === 'one')
    const yaml = await mock.fetch(`/w/${name}/openapi.yaml`)
    expect(parse(await yaml.text()).paths).toEqual(document.paths)
  }
  expect(mock.worlds().map(({ name }) => name)).toEqual(['default', 'two'])
  expect((await mock.fetch('/w/a%20b/openapi.json')).status).toBe(422)
})

test('the health check answers, to HEAD without a body', async () => {
  await using mock = await createMock()
  await using listener = await mock.listen()
  const whole = await fetch(`${listener.url}/healthz`)
  expect([whole.status, await whole.text()]).toEqual([200, '{"status":"ok"}'])
  const head = await fetch(`${listener.url}/healthz`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await mock.fetch('/healthz', { method: 'HEAD' })).status).toBe(200)
})

test('a browser gets a page at the root that names tenants and assistants, and no key of an own scenario', async () => {
  const [first, ...others] = defaultScenario.tenants
  const scenario = {
    ...defaultScenario,
    tenants: [{ ...first, name: '<b>one & "two"</b>' } as typeof first, ...others],
  }
  await using mock = await createMock({ scenario: scenario as typeof defaultScenario })
  await using listener = await mock.listen()
  const page = await fetch(listener.url, { headers: browser })
  const text = await page.text()
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(text).toContain('&#60;b&#62;one &#38; &#34;two&#34;&#60;/b&#62;')
  for (const { id, name } of mock.scenario.tenants[0]?.assistants ?? [])
    expect(text).toContain(`<code>${id}</code> ${name}`)
  expect(text).toContain('(requires user_data.licence)')
  expect(text).not.toMatch(/<script|<b>|acs-demo/)
})

test('the page at the root tells the public keys of the built-in scenario, with their quota', async () => {
  await using mock = await createMock()
  const text = await (await mock.fetch('/', { headers: browser })).text()
  expect(text).toContain('<li><code>api-key: acs-demo-primary</code></li>')
  expect(text).toMatch(/<code>api-key: acs-demo-throttled<\/code> \(\d+ requests in \d+ s\)/)
  await mock.reload({ ...defaultScenario, name: 'own' })
  expect(await (await mock.fetch('/', { headers: browser })).text()).not.toContain('acs-demo')
})

test.for([
  ['GET', '/', { accept: '*/*' }],
  ['POST', '/', browser],
  ['POST', '/openapi.json', {}],
  ['GET', '/openapi', {}],
  ['GET', '/w/one/openapi', {}],
  ['GET', '/w/one/healthz', {}],
  ['POST', '/w/one/openapi.json', {}],
  ['GET', '/v1', browser],
] as const)('%s %s is an unknown path as before', async ([method, path, headers]) => {
  await using mock = await createMock()
  await using listener = await mock.listen()
  for (const response of [
    await fetch(`${listener.url}${path}`, { method, headers }),
    await mock.fetch(path, { method, headers }),
  ]) {
    expect([response.status, await response.json()]).toMatchObject([404, { error_code: 'resource_not_found' }])
  }
})
