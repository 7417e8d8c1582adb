/**
 * Changes the API document of a mock that answers as a vendor does. A client generated from it must match the served API.
 * The document follows what changes shape: paths, statuses, codes, fields, media types. Other declared answers change
 * behaviour only.
 */
import { editAt, isObject, renameField } from '../overrides/json-edit.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import { withDeclaredStatuses } from './document-errors.ts'
import { placeOf, stepsOf, withValueAt } from './pointer.ts'
import type { ThreadRequest, VendorTarget } from './vendor-target.ts'
import { ownThreadPath, threadPathOf } from './vendor-threads.ts'
import { shapeOf } from './vendor-tools.ts'

type Edit = (json: Json) => Json

/** The edit of the document for a target that the mock can answer as. */
export function documentEdit(target: VendorTarget): (document: JsonObject) => JsonObject {
  const { declares, threads, runBody, tools, files } = target
  const edits: readonly Edit[] = [
    ...(threads?.kind === 'http' ? threadEdits(threads as ThreadRequest) : []),
    requestField('RunRequest', runBody),
    ...pageEdits(declares['pagination.end-signal']?.trim().toLowerCase() ?? ''),
    ...attachmentEdits(fieldOf(files?.attachment) ?? declares['files.attachment-field']),
    ...toolEdits(tools ?? declaredTools(declares)),
    ...statusEdits(files?.status),
    ...streamEdits(declares['streams.media-type']?.trim().toLowerCase()),
    ...requiredEdits(declares),
  ]
  return (document) =>
    withDeclaredStatuses(edits.reduce<Json>((json, edit) => edit(json), document) as JsonObject, declares)
}

const schemas = 'components.schemas'
const idSchema: JsonObject = { $ref: '#/components/schemas/Id' }
const placeholder = '{{assistant_id}}'

/** Another path and method, another body, and the id where the pointer says. */
function threadEdits(request: ThreadRequest): readonly Edit[] {
  const { pointer, body, method } = request
  const steps = stepsOf(pointer)
  const moved = (json: Json): Json => {
    const { [ownThreadPath]: own, ...others } = objectOf(json)
    const operation = objectOf(objectOf(own).post)
    const { requestBody: _none, ...bodiless } = operation
    const verb = method.toLowerCase()
    return { ...others, [threadPathOf(request)]: { [verb]: verb === 'get' ? bodiless : operation } }
  }
  const shown = (json: Json): Json => {
    const { id = null, ...record } = objectOf(json)
    return withValueAt(withValueAt({}, steps.slice(0, -1), record), steps, id)
  }
  const response = `paths.${ownThreadPath}.post.responses.201.content.application/json.examples.*`
  const example = `paths.${ownThreadPath}.post.requestBody.content.application/json.examples.*.value`
  return [
    ...(pointer === '/id' ? [] : [editAt(`${schemas}.Thread`, threadSchema(steps))]),
    requestField('CreateThreadRequest', body),
    editEach(example, (sent) => filled(body, objectOf(sent).assistant_id ?? null)),
    editEach(`${response}.value`, shown),
    editAt('paths', moved),
  ]
}

function threadSchema(steps: readonly string[]) {
  return (json: Json): Json => {
    const { properties, required, ...rest } = objectOf(json)
    const { id: _moved, ...others } = objectOf(properties)
    const kept = Array.isArray(required) ? required.filter((name) => name !== 'id') : []
    const record = { ...rest, required: kept, properties: others }
    return withSchemaAt(withSchemaAt({ type: 'object' }, steps.slice(0, -1), record), steps, idSchema)
  }
}

/** The assistant where the template of a request names it. */
function requestField(name: string, template: unknown): Edit {
  const place = placeOf(template, placeholder)
  if (!isObject(template) || place?.join('/') === 'assistant_id' || Object.keys(template).length === 0) return same
  return editAt(`${schemas}.${name}`, (json) => {
    const { properties, ...schema } = objectOf(json)
    const { assistant_id: _moved, ...others } = objectOf(properties)
    const open = { ...schema, additionalProperties: true, properties: others }
    if (place === null) return open
    const { required: _asked, ...optional } = withSchemaAt(open, place, idSchema)
    return schema.required === undefined ? optional : { ...optional, required: schema.required }
  })
}

const same: Edit = (json) => json

function filled(template: unknown, assistant: Json): Json {
  const place = placeOf(template, placeholder)
  const own = isObject(template) ? template : {}
  return place === null ? own : withValueAt(own, place, assistant)
}

function pageEdits(end: string): readonly Edit[] {
  const cursor = `${schemas}.MessagePage.properties.cursor.type`
  const told = (text: string) => editAt(`${schemas}.MessagePage.description`, () => `A page of a thread; ${text}.`)
  const text = editAt(cursor, () => 'string')
  if (end === 'absent') {
    const optional = editAt(`${schemas}.MessagePage.required`, () => ['items'])
    return [text, optional, told('the last one has no cursor')]
  }
  if (end === 'an empty string') return [text, told('the last one has an empty cursor')]
  return end === 'a cursor to an empty page' ? [text, told('behind the last one is an empty page')] : []
}

function fieldOf(attachment: unknown): string | undefined {
  return isObject(attachment) ? Object.keys(attachment)[0] : undefined
}

function attachmentEdits(field: string | undefined): readonly Edit[] {
  if (field === undefined || field === 'file_ids') return []
  const rename = (name: string) => renameField(`${schemas}.${name}.properties.file_ids`, field)
  return ['CreateMessageRequest', 'Message', 'AssistantMessage'].map(rename)
}

function declaredTools(declares: VendorTarget['declares']): VendorTarget['tools'] {
  const { 'tools.call-structure': callIds, 'tools.result-field': resultField = 'tool_call_id' } = declares
  const isPointer = callIds?.startsWith('/') === true
  return { callIds: isPointer ? callIds : '/tool_calls/*/id', resultField }
}

function toolEdits(tools: VendorTarget['tools']): readonly Edit[] {
  const shape = tools === null ? null : shapeOf(tools)
  if (tools === null || shape === null || !/^[A-Za-z_]\w*$/.test(tools.resultField)) return []
  const result = ['CreateMessageRequest', 'Message'].map((name) =>
    renameField(`${schemas}.${name}.properties.tool_call_id`, tools.resultField),
  )
  const isOwn = tools.callIds === '/tool_calls/*/id' && shape.arguments.join('/') === 'function/arguments'
  if (isOwn) return result
  const parts: readonly (readonly [readonly string[], string])[] = [
    [shape.id, 'string'],
    [shape.name, 'string'],
    [shape.arguments, shape.isParsed ? 'object' : 'string'],
  ]
  const open: JsonObject = { description: 'A tool that the assistant asks for.', type: 'object' }
  const call = parts.reduce((schema, [place, type]) => withSchemaAt(schema, place, { type }), open)
  const calls = ['CreateMessageRequest', 'AssistantMessage'].map((name) =>
    editAt(`${schemas}.${name}`, (json) => {
      const { properties, ...schema } = objectOf(json)
      const { tool_calls: list = null, ...others } = objectOf(properties)
      const { required: _asked, ...moved } = withSchemaAt({ ...schema, properties: others }, shape.list, objectOf(list))
      return schema.required === undefined ? moved : { ...moved, required: schema.required }
    }),
  )
  return [...result, ...calls, editAt(`${schemas}.ToolCall`, () => call)]
}

function statusEdits(status: NonNullable<VendorTarget['files']>['status']): readonly Edit[] {
  if (status === undefined) return []
  const field = status.pointer.slice(1)
  const [complete = 'ready'] = status.complete
  const isFlag = typeof complete === 'boolean'
  const words = (known: Json): Json =>
    Array.isArray(known) ? known.map((word) => (word === 'ready' ? complete : word)) : known
  const path = `${schemas}.FileStatus`
  return [
    editAt(`${path}.properties.status.enum`, words),
    ...(isFlag ? [editAt(`${path}.properties.status.type`, () => ['string', 'boolean'])] : []),
    renameField(`${path}.properties.status`, field),
    editAt(`${path}.required`, (names) =>
      Array.isArray(names) ? names.map((one) => (one === 'status' ? field : one)) : names,
    ),
  ]
}

function streamEdits(mediaType: string | undefined): readonly Edit[] {
  if (mediaType === undefined) return []
  const rename = (name: string) => renameField(`components.responses.${name}.content.application/x-ndjson`, mediaType)
  return ['TextStream', 'BlockStream'].map(rename)
}

function requiredEdits(declares: VendorTarget['declares']): readonly Edit[] {
  const is = (gap: string, word: string) => declares[gap]?.trim().toLowerCase() === word
  return [
    ...(is('completions.user-id-required', 'required')
      ? [editAt(`${schemas}.CompletionRequest.required`, (names) => [...(names as readonly Json[]), 'user_id'])]
      : []),
    ...(is('threads.run-without-body', 'rejected')
      ? [editAt('components.requestBodies.Run', (body) => ({ ...objectOf(body), required: true }))]
      : []),
  ]
}

/** The schema with another one at these steps, each of which its holder then requires. */
function withSchemaAt(holder: JsonObject, [step, ...rest]: readonly string[], inner: JsonObject): JsonObject {
  if (step === undefined) return inner
  const properties = objectOf(holder.properties)
  const old = isObject(properties[step]) ? properties[step] : { type: 'object' }
  const required = Array.isArray(holder.required) ? holder.required : []
  return {
    ...holder,
    required: [...new Set([...required, step])],
    properties: { ...properties, [step]: withSchemaAt(old, rest, inner) },
  }
}

/** Edits at a path in which `*` is every field of an object. */
function editEach(path: string, change: Edit): Edit {
  const [before = '', after = ''] = path.split('.*')
  return editAt(before, (json) => {
    const entries = Object.entries(objectOf(json)).map(([name, value]) => [
      name,
      editAt(after.slice(1), change)(value ?? null),
    ])
    return Object.fromEntries(entries)
  })
}

function objectOf(json: Json | undefined): JsonObject {
  return isObject(json) ? json : {}
}
