/** The 3.2 rendering: streams become sequences of items, the rest stays. */
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

test('apart from the streams and the version, the rendering says what the 3.1 document says', () => {
  const withoutStreams = (document: object) =>
    JSON.parse(
      JSON.stringify(document, (key, value) => (key === 'application/x-ndjson' || key === 'openapi' ? null : value)),
    )
  const contract = documentOf('contract')
  expect(withoutStreams(toOpenApi32(contract))).toEqual(withoutStreams(contract))
})
