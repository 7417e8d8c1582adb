/** Oracles of chapter assistants: what a record holds, and that the list and the single record are one thing. */

import type { TestableId } from '../../spec/index.ts'
import { idField } from '../classify/forms.ts'
import { fieldOf, isObject, nameOf, sameJson, textField } from '../classify/json.ts'
import { documentOf, isAccepted, type Reading } from '../classify/reading.ts'
import type { Docket } from '../judging/docket.ts'
import {
  aBoolean,
  anObject,
  aString,
  contradict,
  type FieldRule,
  isTexts,
  judgeField,
  type Place,
} from './field-rules.ts'
import { liveSchema } from './live-schema.ts'
import { judgeAcceptance, mustBeRefused, type Oracle } from './oracle.ts'

interface RecordSighting {
  readonly place: Place
  readonly record: unknown
}

/** Every record that was shown, listed or on its own. */
function* recordsOf(docket: Docket): Generator<RecordSighting> {
  for (const operation of ['listAssistants', 'getAssistant'] as const) {
    for (const reading of docket.of(operation)) {
      const document = documentOf(reading)
      if (document === undefined) continue
      if (operation === 'getAssistant') yield { place: { operation, exchange: reading.id, at: '' }, record: document }
      else if (Array.isArray(document)) {
        for (const [index, record] of document.entries())
          yield { place: { operation, exchange: reading.id, at: `/${index}` }, record }
      }
    }
  }
}

const listIsArray: Oracle = (docket, testify) => {
  for (const reading of docket.of('listAssistants')) {
    const document = documentOf(reading)
    if (document === undefined) continue
    if (Array.isArray(document)) testify.held('listAssistants', null, reading.id)
    else
      contradict(testify, { operation: 'listAssistants', exchange: reading.id, at: '' }, '', null, 'an array', document)
  }
}

const recordRules: readonly (readonly [string, FieldRule])[] = [
  ['id', aString],
  ['name', aString],
  ['streaming', aBoolean],
  ['meta_data_response_schema', anObject],
  ['request_required_fields', anObject],
]

const recordFields: Oracle = (docket, testify) => {
  for (const { place, record } of recordsOf(docket)) {
    for (const [name, rule] of recordRules) judgeField(testify, place, record, name, rule)
  }
}

const below = (place: Place, name: string): Place => ({ ...place, at: `${place.at}/${name}` })

const schemaIsJsonSchema: Oracle = (docket, testify) => {
  for (const { place, record } of recordsOf(docket)) {
    const value = fieldOf(record, 'meta_data_response_schema')
    if (!isObject(value)) continue
    const schema = liveSchema(value)
    if (schema.kind === 'usable') testify.held(place.operation, null, place.exchange)
    else if (!schema.sure)
      testify.ambiguous(place.operation, null, place.exchange, `The schema cannot be used here: ${schema.why}.`)
    else {
      testify.contradicted(place.operation, null, {
        exchanges: [place.exchange],
        expected: 'a JSON Schema that compiles',
        actual: schema.why,
        pointer: `${place.at}/meta_data_response_schema`,
        because: `The meta_data_response_schema in ${place.exchange} cannot be used: ${schema.why}.`,
      })
    }
  }
}

const schemaDescribesObject: Oracle = (docket, testify) => {
  const anObjectType: FieldRule = { expected: '"object"', holds: (value) => value === 'object' }
  for (const { place, record } of recordsOf(docket)) {
    const schema = fieldOf(record, 'meta_data_response_schema')
    if (!isObject(schema)) continue
    judgeField(testify, below(place, 'meta_data_response_schema'), schema, 'type', anObjectType)
    judgeField(testify, below(place, 'meta_data_response_schema'), schema, 'properties', anObject)
  }
}

const schemaComplete: Oracle = (docket, testify) => {
  for (const { place, record } of recordsOf(docket)) {
    const schema = fieldOf(record, 'meta_data_response_schema')
    if (isObject(schema)) judgeField(testify, below(place, 'meta_data_response_schema'), schema, 'title', aString)
  }
}

const requiredFieldsMap: Oracle = (docket, testify) => {
  const expected = 'an array of field names'
  for (const { place, record } of recordsOf(docket)) {
    const map = fieldOf(record, 'request_required_fields')
    if (!isObject(map)) continue
    const wrong = Object.keys(map).find((path) => !isTexts(map[path]))
    if (wrong === undefined) testify.held(place.operation, null, place.exchange)
    else contradict(testify, below(place, 'request_required_fields'), `/${wrong}`, null, expected, map[wrong])
  }
}

/** Records that were read on their own, with the id that was asked for. */
function* singleRecords(
  docket: Docket,
): Generator<{ readonly reading: Reading; readonly asked: string; readonly record: unknown }> {
  for (const reading of docket.of('getAssistant')) {
    yield { reading, asked: reading.params.assistant_id ?? '', record: documentOf(reading) }
  }
}

const getReturnsRequested: Oracle = (docket, testify) => {
  for (const { reading, asked, record } of singleRecords(docket)) {
    const id = textField(record, 'id')
    if (id === null) continue
    if (id.toLowerCase() === asked.toLowerCase()) testify.held('getAssistant', null, reading.id)
    else contradict(testify, { operation: 'getAssistant', exchange: reading.id, at: '' }, '/id', null, asked, id)
  }
}

const listedCanBeRead: Oracle = (docket, testify) => {
  for (const reading of docket.of('getAssistant')) {
    if (docket.requestOf(reading).validity === 'valid')
      judgeAcceptance(testify, reading, null, 'a request for an assistant that is listed')
  }
}

const listAndGetAgree: Oracle = (docket, testify) => {
  for (const { reading, asked, record } of singleRecords(docket)) {
    const listed = docket.book.recordOf(reading.tenant, asked)?.record
    if (listed === undefined || idField(record, 'id') !== asked.toLowerCase()) continue
    const field = recordRules
      .map(([name]) => name)
      .find((name) => !sameJson(fieldOf(listed, name), fieldOf(record, name)))
    if (field === undefined) testify.held('getAssistant', null, reading.id)
    else {
      const lists = docket.of('listAssistants').filter((one) => one.tenant === reading.tenant && isAccepted(one))
      testify.contradicted('getAssistant', null, {
        exchanges: [...lists.slice(0, 1), reading].map(({ id }) => id),
        expected: nameOf(fieldOf(listed, field)),
        actual: nameOf(fieldOf(record, field)),
        pointer: `/${field}`,
        because: `Assistant ${asked} has another ${field} in ${reading.id} than in the list.`,
      })
    }
  }
}

const idsUnique: Oracle = (docket, testify) => {
  for (const reading of docket.of('listAssistants')) {
    const document = documentOf(reading)
    const ids = (Array.isArray(document) ? document : []).map((record) => textField(record, 'id'))
    const twice = ids.findIndex((id, at) => id !== null && ids.indexOf(id) < at)
    if (twice >= 0) {
      contradict(
        testify,
        { operation: 'listAssistants', exchange: reading.id, at: `/${twice}` },
        '/id',
        null,
        'an id that no other record has',
        ids[twice],
      )
    } else if (ids.length > 0) testify.held('listAssistants', null, reading.id)
  }
}

/** The oracles of chapter assistants. */
export const assistantsOracles: Readonly<Record<TestableId<'assistants'>, Oracle>> = {
  'assistants.list-is-array': listIsArray,
  'assistants.record-fields': recordFields,
  'assistants.schema-is-json-schema': schemaIsJsonSchema,
  'assistants.schema-describes-object': schemaDescribesObject,
  'assistants.schema-complete': schemaComplete,
  'assistants.required-fields-map': requiredFieldsMap,
  'assistants.get-returns-requested': getReturnsRequested,
  'assistants.listed-can-be-read': listedCanBeRead,
  'assistants.list-and-get-agree': listAndGetAgree,
  'assistants.unknown-refused': (docket, testify) =>
    mustBeRefused(docket, testify, {
      operations: ['getAssistant'],
      faults: { 'assistant-unknown': null },
      what: 'a request for an assistant that does not exist',
    }),
  'assistants.ids-unique': idsUnique,
}
