/** Deviations of chapter assistants in the fields of a record. */

import type { HookOverride } from '../../exchange/hooks.ts'
import { overrideListedRecords, overrideRecords, overrideSingleRecord } from '../../overrides/assistants.ts'
import {
  dropField,
  type Edit,
  editAt,
  editTextAt,
  isObject,
  renameField,
  replaceWith,
} from '../../overrides/json-edit.ts'
import type { Json } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const schema = (edit: Edit): HookOverride => overrideRecords(editAt('meta_data_response_schema', edit))

/** Edits every property that a schema describes. */
const eachProperty = (edit: Edit): HookOverride =>
  schema(
    editAt('properties', (properties) =>
      isObject(properties)
        ? Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, edit(property)]))
        : properties,
    ),
  )

export const assistantRecords = {
  'assistants.record-fields': [
    deviation(
      'assistants.id-as-assistant-id',
      'Lists ids as assistant_id.',
      overrideListedRecords(renameField('id', 'assistant_id')),
    ),
    deviation(
      'assistants.name-null',
      'Lists assistants with a name of null.',
      overrideListedRecords(editAt('name', replaceWith(null))),
    ),
    deviation(
      'assistants.streaming-as-text',
      'Sends streaming as a text.',
      overrideRecords(editAt('streaming', (value) => String(value))),
    ),
    deviation(
      'assistants.streaming-left-out-when-false',
      'Leaves streaming out when it is false.',
      overrideRecords(editAt('streaming', (value) => (value === true ? value : undefined))),
      { trigger: 'an assistant that gives whole answers only' },
    ),
    deviation(
      'assistants.schema-as-text',
      'Sends the schema as a string of JSON.',
      overrideRecords(editAt('meta_data_response_schema', (value) => JSON.stringify(value))),
    ),
    deviation(
      'assistants.required-fields-null-when-empty',
      'Sends null for required fields when there are none.',
      overrideRecords(
        editAt('request_required_fields', (value) =>
          isObject(value) && Object.keys(value).length === 0 ? null : value,
        ),
      ),
    ),
    deviation(
      'assistants.required-fields-list',
      'Sends required fields as one list.',
      overrideSingleRecord(
        editAt('request_required_fields', (value) =>
          isObject(value) ? Object.values(value).flatMap((fields) => (Array.isArray(fields) ? fields : [])) : value,
        ),
      ),
    ),
    deviation(
      'assistants.single-without-id',
      'Reads an assistant without its id.',
      overrideSingleRecord(editAt('id', dropField)),
    ),
    deviation(
      'assistants.single-in-camel-case',
      'Reads an assistant with its fields in camel case.',
      overrideSingleRecord((json) =>
        renameField(
          'meta_data_response_schema',
          'metaDataResponseSchema',
        )(renameField('request_required_fields', 'requestRequiredFields')(json)),
      ),
    ),
    deviation(
      'assistants.single-streaming-number',
      'Reads an assistant with streaming as 0 or 1.',
      overrideSingleRecord(editAt('streaming', (value) => (value === true ? 1 : 0))),
    ),
    deviation(
      'assistants.single-name-object',
      'Reads an assistant with its name by language.',
      overrideSingleRecord(editAt('name', (name) => ({ en: name }))),
    ),
    deviation(
      'assistants.last-record-without-schema',
      'Leaves the schema out of the last record of the list.',
      overrideListedRecords(
        editAt('meta_data_response_schema', dropField),
        (index, count) => index > 0 && index === count - 1,
      ),
      { trigger: 'the last of several assistants' },
    ),
  ],
  'assistants.schema-is-json-schema': [
    deviation(
      'assistants.schema-type-of-program',
      'Names types as the program does.',
      eachProperty(editTextAt('type', (type) => (type === 'string' ? 'str' : type === 'boolean' ? 'bool' : 'float'))),
    ),
    deviation(
      'assistants.schema-dangling-reference',
      'Publishes a schema with a reference that leads nowhere.',
      schema(
        editAt('properties', (properties) =>
          isObject(properties)
            ? Object.fromEntries(Object.keys(properties).map((name) => [name, { $ref: `#/definitions/${name}` }]))
            : properties,
        ),
      ),
    ),
    deviation(
      'assistants.schema-required-as-flag',
      'Marks properties as required by a flag.',
      schema(editAt('required', replaceWith(true))),
    ),
    deviation(
      'assistants.schema-broken-pattern',
      'Publishes a pattern that is no regular expression.',
      schema(
        editAt('properties', (properties) =>
          isObject(properties) ? { ...properties, note: { type: 'string', pattern: '[a-z' } } : properties,
        ),
      ),
    ),
  ],
  'assistants.schema-describes-object': [
    deviation(
      'assistants.schema-without-type',
      'Leaves the type out of the schema.',
      schema(editAt('type', dropField)),
    ),
    deviation(
      'assistants.schema-of-array',
      'Publishes a schema of type array.',
      schema(editAt('type', replaceWith('array'))),
    ),
    deviation(
      'assistants.schema-without-properties',
      'Leaves the properties out of the schema.',
      schema(editAt('properties', dropField)),
    ),
    deviation(
      'assistants.listed-schema-title-only',
      'Lists the title of a schema only.',
      overrideListedRecords(
        editAt('meta_data_response_schema', (value) => (isObject(value) ? { title: value.title ?? '' } : value)),
      ),
    ),
  ],
  'assistants.schema-complete': [
    deviation(
      'assistants.schema-without-title',
      'Leaves the title out of the schema.',
      schema(editAt('title', dropField)),
    ),
    deviation(
      'assistants.schema-without-required',
      'Leaves required out of the schema.',
      schema(editAt('required', dropField)),
    ),
    deviation(
      'assistants.single-schema-without-title',
      'Leaves the title out of the schema of a single record.',
      overrideSingleRecord(editAt('meta_data_response_schema.title', dropField)),
    ),
    deviation(
      'assistants.schema-default-beside-constant',
      'Publishes a default that is not the constant beside it.',
      eachProperty((property) =>
        isObject(property) && property.const !== undefined ? { ...property, default: 'unknown' } : property,
      ),
      { trigger: 'a property with a constant' },
    ),
    deviation(
      'assistants.schema-name-for-title',
      'Names the title of a schema name.',
      schema(renameField('title', 'name')),
    ),
  ],
  'assistants.required-fields-map': [
    deviation(
      'assistants.required-fields-joined',
      'Sends the required fields of a path as one text.',
      overrideRecords(requiredFields((fields) => fields.join(','))),
      { trigger: 'an assistant with required fields' },
    ),
    deviation(
      'assistants.required-fields-flags',
      'Sends the required fields of a path as an object of flags.',
      overrideRecords(requiredFields((fields) => Object.fromEntries(fields.map((field) => [String(field), true])))),
      { trigger: 'an assistant with required fields' },
    ),
    deviation(
      'assistants.required-fields-described',
      'Sends required fields as objects with a name.',
      overrideRecords(requiredFields((fields) => fields.map((name) => ({ name })))),
      { trigger: 'an assistant with required fields' },
    ),
    deviation(
      'assistants.no-required-root-null',
      'Sends null for a path without required fields.',
      overrideRecords(
        editAt('request_required_fields', (value) =>
          isObject(value) && !('__root__' in value) ? { ...value, __root__: null } : value,
        ),
      ),
    ),
  ],
} as const satisfies Partial<DeviationTable<'assistants'>>

function requiredFields(edit: (fields: readonly Json[]) => Json): Edit {
  return editAt('request_required_fields', (value) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([path, fields]) => [path, Array.isArray(fields) ? edit(fields) : fields]),
        )
      : value,
  )
}
