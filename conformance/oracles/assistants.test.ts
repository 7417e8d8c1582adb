/** Proof of the oracles of chapter assistants. */
import { assistant, assistantIds, type Fields, refused, uuid } from '../trace-notation/material.ts'
import { allows, breaks, keeps, leavesOpen, passesBy, prove } from '../trace-notation/prove.ts'
import type { Change, Story } from '../trace-notation.ts'
import { assistantsOracles } from './assistants.ts'

const listed = (s: Story, more: Fields): Story => s.assistants([assistant(assistantIds.plain, true, more)])
const withSchema = (s: Story, schema: unknown): Story => listed(s, { meta_data_response_schema: schema })
/** Reads one assistant after the list, as the test changes it. */
const read = (s: Story, id: string, change: Change = {}): void => {
  s.assistants()
  s.send('getAssistant', { in: { assistant_id: id } }, assistant(assistantIds.plain), change)
}
const schema = { type: 'object', title: 'Answer', properties: {} }

prove(assistantsOracles, [
  keeps('assistants.list-is-array', 'listAssistants', 'a bare array', (s) => s.assistants()),
  breaks('assistants.list-is-array', 'listAssistants', 'an envelope', (s) => s.assistants([], { body: { items: [] } })),
  keeps('assistants.record-fields', 'listAssistants streaming', 'all five fields', (s) => s.assistants()),
  breaks('assistants.record-fields', 'listAssistants streaming', 'streaming is a word', (s) =>
    listed(s, { streaming: 'yes' }),
  ),
  breaks('assistants.record-fields', 'getAssistant name', 'the single record lacks its name', (s) =>
    read(s, assistantIds.plain, { with: { name: undefined } }),
  ),
  breaks(
    'assistants.record-fields',
    'listAssistants meta_data_response_schema',
    'a word is no schema, good or bad',
    (s) => withSchema(s, 'none'),
  ),
  breaks('assistants.record-fields', 'listAssistants request_required_fields', 'a word is no map, good or bad', (s) =>
    listed(s, { request_required_fields: 'none' }),
  ),
  breaks('assistants.record-fields', 'listAssistants id', 'two records without an id have no id in common', (s) =>
    s.assistants([1, 2].map(() => assistant(assistantIds.plain, true, { id: undefined }))),
  ),
  keeps('assistants.schema-is-json-schema', 'listAssistants', 'a schema that compiles', (s) => s.assistants()),
  breaks('assistants.schema-is-json-schema', 'listAssistants', 'a type that is none', (s) =>
    withSchema(s, { ...schema, properties: { a: { type: 'text' } } }),
  ),
  breaks('assistants.schema-is-json-schema', 'listAssistants', 'a reference that leads nowhere', (s) =>
    withSchema(s, { ...schema, properties: { a: { $ref: '#/$defs/none' } } }),
  ),
  leavesOpen('assistants.schema-is-json-schema', 'listAssistants', 'a reference to somewhere else', (s) =>
    withSchema(s, { ...schema, properties: { a: { $ref: 'https://elsewhere.test/a' } } }),
  ),
  allows('assistants.schema-is-json-schema', '', 'an older dialect, own keywords, and an id', (s) =>
    withSchema(s, {
      ...schema,
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'https://acs.test/a',
      'x-own': 1,
      definitions: { a: { type: 'string', format: 'own' } },
    }),
  ),
  keeps('assistants.schema-describes-object', 'listAssistants properties', 'an object with properties', (s) =>
    s.assistants(),
  ),
  breaks('assistants.schema-describes-object', 'listAssistants type', 'an array', (s) =>
    withSchema(s, { ...schema, type: 'array' }),
  ),
  keeps('assistants.schema-complete', 'listAssistants title', 'a title', (s) => s.assistants()),
  breaks('assistants.schema-complete', 'listAssistants title', 'no title', (s) =>
    withSchema(s, { ...schema, title: undefined }),
  ),
  keeps('assistants.required-fields-map', 'listAssistants', 'names by path', (s) =>
    listed(s, { request_required_fields: { __root__: ['user_data'], user_data: ['licence'] } }),
  ),
  breaks('assistants.required-fields-map', 'listAssistants', 'one name instead of a list', (s) =>
    listed(s, { request_required_fields: { __root__: 'user_data' } }),
  ),
  breaks('assistants.required-fields-map', 'listAssistants', 'a number among the names', (s) =>
    listed(s, { request_required_fields: { __root__: ['user_data', 7] } }),
  ),
  allows('assistants.required-fields-map', '', 'nothing required, or another path', (s) =>
    listed(s, { request_required_fields: { 'user_data.address': ['street'] } }),
  ),
  keeps('assistants.get-returns-requested', 'getAssistant', 'the record that was asked for', (s) =>
    read(s, assistantIds.plain),
  ),
  ...(['assistants.get-returns-requested', 'assistants.list-and-get-agree'] as const).map((requirement) =>
    keeps(requirement, 'getAssistant', 'an id in another case is the same id', (s) => {
      const id = uuid(4).replace('8000', '8abc')
      s.assistants([assistant(id)])
      s.send('getAssistant', { in: { assistant_id: id.toUpperCase() } }, assistant(id))
      s.send('getAssistant', { in: { assistant_id: id } }, assistant(id.toUpperCase()), { with: { id } })
    }),
  ),
  breaks('assistants.get-returns-requested', 'getAssistant', 'always the first record', (s) =>
    read(s, assistantIds.whole),
  ),
  keeps('assistants.listed-can-be-read', 'getAssistant', 'a listed assistant is read', (s) =>
    read(s, assistantIds.plain),
  ),
  breaks('assistants.listed-can-be-read', 'getAssistant', 'a listed assistant is not found', (s) =>
    read(s, assistantIds.whole, refused('resource_not_found', 404)),
  ),
  keeps('assistants.list-and-get-agree', 'getAssistant', 'one record, two ways', (s) => read(s, assistantIds.plain)),
  breaks('assistants.list-and-get-agree', 'getAssistant', 'the single record says something else', (s) =>
    read(s, assistantIds.plain, { with: { streaming: false } }),
  ),
  breaks('assistants.list-and-get-agree', 'getAssistant', 'the list is that of the same key', (s) => {
    s.assistants(undefined, { as: 'secondary' }).assistants([], refused('internal_service_error', 503))
    read(s, assistantIds.plain, { with: { streaming: false } })
    s.send('getAssistant', { in: { assistant_id: assistantIds.plain } }, {}, refused('internal_service_error', 503))
  }),
  allows('assistants.list-and-get-agree', '', 'the single record may say more', (s) =>
    read(s, assistantIds.plain, { with: { description: 'Kind.' } }),
  ),
  keeps('assistants.unknown-refused', 'getAssistant', 'any refusal', (s) =>
    read(s, uuid(77), { status: 404, text: 'nothing here' }),
  ),
  breaks('assistants.unknown-refused', 'getAssistant', 'an unknown assistant is read', (s) =>
    read(s, uuid(77), { with: { id: uuid(77) } }),
  ),
  keeps('assistants.ids-unique', 'listAssistants', 'two ids', (s) => s.assistants()),
  breaks('assistants.ids-unique', 'listAssistants', 'one id twice', (s) =>
    s.assistants([assistant(assistantIds.plain), assistant(assistantIds.plain)]),
  ),
  passesBy('assistants.ids-unique', 'listAssistants', 'a list without records, or no list at all', (s) =>
    s.assistants([]).assistants([], refused('internal_service_error', 503)),
  ),
])
