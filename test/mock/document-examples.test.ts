/** Tests that each example of the served document can be sent as it is to `acs mock`. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMock, errorCodes } from '../../mock-server/index.ts'
import { type JsonObject, loadDocument, operationIds, operations } from '../../spec/index.ts'
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
    init: body === undefined ? init : { ...init, body: JSON.stringify(body) },
  }))
}

function bodiesOf({ requestBody }: Operation): readonly (readonly [string, unknown])[] {
  if (requestBody === undefined) return []
  const { content } = resolved<{ content: Record<string, { examples: Record<string, { value: unknown }> }> }>(
    requestBody,
  )
  return Object.entries(content['application/json']?.examples ?? {}).map(([title, { value }]) => [title, value])
}

test('each operation answers its example, twice, and then its other one', async () => {
  const all = requests()
  const described = operationIds.filter((id) => operations[id].path !== null)
  const ids = [...new Set(all.map(({ id }) => id))]
  expect(ids.toSorted()).toEqual(described.toSorted())
  expect(ids).toHaveLength(13)
  for (const index of [0, 0, 1]) {
    for (const id of ids) {
      const examples = all.filter((each) => each.id === id)
      const { title, path, init } = examples[index] ?? (examples[0] as Example)
      const response = await fetch(`${mock.url}${path}`, init)
      const text = await response.text()
      expect(response.ok, `${id} ${title} ${path} ${response.status} ${text}`).toBe(true)
    }
  }
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
