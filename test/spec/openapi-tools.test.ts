/** Tests our OpenAPI documents with tools of others: a parser that validates, and a linter. */
import SwaggerParser from '@apidevtools/swagger-parser'
import { expect, test } from 'vitest'
import { loadDocument, renderDocument } from '../../spec/index.ts'

interface Problem {
  readonly ruleId: string
  readonly message: string
  readonly location: readonly { readonly pointer?: string }[]
}

/** What is used of the linter. Its package is imported without its types: they took a quarter of the whole type check. */
interface Linter {
  createConfig(config: { readonly extends: readonly string[]; readonly rules: object }): Promise<object>
  lintFromString(options: {
    readonly source: string
    readonly absoluteRef: string
    readonly config: object
  }): Promise<readonly Problem[]>
}

const linterPackage: string = '@redocly/openapi-core'
const { createConfig, lintFromString }: Linter = await import(linterPackage)

const profiles = ['contract', 'reference'] as const

/** The linter's complaints as `rule pointer`; warnings count. */
const complaints = async (text: string, rules: Readonly<Record<string, 'off'>>): Promise<readonly string[]> => {
  const config = await createConfig({ extends: ['recommended-strict'], rules: { ...rules } })
  const problems = await lintFromString({ source: text, absoluteRef: '/openapi.yaml', config })
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`)
}

/** The contract shows no status, so there is no 4XX to list. */
const statusesOpen = { 'operation-4xx-response': 'off' } as const
/** OpenAPI 3.1 has no place where the schema of a stream's line could be used; 3.2 has, and is linted with this rule on. */
const itemsUnused = { 'no-unused-components': 'off' } as const

test.for(profiles)('the %s document is valid OpenAPI 3.1', async (profile) => {
  const document = structuredClone(await loadDocument({ profile }))
  await expect(SwaggerParser.validate(document as never)).resolves.toBeDefined()
})

test('the parser would notice an invalid document', async () => {
  const { info: _info, ...document } = structuredClone(await loadDocument())
  await expect(SwaggerParser.validate(document as never)).rejects.toThrow()
})

test.for([
  ['contract', '3.1', { ...statusesOpen, ...itemsUnused }],
  ['contract', '3.2', statusesOpen],
  ['reference', '3.1', itemsUnused],
  ['reference', '3.2', {}],
] as const)('the %s document in OpenAPI %s lints clean', async ([profile, openapi, rules]) => {
  const text = renderDocument(await loadDocument({ profile, openapi }), 'yaml')
  expect(await complaints(text, rules)).toEqual([])
})

test.for([
  ['contract', '3.1', { ...statusesOpen, ...itemsUnused }],
  ['contract', '3.2', statusesOpen],
  ['reference', '3.1', itemsUnused],
  // Generators make a type of the codes, although nothing refers to it.
  ['reference', '3.2', itemsUnused],
] as const)('the %s document for clients is valid and lints clean in OpenAPI %s', async ([profile, openapi, rules]) => {
  const document = await loadDocument({ profile, openapi, clients: {} })
  if (openapi === '3.1') await SwaggerParser.validate(structuredClone(document) as never)
  expect(await complaints(renderDocument(document, 'yaml'), rules)).toEqual([])
})

test('the linter would notice a fault inside the description of a stream', async () => {
  const text = JSON.stringify(await loadDocument({ openapi: '3.2' }))
  const faulty = text.replace('"itemSchema":{"$ref":"#/components/schemas/TextChunk"}', '"itemSchema":{"type":"txt"}')
  expect((await complaints(faulty, statusesOpen)).join('\n')).toContain('itemSchema/type')
})
