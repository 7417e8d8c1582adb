/** Oracles of chapter assistants: what a record holds, and that the list and the single record are one thing. */

import type { TestableId } from '../../../../spec/index.ts'
import { idField } from '../../read/formats.ts'
import { fieldOf, isObject, type JsonObject, namesOf, sameJson, textField } from '../../read/json.ts'
import { documentOf, isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { schemasOf } from '../resources/live-schema.ts'
import { judgeAcceptance } from '../support/acceptance.ts'
import {
  aBoolean,
  anArray,
  anObject,
  aString,
  contradict,
  type FieldRule,
  isTexts,
  judgeField,
  type Place,
} from '../support/field-checks.ts'
import { type Oracle, perExchange, perTenant, perTrace, type ScopedOracle } from '../support/oracle.ts'
import { refusalOf } from '../support/refusals.ts'
import { listIsComplete } from './complete-list.ts'

interface RecordSighting {
  readonly place: Place
  readonly record: unknown
}

/** Every record that was shown, listed or on its own. */
function* recordsOf(analysis: TraceAnalysis): Generator<RecordSighting> {
  for (const operation of ['listAssistants', 'getAssistant'] as const) {
    for (const parsed of analysis.of(operation)) {
      const document = documentOf(parsed)
      if (document === undefined) continue
      if (operation === 'getAssistant') yield { place: { operation, exchange: parsed.id, at: '' }, record: document }
      else if (Array.isArray(document)) {
        for (const [index, record] of document.entries())
          yield { place: { operation, exchange: parsed.id, at: `/${index}` }, record }
      }
    }
  }
}

const listIsArray: Oracle = (analysis, observe) => {
  for (const parsed of analysis.of('listAssistants')) {
    const document = documentOf(parsed)
    if (document === undefined) continue
    if (Array.isArray(document)) observe.held('listAssistants', null, parsed.id)
    else
      contradict(observe, { operation: 'listAssistants', exchange: parsed.id, at: '' }, '', null, 'an array', document)
  }
}

const recordRules: readonly (readonly [string, FieldRule])[] = [
  ['id', aString],
  ['name', aString],
  ['streaming', aBoolean],
  ['meta_data_response_schema', anObject],
  ['request_required_fields', anObject],
]

const recordFields: Oracle = (analysis, observe) => {
  for (const { place, record } of recordsOf(analysis)) {
    for (const [name, rule] of recordRules) judgeField(observe, place, record, name, rule)
  }
}

const below = (place: Place, name: string): Place => ({ ...place, at: `${place.at}/${name}` })

const schemaIsJsonSchema: Oracle = (analysis, observe) => {
  for (const { place, record } of recordsOf(analysis)) {
    const value = fieldOf(record, 'meta_data_response_schema')
    if (!isObject(value)) continue
    const schema = schemasOf(analysis).of(value)
    if (schema.kind === 'usable') observe.held(place.operation, null, place.exchange)
    else if (!schema.sure)
      observe.ambiguous(place.operation, null, place.exchange, `The schema cannot be used here: ${schema.why}.`)
    else {
      observe.contradicted(place.operation, null, {
        exchanges: [place.exchange],
        expected: 'a JSON Schema that compiles',
        actual: schema.why,
        pointer: `${place.at}/meta_data_response_schema`,
        because: `The meta_data_response_schema in ${place.exchange} cannot be used: ${schema.why}.`,
        headline: `the meta_data_response_schema cannot be used: ${schema.why}`,
      })
    }
  }
}

const schemaDescribesObject: Oracle = (analysis, observe) => {
  const anObjectType: FieldRule = { expected: '"object"', holds: (value) => value === 'object' }
  for (const { place, record } of recordsOf(analysis)) {
    const schema = fieldOf(record, 'meta_data_response_schema')
    if (!isObject(schema)) continue
    judgeField(observe, below(place, 'meta_data_response_schema'), schema, 'type', anObjectType)
    judgeField(observe, below(place, 'meta_data_response_schema'), schema, 'properties', anObject)
  }
}

const schemaComplete: Oracle = (analysis, observe) => {
  for (const { place, record } of recordsOf(analysis)) {
    const schema = fieldOf(record, 'meta_data_response_schema')
    if (!isObject(schema)) continue
    const at = below(place, 'meta_data_response_schema')
    judgeField(observe, at, schema, 'title', aString)
    if (!mayLackRequired(schema)) judgeField(observe, at, schema, 'required', anArray)
    const properties = Object.entries(Object(schema.properties))
    const wrong = properties.find(([, property]) => excludesDefault(property))
    if (wrong === undefined) observe.held(place.operation, 'default', place.exchange)
    else {
      const [name, property] = wrong
      const expected = 'a value that the property may have'
      contradict(
        observe,
        below(at, `properties/${name}`),
        '/default',
        'default',
        expected,
        fieldOf(property, 'default'),
      )
    }
  }
}

/** Drafts 3 and 4 of JSON Schema allow no empty `required`, so that a schema of theirs may have none. */
function mayLackRequired({ $schema, required }: JsonObject): boolean {
  return required === undefined && typeof $schema === 'string' && /draft-0[34]/.test($schema)
}

/** Whether a property has a default that its own const or enum forbids; null may stand for none. */
function excludesDefault(property: unknown): boolean {
  const given = fieldOf(property, 'default')
  if (given == null) return false
  const [only, some] = [fieldOf(property, 'const'), fieldOf(property, 'enum')]
  if (only !== undefined) return !sameJson(only, given)
  return Array.isArray(some) && !some.some((one) => sameJson(one, given))
}

const requiredFieldsMap: Oracle = (analysis, observe) => {
  const expected = 'an array of field names'
  for (const { place, record } of recordsOf(analysis)) {
    const map = fieldOf(record, 'request_required_fields')
    if (!isObject(map)) continue
    const wrong = Object.keys(map).find((path) => !isTexts(map[path]))
    if (wrong === undefined) observe.held(place.operation, null, place.exchange)
    else contradict(observe, below(place, 'request_required_fields'), `/${wrong}`, null, expected, map[wrong])
  }
}

/** Records that were read on their own, with the id that was asked for. */
function* singleRecords(
  analysis: TraceAnalysis,
): Generator<{ readonly parsed: ParsedExchange; readonly asked: string; readonly record: unknown }> {
  for (const parsed of analysis.of('getAssistant')) {
    yield { parsed, asked: parsed.params.assistant_id ?? '', record: documentOf(parsed) }
  }
}

const getReturnsRequested: Oracle = (analysis, observe) => {
  for (const { parsed, asked, record } of singleRecords(analysis)) {
    const id = textField(record, 'id')
    if (id === null) continue
    if (id.toLowerCase() === asked.toLowerCase()) observe.held('getAssistant', null, parsed.id)
    else contradict(observe, { operation: 'getAssistant', exchange: parsed.id, at: '' }, '/id', null, asked, id)
  }
}

const listedCanBeRead: Oracle = (analysis, observe) => {
  for (const parsed of analysis.of('getAssistant')) {
    if (analysis.requestOf(parsed).validity === 'valid')
      judgeAcceptance(observe, parsed, null, 'a request for an assistant that is listed')
  }
}

/**
 * The record as it was listed last, and in a run of the suite as it was listed first: answers do not change what an assistant
 * requires. In the traffic of weeks somebody may have changed it.
 */
function listedRecords(analysis: TraceAnalysis, tenant: string | null, id: string): readonly JsonObject[] {
  const last = analysis.registry.recordOf(tenant, id)?.record
  const first = analysis.profile.source === 'suite' ? analysis.registry.firstRecordOf(tenant, id) : null
  return [last, first].filter((record) => record !== undefined && record !== null)
}

const listAndGetAgree: Oracle = (analysis, observe) => {
  for (const { parsed, asked, record } of singleRecords(analysis)) {
    if (idField(record, 'id') !== asked.toLowerCase()) continue
    const difference = listedRecords(analysis, parsed.tenant, asked).map((listed) => {
      const field = recordRules
        .map(([name]) => name)
        .find((name) => !sameJson(fieldOf(listed, name), fieldOf(record, name)))
      return field === undefined ? null : { listed, field }
    })
    if (difference.length === 0) continue
    const [found] = difference.filter((one) => one !== null)
    if (found === undefined) observe.held('getAssistant', null, parsed.id)
    else {
      const { listed, field } = found
      const lists = analysis.of('listAssistants').filter((one) => one.tenant === parsed.tenant && isAccepted(one))
      const [expected, actual] = namesOf(fieldOf(listed, field), fieldOf(record, field))
      observe.contradicted('getAssistant', null, {
        exchanges: [...lists.slice(0, 1), parsed].map(({ id }) => id),
        expected,
        actual,
        pointer: `/${field}`,
        because: `Assistant ${asked} has a different ${field} in ${parsed.id} than in the list.`,
        headline: `the assistant has a different ${field} than in the list`,
      })
    }
  }
}

const idsUnique: Oracle = (analysis, observe) => {
  for (const parsed of analysis.of('listAssistants')) {
    const document = documentOf(parsed)
    const ids = (Array.isArray(document) ? document : []).map((record) => textField(record, 'id'))
    const twice = ids.findIndex((id, at) => id !== null && ids.indexOf(id) < at)
    if (twice >= 0) {
      contradict(
        observe,
        { operation: 'listAssistants', exchange: parsed.id, at: `/${twice}` },
        '/id',
        null,
        'an id that no other record has',
        ids[twice],
      )
    } else if (ids.length > 0) observe.held('listAssistants', null, parsed.id)
  }
}

/** The oracles of chapter assistants. */
export const assistantsOracles: Readonly<Record<TestableId<'assistants'>, ScopedOracle>> = {
  'assistants.list-is-array': perExchange(listIsArray),
  'assistants.record-fields': perExchange(recordFields),
  'assistants.schema-is-json-schema': perExchange(schemaIsJsonSchema),
  'assistants.schema-describes-object': perExchange(schemaDescribesObject),
  'assistants.schema-complete': perExchange(schemaComplete),
  'assistants.required-fields-map': perExchange(requiredFieldsMap),
  'assistants.get-returns-requested': perExchange(getReturnsRequested),
  'assistants.listed-can-be-read': perTenant(listedCanBeRead),
  'assistants.list-and-get-agree': perTenant(listAndGetAgree),
  'assistants.unknown-refused': refusalOf(['getAssistant'], 'a request for an assistant that does not exist', {
    'assistant-unknown': null,
  }),
  'assistants.list-is-complete': perTrace(listIsComplete),
  'assistants.ids-unique': perExchange(idsUnique),
}
