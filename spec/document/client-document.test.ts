/** Tests the rendering for clients: what generators need is said, and the document for judging is left alone. */
import { expect, test } from 'vitest'
import { contractDigest, documentOf, loadDocument } from './document.ts'
import { isJsonObject, type Json, type JsonObject, objectAt } from './json.ts'
import { brokenReference } from './references.ts'

const reference = await loadDocument({ profile: 'reference', clients: {} })
const contract = await loadDocument({ clients: {} })

const at = (document: JsonObject, ...path: readonly string[]): JsonObject =>
  path.reduce((node, key) => objectAt(node, key), document)

const schemasOf = (document: JsonObject) => at(document, 'components', 'schemas')

/** Every object of a document, examples left out. */
const objectsIn = (node: Json): readonly JsonObject[] => {
  if (Array.isArray(node)) return node.flatMap((child: Json) => objectsIn(child))
  if (!isJsonObject(node)) return []
  const children = Object.entries(node).filter(([key]) => key !== 'value' && key !== 'example')
  return [node, ...children.flatMap(([, child]) => objectsIn(child))]
}

test('the document by which servers are judged stays as it is', () => {
  const before = JSON.stringify(documentOf('reference'))
  const digest = contractDigest()
  expect(reference).not.toEqual(documentOf('reference'))
  expect(JSON.stringify(documentOf('reference'))).toBe(before)
  expect(contractDigest()).toBe(digest)
})

test.for([
  ['contract', contract],
  ['reference', reference],
] as const)('an object of the %s that shows no field is open, and no reference is broken', ([, document]) => {
  const bare = objectsIn(document).filter(({ type, properties }) =>
    properties === undefined ? [type].flat().includes('object') : false,
  )
  expect(bare.length).toBeGreaterThanOrEqual(3)
  for (const schema of bare) expect(schema).toHaveProperty('additionalProperties')
  expect(brokenReference(document)).toBeNull()
})

test.for(['CompletionRequest', 'RunRequest', 'LegalMetaData'])('%s shows fields and takes more', (name) => {
  for (const document of [contract, reference]) expect(schemasOf(document)[name]).toHaveProperty('additionalProperties')
})

test('a record that is complete stays closed', () => {
  expect(schemasOf(reference).Message).not.toHaveProperty('additionalProperties')
  expect(schemasOf(reference).ToolCall).not.toHaveProperty('additionalProperties')
})

test('the codes of the reference profile are an enumeration, and only validation_error has a list of faults', () => {
  const { ErrorCode, PlainError } = schemasOf(reference) as Record<string, JsonObject>
  const codes = ErrorCode?.enum as readonly string[]
  expect(codes).toHaveLength(14)
  expect(at(PlainError ?? {}, 'properties').error_code).toEqual({
    type: 'string',
    enum: codes.filter((code) => code !== 'validation_error'),
  })
})

test('the blocks of the reference profile are a closed union that is told apart by type', () => {
  const { ContentBlock, OtherBlock } = schemasOf(reference) as Record<string, JsonObject>
  expect(OtherBlock).toBeUndefined()
  expect(ContentBlock?.oneOf).toHaveLength(2)
  expect(at(ContentBlock ?? {}, 'discriminator', 'mapping')).toEqual({
    reasoning: '#/components/schemas/ReasoningBlock',
    text: '#/components/schemas/TextBlock',
  })
})

test('no parameter in a query may be null, and a cursor has no example', () => {
  for (const document of [contract, reference]) {
    const queries = objectsIn(document).filter((node) => node.in === 'query')
    expect(queries.length).toBeGreaterThanOrEqual(5)
    for (const { schema } of queries) expect(Array.isArray((schema as JsonObject).type)).toBe(false)
    expect(queries.find(({ name }) => name === 'cursor')).not.toHaveProperty('example')
  }
})

test('the server is a plain URL, by default that of acs mock', async () => {
  expect((contract.servers as readonly JsonObject[])[0]?.url).toBe('http://127.0.0.1:4010')
  const { servers } = await loadDocument({ clients: { server: 'https://mock.example' } })
  expect(servers).toEqual([{ url: 'https://mock.example', description: expect.any(String) }])
})

test('an error of the contract that is not shown has content of any form', () => {
  const content = at(contract, 'components', 'responses', 'UnstatedError', 'content', 'application/json')
  expect(content.schema).toEqual({ description: expect.any(String) })
})

test('the items of streams are named schemas, in both versions of OpenAPI', async () => {
  const later = await loadDocument({ profile: 'reference', openapi: '3.2', clients: {} })
  for (const name of ['TextStream', 'BlockStream']) {
    const item = { $ref: `#/components/schemas/${name}Item` }
    const place = ['components', 'responses', name, 'content', 'application/x-ndjson'] as const
    expect(at(reference, ...place)['x-itemSchema']).toEqual(item)
    expect(at(later, ...place).itemSchema).toEqual(item)
    expect(schemasOf(reference)[`${name}Item`]).toHaveProperty('anyOf')
  }
})
