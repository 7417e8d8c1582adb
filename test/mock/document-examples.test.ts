/** Tests that each example of the served document can be sent as it is to `acs mock`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMock, errorCodes } from '../../mock-server/index.ts'
import { type JsonObject, loadDocument, operationIds, operations } from '../../spec/index.ts'
import { startPrism } from '../support/prism.ts'
import { type MockProcess, startMock } from './mock-process.ts'

let mock: MockProcess
let document: JsonObject

beforeAll(async () => {
  mock = await startMock()
  document = (await (await fetch(`${mock.url}/openapi.json`)).json()) as JsonObject
})

afterAll(() => mock.end('SIGKILL'))

interface Parameter {
  readonly name: string
  readonly in: string
  readonly example?: unknown
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Reference[]
  readonly requestBody?: Reference
}

type Reference = { readonly $ref?: string }

/** What a reference stands for. */
function resolved<T>(value: Reference | undefined): T {
  const segments = value?.$ref?.slice(2).split('/')
  return (
    segments === undefined ? value : segments.reduce<unknown>((node, key) => (node as JsonObject)[key], document)
  ) as T
}

interface Example {
  readonly id: string
  readonly title: string
  readonly path: string
  readonly init: RequestInit
}

/** Every example of every operation, as a request. */
function requests(): readonly Example[] {
  return Object.entries(document.paths as JsonObject).flatMap(([template, item]) => {
    const { parameters: shared = [], ...methods } = item as unknown as Record<string, Operation> & Operation
    return Object.entries(methods as Record<string, Operation>).flatMap(([method, operation]) =>
      examplesOf(template, method, operation, shared),
    )
  })
}

function examplesOf(template: string, method: string, operation: Operation, shared: readonly Reference[]) {
  const parameters = [...shared, ...(operation.parameters ?? [])].map((each) => resolved<Parameter>(each))
  const given = parameters.filter(({ example }) => example !== undefined)
  const path = given.reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), template)
  const query = given.filter((each) => each.in === 'query').map(({ name, example }) => [name, String(example)])
  const headers = given.filter((each) => each.in === 'header').map(({ name, example }) => [name, String(example)])
  const init = {
    method: method.toUpperCase(),
    headers: { 'api-key': 'acs-demo-primary', ...Object.fromEntries(headers) },
  }
  const target = `${path}?${new URLSearchParams(Object.fromEntries(query))}`
  const bodies = bodiesOf(operation)
  return (bodies.length === 0 ? [['request', undefined] as const] : bodies).map(([title, body]) => ({
    id: operation.operationId,
    title,
    path: target,
    init: body === undefined ? init : withBody(init, body),
  }))
}

const withBody = (init: { readonly headers: Readonly<Record<string, string>> }, body: unknown) => ({
  ...init,
  headers: { ...init.headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

function bodiesOf({ requestBody }: Operation): readonly (readonly [string, unknown])[] {
  if (requestBody === undefined) return []
  const { content } = resolved<{ content: Record<string, { examples: Record<string, { value: unknown }> }> }>(
    requestBody,
  )
  return Object.entries(content['application/json']?.examples ?? {}).map(([title, { value }]) => [title, value])
}

/** The first example of each operation twice, then its other one, and then every further one. */
function rounds(): readonly Example[] {
  const all = requests()
  const ids = [...new Set(all.map(({ id }) => id))]
  const examples = ids.map((id) => all.filter((each) => each.id === id))
  const first = [0, 0, 1].flatMap((index) => examples.map((each) => each[index] ?? (each[0] as Example)))
  return [...first, ...examples.flatMap((each) => each.slice(2))]
}

/** Sends everything, and tells what is not answered with success. */
async function refusedBy(url: string): Promise<readonly string[]> {
  const refused: string[] = []
  for (const { id, title, path, init } of rounds()) {
    const response = await fetch(`${url}${path}`, init)
    const text = await response.text()
    if (!response.ok) refused.push(`${id} ${title} ${path} ${response.status} ${text}`)
  }
  return refused
}

test('the mock answers every example of all 13 operations', async () => {
  const described = operationIds.filter((id) => operations[id].path !== null)
  const ids = new Set(requests().map(({ id }) => id))
  expect([...ids].toSorted()).toEqual(described.toSorted())
  expect(ids.size).toBe(13)
  expect(await refusedBy(mock.url)).toEqual([])
})

test('Prism, a proxy that refuses what breaks the document, lets each of them and its answer pass', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'acs-prism-proxy-'))
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  await using prism = await startPrism('proxy', '--errors', join(folder, 'openapi.json'), mock.url)
  expect(await refusedBy(prism.url)).toEqual([])
  const wrong = { method: 'POST', ...withBody({ headers: { 'api-key': 'acs-demo-primary' } }, { assistant_id: 7 }) }
  const refusal = await fetch(`${prism.url}/v1/chat/completions`, wrong)
  expect([refusal.status, await refusal.text()]).toEqual([422, expect.stringContaining('stoplight.io')])
  rmSync(folder, { recursive: true })
})

test('after a reset the default world holds again what the document names', async () => {
  const reset = await fetch(`${mock.url}/_acs/worlds/default/reset`, { method: 'POST' })
  expect([reset.status, await reset.json()]).toEqual([200, expect.objectContaining({ threads: 2 })])
  expect(await refusedBy(mock.url)).toEqual([])
})

test('the document that is printed has the examples of the one that is served', async () => {
  const printed = await loadDocument({ profile: 'reference', clients: { server: mock.url } })
  expect(document).toEqual(printed)
})

test('the codes of the document are those that the mock uses', () => {
  const { schemas } = document.components as unknown as { schemas: { ErrorCode: { enum: readonly string[] } } }
  expect(schemas.ErrorCode.enum.toSorted()).toEqual(Object.keys(errorCodes).toSorted())
})

test('a mock in process holds no examples, unless asked', async () => {
  for (const [options, threads] of [
    [{}, 404],
    [{ examples: true }, 200],
  ] as const) {
    await using own = await createMock(options)
    const at = requests().find(({ id }) => id === 'listMessages')
    expect((await own.fetch(at?.path ?? '', at?.init)).status).toBe(threads)
  }
})
