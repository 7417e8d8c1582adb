/**
 * Renders a document for generators of clients and for tools that send its examples.
 * Generators drop `not`, close objects that say nothing of further fields, and cannot fill in a server's URL; the document by which
 * servers are judged stays as it is.
 */
import { errorCodes } from '../client/error-codes.ts'
import { type ExampleIds, withExamples } from './client-examples.ts'
import { isJsonObject, type Json, type JsonObject, objectAt } from './json.ts'

export interface ClientDocumentOptions {
  /** Default: where `acs mock` listens. */
  readonly server?: string
  /** What the examples name. Default: what `acs mock` holds at its start. */
  readonly examples?: Partial<ExampleIds>
}

/** The document for clients; `isReference` says that its unions are complete, as the mock's answers are. */
export const clientDocument = (
  document: JsonObject,
  isReference: boolean,
  { server = 'http://127.0.0.1:4010', examples = {} }: ClientDocumentOptions = {},
): JsonObject => {
  const open = openObjects(document, '') as JsonObject
  const typed = isReference ? closedUnions(open) : describedErrors(open)
  return withExamples({ ...typed, servers: [{ url: server, description: 'The mock on this machine.' }] }, examples)
}

/** Objects that show some fields and may have more. */
const openNames: ReadonlySet<string> = new Set([
  'CompletionRequest',
  'CompletionMessage',
  'RunRequest',
  'LegalMetaData',
  'OtherBlock',
  'meta_data_response_schema',
  'user_data',
])

/** Says of each open object that it takes more, and of each query parameter that it is a string or left out. */
const openObjects = (node: Json, name: string): Json => {
  if (Array.isArray(node)) return node.map((child: Json) => openObjects(child, name))
  if (!isJsonObject(node)) return node
  if (node.in === 'query') return { ...node, schema: withoutNull(objectAt(node, 'schema')) }
  const children = Object.entries(node).map(([key, child]) => [key, isData(key) ? child : openObjects(child, key)])
  const isOpen = [node.type].flat().includes('object') && (node.properties === undefined || openNames.has(name))
  return { ...(isOpen ? { additionalProperties: true } : null), ...Object.fromEntries(children) }
}

/** Examples are data: an object in them is no schema. */
const isData = (key: string): boolean => key === 'value' || key === 'example'

const withoutNull = (schema: JsonObject): JsonObject =>
  Array.isArray(schema.type)
    ? { ...schema, type: schema.type.find((type: Json) => type !== 'null') ?? 'string' }
    : schema

/** Errors narrow by `error_code`, blocks by `type`, and the item of each stream has a name. */
const closedUnions = (document: JsonObject): JsonObject => {
  const { OtherBlock: _open, ...schemas } = objectAt(objectAt(document, 'components'), 'schemas')
  const plainError = objectAt(schemas, 'PlainError')
  const named = {
    ...schemas,
    ErrorCode: { description: 'Every code of an error.', type: 'string', enum: errorCodes },
    PlainError: {
      ...plainError,
      properties: {
        ...objectAt(plainError, 'properties'),
        error_code: { type: 'string', enum: errorCodes.filter((code) => code !== 'validation_error') },
      },
    },
    ContentBlock: closedBlock,
  }
  return namedItems(withComponents(document, 'schemas', named))
}

const reference = (name: string): string => `#/components/schemas/${name}`

const closedBlock: JsonObject = {
  description: 'A part of an answer.',
  oneOf: [{ $ref: reference('ReasoningBlock') }, { $ref: reference('TextBlock') }],
  discriminator: {
    propertyName: 'type',
    mapping: { reasoning: reference('ReasoningBlock'), text: reference('TextBlock') },
  },
}

const namedItems = (document: JsonObject): JsonObject => {
  const responses = objectAt(objectAt(document, 'components'), 'responses')
  const schemas = objectAt(objectAt(document, 'components'), 'schemas')
  const streams = ['TextStream', 'BlockStream'].map((name) => ({ name, ...streamOf(responses, name) }))
  const items = streams.map(({ name, media }) => [`${name}Item`, media['x-itemSchema'] ?? {}])
  const named = streams.map(({ name, response, media }) => [
    name,
    {
      ...response,
      content: { [ndjson]: { ...media, 'x-itemSchema': { $ref: reference(`${name}Item`) } } },
    },
  ])
  const renamed = withComponents(document, 'responses', { ...responses, ...Object.fromEntries(named) })
  return withComponents(renamed, 'schemas', { ...schemas, ...Object.fromEntries(items) })
}

const ndjson = 'application/x-ndjson'

const streamOf = (responses: JsonObject, name: string) => {
  const response = objectAt(responses, name)
  return { response, media: objectAt(objectAt(response, 'content'), ndjson) }
}

/** An error whose body is not shown still has one: without content its type would be `never`. */
const describedErrors = (document: JsonObject): JsonObject => {
  const responses = objectAt(objectAt(document, 'components'), 'responses')
  const { UnstatedError: unstated } = responses
  if (!isJsonObject(unstated)) return document
  const content = { 'application/json': { schema: { description: 'Anything; the contract does not show it.' } } }
  return withComponents(document, 'responses', { ...responses, UnstatedError: { ...unstated, content } })
}

const withComponents = (document: JsonObject, kind: string, values: JsonObject): JsonObject => ({
  ...document,
  components: { ...objectAt(document, 'components'), [kind]: values },
})
