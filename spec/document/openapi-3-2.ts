/**
 * Derives the OpenAPI 3.2 rendering from the 3.1 document.
 * Only 3.2 can describe a stream as a sequence of items: `x-itemSchema` becomes `itemSchema`, and an NDJSON example shows its data
 * next to its text.
 */
import { isJsonObject, type Json, type JsonObject } from './json.ts'

/** The document as OpenAPI 3.2. */
export const toOpenApi32 = (document: JsonObject): JsonObject => ({
  ...(rewrite(document) as JsonObject),
  openapi: '3.2.0',
})

const rewrite = (node: Json): Json => {
  if (Array.isArray(node)) return node.map(rewrite)
  if (!isJsonObject(node)) return node
  if ('x-itemSchema' in node) return streamMediaType(node)
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, rewrite(child)]))
}

const streamMediaType = ({ 'x-itemSchema': itemSchema, schema: _text, examples, ...rest }: JsonObject): JsonObject => ({
  ...rest,
  itemSchema: rewrite(itemSchema as Json),
  examples: Object.fromEntries(
    Object.entries(isJsonObject(examples) ? examples : {}).map(([name, example]) => [name, streamExample(example)]),
  ),
})

const streamExample = (example: Json): Json => {
  if (!isJsonObject(example) || typeof example.value !== 'string') return example
  const { value, ...rest } = example
  const items = value.split('\n').filter((line) => line !== '')
  return { ...rest, dataValue: items.map((line) => JSON.parse(line) as Json), serializedValue: value }
}
