/** Proof of the oracles of chapter assistants. */

import {
  inconclusive,
  notBlamed,
  noViolation,
  proveOracles,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { assistant, assistantIds, type Fields, rejectedWith, uuid } from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { assistantsOracles } from './assistants.ts'

const listed = (s: TraceBuilder, more: Fields): TraceBuilder =>
  s.assistants([assistant(assistantIds.plain, true, more)])
const withSchema = (s: TraceBuilder, schema: unknown): TraceBuilder => listed(s, { meta_data_response_schema: schema })
/** Reads one assistant after the list, as the test changes it. */
const read = (s: TraceBuilder, id: string, change: Change = {}): void => {
  s.assistants()
  s.send('getAssistant', { in: { assistant_id: id } }, assistant(assistantIds.plain), change)
}
const schema = { type: 'object', title: 'Answer', properties: {}, required: [] }

/** The plain assistant is read, the list is asked for, and the assistant is read again. */
const listedBetween = (s: TraceBuilder, records: readonly Fields[], again: Change = {}): void => {
  read(s, assistantIds.plain)
  s.assistants(records)
  s.send('getAssistant', { in: { assistant_id: assistantIds.plain } }, assistant(assistantIds.plain), again)
}
const both = [assistant(assistantIds.plain), assistant(assistantIds.whole, false)]
const withoutPlain = [assistant(assistantIds.whole, false)]

proveOracles(assistantsOracles, [
  upholds('assistants.list-is-complete', 'listAssistants', 'what is read before and after is listed', (s) =>
    listedBetween(s, both),
  ),
  violates('assistants.list-is-complete', 'listAssistants', 'what is read before and after is missing', (s) =>
    listedBetween(s, withoutPlain),
  ),
  violates('assistants.list-is-complete', 'listAssistants', 'a read afterwards shows it better than a list', (s) => {
    s.assistants(both).assistants(withoutPlain).assistants(both)
    s.send('getAssistant', { in: { assistant_id: assistantIds.plain } }, assistant(assistantIds.plain))
  }),
  violates('assistants.list-is-complete', 'listAssistants', 'what answers afterwards is missing', (s) => {
    s.assistants().assistants(withoutPlain)
    s.complete()
  }),
  unexercised('assistants.list-is-complete', 'listAssistants', 'an assistant that is gone is not missing', (s) =>
    s.assistants().assistants(withoutPlain),
  ),
  notBlamed('assistants.list-is-complete', '', 'an assistant that is gone is refused later', (s) =>
    listedBetween(s, withoutPlain, rejectedWith('assistant_not_available', 404)),
  ),
  noViolation('assistants.list-is-complete', '', 'another tenant need not list it', (s) => {
    s.assistants().assistants(withoutPlain, { as: 'secondary' })
    s.send('getAssistant', { in: { assistant_id: assistantIds.plain } }, assistant(assistantIds.plain))
  }),
  upholds('assistants.list-is-array', 'listAssistants', 'a bare array', (s) => s.assistants()),
  violates('assistants.list-is-array', 'listAssistants', 'an envelope', (s) =>
    s.assistants([], { body: { items: [] } }),
  ),
  upholds('assistants.record-fields', 'listAssistants streaming', 'all five fields', (s) => s.assistants()),
  violates('assistants.record-fields', 'listAssistants streaming', 'streaming is a word', (s) =>
    listed(s, { streaming: 'yes' }),
  ),
  violates('assistants.record-fields', 'getAssistant name', 'the single record lacks its name', (s) =>
    read(s, assistantIds.plain, { with: { name: undefined } }),
  ),
  violates(
    'assistants.record-fields',
    'listAssistants meta_data_response_schema',
    'a word is no schema, good or bad',
    (s) => withSchema(s, 'none'),
  ),
  violates('assistants.record-fields', 'listAssistants request_required_fields', 'a word is no map, good or bad', (s) =>
    listed(s, { request_required_fields: 'none' }),
  ),
  violates('assistants.record-fields', 'listAssistants id', 'two records without an id have no id in common', (s) =>
    s.assistants([1, 2].map(() => assistant(assistantIds.plain, true, { id: undefined }))),
  ),
  upholds('assistants.schema-is-json-schema', 'listAssistants', 'a schema that compiles', (s) => s.assistants()),
  violates('assistants.schema-is-json-schema', 'listAssistants', 'a type that is none', (s) =>
    withSchema(s, { ...schema, properties: { a: { type: 'text' } } }),
  ),
  violates('assistants.schema-is-json-schema', 'listAssistants', 'a reference that leads nowhere', (s) =>
    withSchema(s, { ...schema, properties: { a: { $ref: '#/$defs/none' } } }),
  ),
  inconclusive('assistants.schema-is-json-schema', 'listAssistants', 'a reference to somewhere else', (s) =>
    withSchema(s, { ...schema, properties: { a: { $ref: 'https://elsewhere.test/a' } } }),
  ),
  noViolation('assistants.schema-is-json-schema', '', 'an older dialect, own keywords, and an id', (s) =>
    withSchema(s, {
      ...schema,
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'https://acs.test/a',
      'x-own': 1,
      definitions: { a: { type: 'string', format: 'own' } },
    }),
  ),
  upholds('assistants.schema-describes-object', 'listAssistants properties', 'an object with properties', (s) =>
    s.assistants(),
  ),
  violates('assistants.schema-describes-object', 'listAssistants type', 'an array', (s) =>
    withSchema(s, { ...schema, type: 'array' }),
  ),
  upholds('assistants.schema-complete', 'listAssistants title', 'a title', (s) => s.assistants()),
  violates('assistants.schema-complete', 'listAssistants title', 'no title', (s) =>
    withSchema(s, { ...schema, title: undefined }),
  ),
  upholds('assistants.schema-complete', 'listAssistants required', 'an empty list of required properties', (s) =>
    withSchema(s, { ...schema, required: [] }),
  ),
  violates('assistants.schema-complete', 'listAssistants required', 'no list of required properties', (s) =>
    withSchema(s, { ...schema, required: undefined }),
  ),
  unexercised(
    'assistants.schema-complete',
    'listAssistants required',
    'a schema of draft 4, which forbids an empty list',
    (s) => withSchema(s, { ...schema, $schema: 'http://json-schema.org/draft-04/schema#', required: undefined }),
  ),
  ...[
    { const: 'a', default: 'a' },
    { enum: ['a', 'b'], default: 'b' },
    { enum: ['a', 'b'], default: null },
    { type: 'string', default: 'a' },
  ].map((kind) =>
    upholds(
      'assistants.schema-complete',
      'listAssistants default',
      `a default that may be: ${JSON.stringify(kind)}`,
      (s) => withSchema(s, { ...schema, properties: { kind } }),
    ),
  ),
  ...[
    { const: 'a', default: 'b' },
    { enum: ['a', 'b'], default: 'c' },
  ].map((kind) =>
    violates('assistants.schema-complete', 'listAssistants default', `no default: ${JSON.stringify(kind)}`, (s) =>
      withSchema(s, { ...schema, properties: { kind } }),
    ),
  ),
  upholds('assistants.required-fields-map', 'listAssistants', 'names by path', (s) =>
    listed(s, { request_required_fields: { __root__: ['user_data'], user_data: ['licence'] } }),
  ),
  violates('assistants.required-fields-map', 'listAssistants', 'one name instead of a list', (s) =>
    listed(s, { request_required_fields: { __root__: 'user_data' } }),
  ),
  violates('assistants.required-fields-map', 'listAssistants', 'a number among the names', (s) =>
    listed(s, { request_required_fields: { __root__: ['user_data', 7] } }),
  ),
  noViolation('assistants.required-fields-map', '', 'nothing required, or another path', (s) =>
    listed(s, { request_required_fields: { 'user_data.address': ['street'] } }),
  ),
  upholds('assistants.get-returns-requested', 'getAssistant', 'the record that was asked for', (s) =>
    read(s, assistantIds.plain),
  ),
  ...(['assistants.get-returns-requested', 'assistants.list-and-get-agree'] as const).map((requirement) =>
    upholds(requirement, 'getAssistant', 'an id in another case is the same id', (s) => {
      const id = uuid(4).replace('8000', '8abc')
      s.assistants([assistant(id)])
      s.send('getAssistant', { in: { assistant_id: id.toUpperCase() } }, assistant(id))
      s.send('getAssistant', { in: { assistant_id: id } }, assistant(id.toUpperCase()), { with: { id } })
    }),
  ),
  violates('assistants.get-returns-requested', 'getAssistant', 'always the first record', (s) =>
    read(s, assistantIds.whole),
  ),
  upholds('assistants.listed-can-be-read', 'getAssistant', 'a listed assistant is read', (s) =>
    read(s, assistantIds.plain),
  ),
  violates('assistants.listed-can-be-read', 'getAssistant', 'a listed assistant is not found', (s) =>
    read(s, assistantIds.whole, rejectedWith('resource_not_found', 404)),
  ),
  upholds('assistants.list-and-get-agree', 'getAssistant', 'one record, two ways', (s) => read(s, assistantIds.plain)),
  violates('assistants.list-and-get-agree', 'getAssistant', 'the single record says something else', (s) =>
    read(s, assistantIds.plain, { with: { streaming: false } }),
  ),
  violates('assistants.list-and-get-agree', 'getAssistant', 'the list is that of the same key', (s) => {
    s.assistants(undefined, { as: 'secondary' }).assistants([], rejectedWith('internal_service_error', 503))
    read(s, assistantIds.plain, { with: { streaming: false } })
    s.send(
      'getAssistant',
      { in: { assistant_id: assistantIds.plain } },
      {},
      rejectedWith('internal_service_error', 503),
    )
  }),
  violates('assistants.list-and-get-agree', 'getAssistant', 'what is required is used up by answers', (s) => {
    const requires = (names: readonly string[]) => ({ request_required_fields: { __root__: names } })
    listed(s, requires(['user_data']))
    s.send(
      'getAssistant',
      { in: { assistant_id: assistantIds.plain } },
      assistant(assistantIds.plain, true, requires([])),
    )
    listed(s, requires([]))
  }),
  noViolation(
    'assistants.list-and-get-agree',
    '',
    'in the traffic of weeks a record may be changed',
    (s) => {
      listed(s, { name: 'Old' })
      listed(s, { name: 'New' })
      s.send(
        'getAssistant',
        { in: { assistant_id: assistantIds.plain } },
        assistant(assistantIds.plain, true, { name: 'New' }),
      )
    },
    { source: 'har' },
  ),
  noViolation('assistants.list-and-get-agree', '', 'the single record may say more', (s) =>
    read(s, assistantIds.plain, { with: { description: 'Kind.' } }),
  ),
  upholds('assistants.unknown-refused', 'getAssistant', 'any refusal', (s) => {
    read(s, assistantIds.plain, {})
    read(s, uuid(77), { status: 404, text: 'nothing here' })
  }),
  violates('assistants.unknown-refused', 'getAssistant', 'an unknown assistant is read', (s) =>
    read(s, uuid(77), { with: { id: uuid(77) } }),
  ),
  upholds('assistants.ids-unique', 'listAssistants', 'two ids', (s) => s.assistants()),
  violates('assistants.ids-unique', 'listAssistants', 'one id twice', (s) =>
    s.assistants([assistant(assistantIds.plain), assistant(assistantIds.plain)]),
  ),
  unexercised('assistants.ids-unique', 'listAssistants', 'a list without records, or no list at all', (s) =>
    s.assistants([]).assistants([], rejectedWith('internal_service_error', 503)),
  ),
])
