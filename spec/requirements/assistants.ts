/** Requirements of chapter assistants: the records that describe an assistant. */

import { owedByEach } from '../operation-groups.ts'
import type { RequirementRow } from '../requirement.ts'

const record = 'Resources and their fields / Assistant'
const both = ['listAssistants', 'getAssistant'] as const

export const assistants = [
  {
    id: 'assistants.list-is-array',
    basis: 'stated',
    rule: 'The list of assistants is an array.',
    section: 'Endpoints / GET /v1/assistants',
    owedBy: owedByEach(['listAssistants']),
    fix: 'Send a bare array, no envelope.',
  },
  {
    id: 'assistants.record-fields',
    basis: 'stated',
    rule: 'A record has the strings id and name, the boolean streaming, and the objects meta_data_response_schema and request_required_fields.',
    section: record,
    owedBy: owedByEach(both, ['id', 'name', 'streaming', 'meta_data_response_schema', 'request_required_fields']),
    fix: 'Send all five fields with every record.',
  },
  {
    id: 'assistants.schema-is-json-schema',
    basis: 'stated',
    rule: 'meta_data_response_schema is a JSON Schema that can be compiled.',
    section: record,
    owedBy: owedByEach(both),
    fix: 'Publish the schema as it is used, without references that cannot be resolved.',
  },
  {
    id: 'assistants.schema-describes-object',
    basis: 'stated',
    rule: 'meta_data_response_schema is of type object and has properties.',
    section: record,
    owedBy: owedByEach(both, ['type', 'properties']),
    fix: 'Describe meta_data as an object with its properties.',
  },
  {
    id: 'assistants.schema-complete',
    basis: 'implied',
    rule: 'meta_data_response_schema has title and required, and each default is allowed by const and enum of the same property.',
    section: record,
    owedBy: owedByEach(both, ['title', 'required', 'default']),
    fix: 'Give the schema a title, required (an empty list where no property is), and give a const no other default.',
  },
  {
    id: 'assistants.required-fields-map',
    basis: 'stated',
    rule: 'request_required_fields maps each path to an array of field names.',
    section: record,
    owedBy: owedByEach(both),
    fix: 'Send {"__root__": […], "user_data": […]} with arrays of strings.',
  },
  {
    id: 'assistants.get-returns-requested',
    basis: 'stated',
    rule: 'Reading one assistant returns the record whose id is in the path.',
    section: 'Endpoints / GET /v1/assistants/{assistant_id}',
    owedBy: owedByEach(['getAssistant']),
    fix: 'Look the record up by the id in the path.',
  },
  {
    id: 'assistants.listed-can-be-read',
    basis: 'stated',
    rule: 'Every listed assistant can be read on its own.',
    section: 'What the service does',
    owedBy: owedByEach(['getAssistant']),
    fix: 'Serve both endpoints from one store.',
  },
  {
    id: 'assistants.list-and-get-agree',
    basis: 'implied',
    rule: 'The record of an assistant is the same in the list and on its own.',
    section: 'Endpoints / GET /v1/assistants/{assistant_id}',
    owedBy: owedByEach(['getAssistant']),
    fix: 'Render both from one record.',
  },
  {
    id: 'assistants.unknown-refused',
    basis: 'implied',
    rule: 'Reading an assistant that does not exist is rejected.',
    section: 'Endpoints / GET /v1/assistants/{assistant_id}',
    owedBy: owedByEach(['getAssistant']),
    fix: 'Reject an id that the tenant has no assistant for.',
  },
  {
    id: 'assistants.list-is-complete',
    basis: 'stated',
    rule: 'The list shows every assistant of the tenant: no assistant that the tenant used before and after the request is missing.',
    section: 'Endpoints / GET /v1/assistants',
    owedBy: owedByEach(['listAssistants']),
    owed: 'when-seen',
    fix: 'List all assistants of the tenant on every request, whatever was read or used before.',
  },
  {
    id: 'assistants.ids-unique',
    basis: 'implied',
    rule: 'No two records of a list have the same id.',
    section: 'Endpoints / GET /v1/assistants',
    owedBy: owedByEach(['listAssistants']),
    fix: 'List every assistant once.',
  },
] as const satisfies readonly RequirementRow[]
