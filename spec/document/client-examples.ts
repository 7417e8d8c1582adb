/**
 * Puts ids into the examples of a document that exist in a fresh `acs mock`.
 * So each example can be sent as it is, by a page for trying the API or by a collection of requests.
 */
import { isJsonObject, type Json, type JsonObject, objectAt } from './json.ts'
import { dereferenced } from './references.ts'

/** What the examples name. */
export interface ExampleIds {
  /** It streams and requires nothing. */
  readonly assistant: string
  /** It requires `user_data.licence`. */
  readonly licensedAssistant: string
  /** It does not stream. */
  readonly wholeAssistant: string
  readonly tenant: string
  /** A thread that is run as a whole and continued by completions. */
  readonly thread: string
  /** A thread that ends with a user message, for a stream; messages are added to it. */
  readonly streamThread: string
  readonly file: string
}

/** What `acs mock` holds at its start; a test compares the two. */
const idsAtStart: ExampleIds = {
  assistant: '9875851e-ffd2-4bdc-bc4d-7ed7d56b9629',
  licensedAssistant: 'fbca42ed-5739-4919-9f50-4d8d768b9409',
  wholeAssistant: '1f2ad8ad-31cd-4609-9347-4942b6a0d17e',
  tenant: 'acab71ee-d757-4f6f-8c18-67ae9b09730e',
  thread: 'c1bb618b-b257-45c8-b859-4c9435ccb36a',
  streamThread: '1af7266e-16ce-473e-82ee-d73607d1411d',
  file: '3c38e7ff-b1bc-4f93-a250-d385162b07b1',
}

/** Id of the handwritten examples → what it stands for. */
const placeholders: Readonly<Record<string, keyof ExampleIds>> = {
  '8f1f1b5e-6f0a-4c55-9d5e-2b8a43c7a001': 'licensedAssistant',
  '8f1f1b5e-6f0a-4c55-9d5e-2b8a43c7a002': 'wholeAssistant',
  '9b2f7c10-3d4e-4f5a-8b6c-7d8e9f0a1b05': 'tenant',
  '5d0c9a52-8f3e-4c1b-8a77-1f6d2f0b9c01': 'thread',
  '6a4f3c52-7d1e-4b0f-9c0a-5f3b8e2d1a04': 'file',
}

/** The document with examples that can be sent. */
export const withExamples = (document: JsonObject, given: Partial<ExampleIds>): JsonObject => {
  const ids = { ...idsAtStart, ...given }
  const named = withIds(document, ids) as JsonObject
  const paths = Object.entries(objectAt(named, 'paths')).map(([path, item]) => [
    path,
    /\/(run\/stream|messages)$/.test(path) ? withThread(named, item as JsonObject, ids.streamThread) : item,
  ])
  return { ...named, paths: Object.fromEntries(paths) }
}

const withIds = (node: Json, ids: ExampleIds): Json => {
  if (typeof node === 'string') return replaced(node, ids)
  if (Array.isArray(node)) return node.map((child: Json) => withIds(child, ids))
  if (!isJsonObject(node)) return node
  // A cursor is given by a page, so none can stand in a document.
  const { example, ...withoutExample } = node
  const kept = node.name === 'cursor' && example !== undefined ? withoutExample : node
  const entries = Object.entries(kept).map(([key, child]) => [
    key,
    key === 'question' && isJsonObject(child) ? questionTo(ids.assistant, child) : withIds(child, ids),
  ])
  return Object.fromEntries(entries)
}

const replaced = (text: string, ids: ExampleIds): string =>
  Object.entries(placeholders).reduce(
    (changed, [placeholder, kind]) => changed.replaceAll(placeholder, ids[kind]),
    text,
  )

const questionTo = (assistant: string, example: JsonObject): JsonObject => ({
  ...example,
  value: { ...objectAt(example, 'value'), assistant_id: assistant },
})

/** A path whose thread is another one than that of the shared parameter. */
const withThread = (document: JsonObject, item: JsonObject, thread: string): JsonObject => ({
  ...item,
  parameters: [item.parameters ?? []].flat().map((parameter) => ({
    ...dereferenced(document, parameter as Json),
    example: thread,
  })),
})
