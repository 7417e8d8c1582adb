/** Tests the schemas of both profiles: self-contained, compilable, and valid for every example. */
import { expect, test } from 'vitest'
import { documentOf } from '../document/document.ts'
import { isJsonObject, type Json, type JsonObject } from '../document/json.ts'
import { dereferenced } from '../document/references.ts'
import { operationIds } from '../operations.ts'
import { createAjv } from './ajv.ts'
import { schemaParts } from './document-schemas.ts'
import { componentNames, componentSchema, parametersOf, schemaOf } from './schemas.ts'
import { relinked, standaloneSchema } from './standalone-schema.ts'

const profiles = ['contract', 'reference'] as const

/** Every schema of a profile: components, parts and parameters. */
const allSchemas = (profile: (typeof profiles)[number]): readonly JsonObject[] =>
  [
    ...componentNames(profile).map((name) => componentSchema(name, profile)),
    ...operationIds.flatMap((id) => schemaParts.map((part) => schemaOf(id, part, profile))),
    ...operationIds.flatMap((id) => parametersOf(id, profile).map(({ schema }) => schema)),
  ].filter((schema) => schema !== null)

test.for(profiles)('every schema of the %s profile is self-contained and compiles in strict ajv', (profile) => {
  const schemas = allSchemas(profile)
  expect(schemas.length).toBeGreaterThan(60)
  const ajv = createAjv()
  for (const schema of schemas) {
    expect(JSON.stringify(schema)).not.toMatch(/#\/components|"x-/)
    expect(() => ajv.compile(schema)).not.toThrow()
  }
})

interface Shown {
  readonly where: string
  readonly schema: Json
  readonly value: Json
}

/** Every example in a document, with the schema that it must fit. */
const shownIn = (document: JsonObject, node: Json, where: string): readonly Shown[] => {
  if (Array.isArray(node)) return node.flatMap((child: Json, index) => shownIn(document, child, `${where}/${index}`))
  if (!isJsonObject(node)) return []
  const here = 'schema' in node ? examplesOf(document, node, where) : []
  return [...here, ...Object.entries(node).flatMap(([key, child]) => shownIn(document, child, `${where}/${key}`))]
}

const examplesOf = (document: JsonObject, holder: JsonObject, where: string): readonly Shown[] => {
  const values = isJsonObject(holder.examples)
    ? Object.values(holder.examples).map((example) => dereferenced(document, example).value)
    : [holder.example]
  return values
    .filter((value) => value !== undefined)
    .flatMap((value) => [
      { where, schema: holder.schema ?? {}, value },
      ...('x-itemSchema' in holder ? linesOf(value, holder['x-itemSchema'] ?? {}, where) : []),
    ])
}

const linesOf = (text: Json, schema: Json, where: string): readonly Shown[] =>
  String(text)
    .trimEnd()
    .split('\n')
    .map((line) => ({ where, schema, value: JSON.parse(line) as Json }))

test.for(profiles)('every example of the %s profile is valid, and so is each line of a stream', (profile) => {
  const document = documentOf(profile)
  const shown = shownIn(document, document, '')
  expect(shown.length).toBeGreaterThan(40)
  const ajv = createAjv()
  for (const { where, schema, value } of shown) {
    const validate = ajv.compile(standaloneSchema(document, schema as JsonObject))
    expect(validate(value) ? [] : validate.errors, where).toEqual([])
  }
})

test.for(profiles)('every operation of the %s profile has an example of its request and its response', (profile) => {
  for (const [path, item] of Object.entries(documentOf(profile).paths as JsonObject)) {
    for (const operation of Object.values(item as JsonObject)) {
      if (!isJsonObject(operation) || !('responses' in operation)) continue
      const carriers = [operation.requestBody, Object.values(operation.responses as JsonObject)[0]]
      for (const carrier of carriers.filter((each) => each !== undefined)) {
        const document = documentOf(profile)
        expect(shownIn(document, dereferenced(document, carrier), path).length, path).toBeGreaterThan(0)
      }
    }
  }
})

test('a schema that refers to itself is self-contained too', () => {
  const document = {
    components: { schemas: { Tree: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } } },
  }
  expect(standaloneSchema(document, { $ref: '#/components/schemas/Tree' })).toEqual({
    $ref: '#/$defs/Tree',
    $defs: { Tree: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
  })
})

test('a property may have the name of a keyword or extension, and data is not changed', () => {
  const schema = { properties: { $ref: { type: 'string' }, 'x-a': { 'x-b': 1 } }, const: { 'x-c': 1 }, 'x-d': 1 }
  expect(relinked(schema, (name) => name)).toEqual({
    properties: { $ref: { type: 'string' }, 'x-a': {} },
    const: { 'x-c': 1 },
  })
})

test('the parameters of an operation include those of its path', () => {
  expect(parametersOf('listMessages').map((each) => [each.in, each.name, each.required])).toEqual([
    ['path', 'thread_id', true],
    ['query', 'limit', false],
    ['query', 'cursor', false],
  ])
  expect(parametersOf('createUploadGrant').find(({ name }) => name === 'user-id')).toEqual({
    name: 'user-id',
    in: 'header',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._\\-@:]+$', maxLength: 255 },
  })
})

test('a part that the profile lacks has no schema', () => {
  expect(schemaOf('listAssistants', 'request')).toBeNull()
  expect(schemaOf('listAssistants', 'error')).toBeNull()
  expect(schemaOf('streamThreadRun', 'response')).toBeNull()
  expect(schemaOf('createThread', 'request')).toBeNull()
  expect(schemaOf('createThread', 'request', 'reference')).not.toBeNull()
  expect(parametersOf('uploadFile', 'reference')).toEqual([])
  expect(componentSchema('Thread')).toBeNull()
})
