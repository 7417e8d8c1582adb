/** Tests the OpenAPI 3.2 rendering: only streams change. */
import { expect, test } from 'vitest'
import { documentOf } from './document.ts'
import { toOpenApi32 } from './openapi-3-2.ts'

const stream = (schema: object) => ({ content: { 'application/x-ndjson': schema } })

test('a stream is described by its items, and its example shows both data and text', () => {
  const rendered = toOpenApi32({
    openapi: '3.1.0',
    responses: stream({
      'x-itemSchema': { type: 'object' },
      schema: { type: 'string' },
      examples: { two: { summary: 'Two', value: '{"a":1}\n{"a":2}\n' } },
    }) as never,
  })
  expect(rendered).toEqual({
    openapi: '3.2.0',
    responses: stream({
      itemSchema: { type: 'object' },
      examples: { two: { summary: 'Two', dataValue: [{ a: 1 }, { a: 2 }], serializedValue: '{"a":1}\n{"a":2}\n' } },
    }),
  })
})

test('apart from streams and version, the rendering equals the 3.1 document', () => {
  const withoutStreams = (document: object) =>
    JSON.parse(
      JSON.stringify(document, (key, value) => (key === 'application/x-ndjson' || key === 'openapi' ? null : value)),
    )
  const contract = documentOf('contract')
  expect(withoutStreams(toOpenApi32(contract))).toEqual(withoutStreams(contract))
})
