/** Deviations of chapter assistants: the records, the list, and how the two agree. */

import type { Json, JsonObject } from '../scenario/scenario.ts'
import type { Bend } from '../seams.ts'
import { steps } from './bend-record.ts'
import { reply, replyRemembering } from './bend-reply.ts'
import { invents, misreads } from './bend-rule.ts'
import { type DeviationTable, deviation } from './deviation-row.ts'
import { at, atText, dropped, type Edit, isObject, renamed, replaced, withFields } from './json-edit.ts'

const both = ['listAssistants', 'getAssistant'] as const

/** Bends every record, in the list and by itself. */
const records = (edit: Edit): Bend => reply(both, (json) => (Array.isArray(json) ? json.map(edit) : edit(json)))
const listed = (edit: Edit, which: (index: number, count: number) => boolean = () => true): Bend =>
  reply('listAssistants', (json) =>
    Array.isArray(json) ? json.map((record: Json, index) => (which(index, json.length) ? edit(record) : record)) : json,
  )
const single = (edit: Edit): Bend => reply('getAssistant', edit)

const schema = (edit: Edit): Bend => records(at('meta_data_response_schema', edit))
const list = (edit: (records: readonly Json[]) => Json): Bend =>
  reply('listAssistants', (json) => (Array.isArray(json) ? edit(json) : json))

const noList = { alsoViolates: ['http.operation-served', 'assistants.record-fields'] } as const
const apart = { alsoViolates: ['assistants.list-and-get-agree'] } as const
const unfit = { alsoViolates: ['resources.meta-data-fits-schema'] } as const

export const assistants = {
  'assistants.list-is-array': [
    deviation(
      'assistants.list-in-envelope',
      'Wraps the list in data.',
      list((all) => ({ object: 'list', data: all })),
      noList,
    ),
    deviation(
      'assistants.list-by-id',
      'Sends the list as an object by id.',
      list((all) => Object.fromEntries(all.map((record) => [isObject(record) ? String(record.id) : '', record]))),
      noList,
    ),
    deviation(
      'assistants.list-encoded-twice',
      'Sends the list as a string of JSON.',
      list((all) => JSON.stringify(all)),
      noList,
    ),
    deviation(
      'assistants.only-one-without-list',
      'Sends a single assistant without its list.',
      list((all) => (all.length === 1 ? (all[0] ?? null) : all)),
      { trigger: 'a tenant with one assistant', ...noList },
    ),
  ],
  'assistants.record-fields': [
    deviation(
      'assistants.id-as-assistant-id',
      'Lists ids as assistant_id.',
      listed(renamed('id', 'assistant_id')),
      apart,
    ),
    deviation(
      'assistants.name-null',
      'Lists assistants with a name of null.',
      listed(at('name', replaced(null))),
      apart,
    ),
    deviation(
      'assistants.streaming-as-text',
      'Sends streaming as a text.',
      records(at('streaming', (value) => String(value))),
    ),
    deviation(
      'assistants.streaming-left-out-when-false',
      'Leaves streaming out when it is false.',
      records(at('streaming', (value) => (value === true ? value : undefined))),
      { trigger: 'an assistant that gives whole answers only' },
    ),
    deviation(
      'assistants.schema-as-text',
      'Sends the schema as a string of JSON.',
      records(at('meta_data_response_schema', (value) => JSON.stringify(value))),
      {
        alsoViolates: [
          'assistants.schema-is-json-schema',
          'assistants.schema-describes-object',
          'assistants.schema-complete',
        ],
      },
    ),
    deviation(
      'assistants.required-fields-null-when-empty',
      'Sends null for required fields when there are none.',
      records(
        at('request_required_fields', (value) => (isObject(value) && Object.keys(value).length === 0 ? null : value)),
      ),
      {
        alsoViolates: ['assistants.required-fields-map'],
      },
    ),
    deviation(
      'assistants.required-fields-list',
      'Sends required fields as one list.',
      single(
        at('request_required_fields', (value) =>
          isObject(value) ? Object.values(value).flatMap((fields) => (Array.isArray(fields) ? fields : [])) : value,
        ),
      ),
      {
        alsoViolates: ['assistants.required-fields-map', ...apart.alsoViolates],
      },
    ),
    deviation('assistants.single-without-id', 'Reads an assistant without its id.', single(at('id', dropped)), {
      alsoViolates: ['assistants.get-returns-requested', ...apart.alsoViolates],
    }),
    deviation(
      'assistants.single-in-camel-case',
      'Reads an assistant with its fields in camel case.',
      single((json) =>
        renamed(
          'meta_data_response_schema',
          'metaDataResponseSchema',
        )(renamed('request_required_fields', 'requestRequiredFields')(json)),
      ),
      apart,
    ),
    deviation(
      'assistants.single-streaming-number',
      'Reads an assistant with streaming as 0 or 1.',
      single(at('streaming', (value) => (value === true ? 1 : 0))),
      apart,
    ),
    deviation(
      'assistants.single-name-object',
      'Reads an assistant with its name by language.',
      single(at('name', (name) => ({ en: name }))),
      apart,
    ),
    deviation(
      'assistants.last-record-without-schema',
      'Leaves the schema out of the last record of the list.',
      listed(at('meta_data_response_schema', dropped), (index, count) => index > 0 && index === count - 1),
      { trigger: 'the last of several assistants', ...apart },
    ),
  ],
  'assistants.schema-is-json-schema': [
    deviation(
      'assistants.schema-type-of-program',
      'Names types as the program does.',
      schema(
        at('properties', (properties) =>
          isObject(properties)
            ? Object.fromEntries(
                Object.entries(properties).map(([name, property]) => [
                  name,
                  atText('type', (type) => (type === 'string' ? 'str' : type === 'boolean' ? 'bool' : 'float'))(
                    property,
                  ),
                ]),
              )
            : properties,
        ),
      ),
      unfit,
    ),
    deviation(
      'assistants.schema-dangling-reference',
      'Publishes a schema with a reference that leads nowhere.',
      schema(
        at('properties', (properties) =>
          isObject(properties)
            ? Object.fromEntries(Object.keys(properties).map((name) => [name, { $ref: `#/definitions/${name}` }]))
            : properties,
        ),
      ),
      unfit,
    ),
    deviation(
      'assistants.schema-required-as-flag',
      'Marks properties as required by a flag.',
      schema(at('required', replaced(true))),
      unfit,
    ),
    deviation(
      'assistants.schema-broken-pattern',
      'Publishes a pattern that is no regular expression.',
      schema(
        at('properties', (properties) =>
          isObject(properties) ? { ...properties, note: { type: 'string', pattern: '[a-z' } } : properties,
        ),
      ),
      unfit,
    ),
  ],
  'assistants.schema-describes-object': [
    deviation('assistants.schema-without-type', 'Leaves the type out of the schema.', schema(at('type', dropped))),
    deviation(
      'assistants.schema-of-array',
      'Publishes a schema of type array.',
      schema(at('type', replaced('array'))),
      unfit,
    ),
    deviation(
      'assistants.schema-without-properties',
      'Leaves the properties out of the schema.',
      schema(at('properties', dropped)),
    ),
    deviation(
      'assistants.listed-schema-title-only',
      'Lists the title of a schema only.',
      listed(at('meta_data_response_schema', (value) => (isObject(value) ? { title: value.title ?? '' } : value))),
      apart,
    ),
  ],
  'assistants.schema-complete': [
    deviation('assistants.schema-without-title', 'Leaves the title out of the schema.', schema(at('title', dropped))),
    deviation(
      'assistants.single-schema-without-title',
      'Leaves the title out of the schema of a single record.',
      single(at('meta_data_response_schema.title', dropped)),
      apart,
    ),
    deviation(
      'assistants.schema-name-for-title',
      'Names the title of a schema name.',
      schema(renamed('title', 'name')),
    ),
  ],
  'assistants.required-fields-map': [
    deviation(
      'assistants.required-fields-joined',
      'Sends the required fields of a path as one text.',
      records(requiredFields((fields) => fields.join(','))),
      { trigger: 'an assistant with required fields' },
    ),
    deviation(
      'assistants.required-fields-flags',
      'Sends the required fields of a path as an object of flags.',
      records(requiredFields((fields) => Object.fromEntries(fields.map((field) => [String(field), true])))),
      { trigger: 'an assistant with required fields' },
    ),
    deviation(
      'assistants.required-fields-described',
      'Sends required fields as objects with a name.',
      records(requiredFields((fields) => fields.map((name) => ({ name })))),
      { trigger: 'an assistant with required fields' },
    ),
    deviation(
      'assistants.no-required-root-null',
      'Sends null for a path without required fields.',
      records(
        at('request_required_fields', (value) =>
          isObject(value) && !('__root__' in value) ? { ...value, __root__: null } : value,
        ),
      ),
    ),
  ],
  'assistants.get-returns-requested': [
    deviation(
      'assistants.get-first',
      'Reads the first assistant whatever the id.',
      readsOther((_id, ids) => ids[0]),
    ),
    deviation(
      'assistants.get-cached',
      'Reads what was read first under every id.',
      replyRemembering<{ json: Json | undefined }>(
        'getAssistant',
        () => ({ json: undefined }),
        (json, _exchange, memory) => {
          memory.json ??= json
          return memory.json
        },
      ),
      { trigger: 'a second assistant', ...apart },
    ),
    deviation(
      'assistants.get-neighbour',
      'Counts from one when it looks a record up.',
      readsOther((id, ids) => ids[ids.indexOf(id) + 1] ?? id),
      apart,
    ),
  ],
  'assistants.listed-can-be-read': [
    deviation(
      'assistants.whole-assistant-unreadable',
      'Cannot read assistants that do not stream.',
      unreadable((assistant) => !assistant.streaming),
      { trigger: 'an assistant that gives whole answers only', alsoViolates: ['http.operation-served'] },
    ),
    deviation(
      'assistants.required-fields-unreadable',
      'Cannot read assistants with required fields.',
      unreadable((assistant) => Object.keys(assistant.requiredFields).length > 0),
      { trigger: 'an assistant with required fields', alsoViolates: ['http.operation-served'] },
    ),
    deviation(
      'assistants.archived-listed',
      'Lists an assistant that was removed.',
      list((all) => [
        ...all,
        withFields({ id: 'f47ac10b-58cc-4372-a567-0e02b2c3d479', name: 'Removed' })(all[0] ?? {}),
      ]),
      { alsoViolates: ['http.operation-served'] },
    ),
  ],
  'assistants.list-and-get-agree': [
    deviation(
      'assistants.single-streaming-flipped',
      'Reads every assistant as one that streams.',
      single(at('streaming', replaced(true))),
      { trigger: 'an assistant that gives whole answers only' },
    ),
    deviation(
      'assistants.listed-name-short',
      'Lists names cut at ten characters.',
      listed(atText('name', (name) => name.slice(0, 10))),
      { trigger: 'a name above ten characters' },
    ),
    deviation(
      'assistants.single-schema-unrequired',
      'Leaves required out of the schema of a single record.',
      single(at('meta_data_response_schema.required', dropped)),
    ),
    deviation(
      'assistants.listed-required-fields-empty',
      'Lists no required fields.',
      listed(at('request_required_fields', replaced({}))),
      { trigger: 'an assistant with required fields' },
    ),
    deviation(
      'assistants.single-name-versioned',
      'Reads an assistant with its version behind the name.',
      single(atText('name', (name) => `${name} (v2)`)),
    ),
  ],
  'assistants.unknown-refused': [
    deviation(
      'assistants.unknown-is-first',
      'Reads the first assistant under an unknown id.',
      readsOther((id, ids) => (ids.includes(id) ? id : ids[0])),
      { alsoViolates: ['tenancy.foreign-assistant-hidden', 'assistants.get-returns-requested'] },
    ),
    deviation(
      'assistants.unknown-is-empty',
      'Reads an unknown assistant as an empty record.',
      steps((next) => (state, command, tickUs) => {
        const outcome = next(state, command, tickUs)
        const unknown = command.operation === 'getAssistant' && outcome.reply.kind === 'rejected'
        return unknown ? { state, reply: { kind: 'document', json: blank(command.assistantId) } } : outcome
      }),
      {
        alsoViolates: [
          'assistants.schema-describes-object',
          'assistants.schema-complete',
          'tenancy.foreign-assistant-hidden',
        ],
      },
    ),
  ],
  'assistants.ids-unique': [
    deviation(
      'assistants.first-listed-twice',
      'Lists the first assistant again at the end.',
      list((all) => [...all, ...all.slice(0, 1)]),
    ),
    deviation(
      'assistants.listed-per-required-field',
      'Lists an assistant once for every path of required fields.',
      list((all) =>
        all.flatMap((record) =>
          isObject(record) &&
          isObject(record.request_required_fields) &&
          Object.keys(record.request_required_fields).length > 1
            ? [record, record]
            : [record],
        ),
      ),
      { trigger: 'an assistant with required fields at two paths' },
    ),
    deviation(
      'assistants.copy-keeps-id',
      'Lists a copy under the id of its original.',
      list((all) => [...all, withFields({ name: 'Copy' })(all.at(-1) ?? {})]),
      apart,
    ),
  ],
} as const satisfies DeviationTable<'assistants'>

function requiredFields(edit: (fields: readonly Json[]) => Json): Edit {
  return at('request_required_fields', (value) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([path, fields]) => [path, Array.isArray(fields) ? edit(fields) : fields]),
        )
      : value,
  )
}

function readsOther(pick: (id: string, ids: readonly string[]) => string | undefined): Bend {
  return misreads('getAssistant', (input) => {
    const ids = input.caller.tenant.assistants.map(({ id }) => id)
    return { ...input, pathId: pick(input.pathId.toLowerCase(), ids) ?? input.pathId }
  })
}

function unreadable(
  when: (assistant: { readonly streaming: boolean; readonly requiredFields: object }) => boolean,
): Bend {
  return invents('assistants.unknown', ({ command }) => {
    if (command.operation !== 'getAssistant') return false
    const assistant = command.caller.tenant.assistants.find(({ id }) => id === command.assistantId.toLowerCase())
    return assistant !== undefined && when(assistant)
  })
}

function blank(id: string): JsonObject {
  return { id, name: '', streaming: false, meta_data_response_schema: {}, request_required_fields: {} }
}
