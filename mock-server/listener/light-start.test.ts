/** Tests what a mock that listens leaves unloaded, since it starts in every test run. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test("a mock that listens does not load Node's own HTTP client, nor HTTP/2", () => {
  const mock = JSON.stringify(join(import.meta.dirname, '..', 'index.ts'))
  const script = `const { createMock } = await import(${mock})
    const mock = await createMock()
    const { url } = await mock.listen()
    const { get } = process.getBuiltinModule('node:http')
    const headers = { 'api-key': 'acs-demo-primary' }
    const status = await new Promise((resolve) => get(url + '/v1/assistants', { headers }, ({ statusCode }) => resolve(statusCode)))
    console.log(JSON.stringify([status, process.moduleLoadList.filter((name) => /undici|http2/.test(name))]))
    process.exit()`
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(JSON.parse(printed)).toEqual([200, []])
})
