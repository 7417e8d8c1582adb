/** Deviations of chapter assistants in the list, in reading one record, and in how the two agree. */

import type { HookOverride } from '../../exchange/hooks.ts'
import { overrideListedRecords, overrideSingleRecord } from '../../overrides/assistants.ts'
import {
  dropField,
  type Edit,
  editAt,
  editTextAt,
  isObject,
  replaceWith,
  withFields,
} from '../../overrides/json-edit.ts'
import { overrideStep } from '../../overrides/records.ts'
import { overrideReply, overrideReplyWithMemory } from '../../overrides/replies.ts'
import { addRule, misparseRequests } from '../../overrides/rules.ts'
import type { Json, JsonObject } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const list = (edit: (records: readonly Json[]) => Json): HookOverride =>
  overrideReply('listAssistants', (json) => (Array.isArray(json) ? edit(json) : json))

export const assistantReads = {
  'assistants.list-is-array': [
    deviation(
      'assistants.list-in-envelope',
      'Wraps the list in data.',
      list((all) => ({ object: 'list', data: all })),
    ),
    deviation(
      'assistants.list-by-id',
      'Sends the list as an object by id.',
      list((all) => Object.fromEntries(all.map((record) => [isObject(record) ? String(record.id) : '', record]))),
    ),
    deviation(
      'assistants.list-encoded-twice',
      'Sends the list as a string of JSON.',
      list((all) => JSON.stringify(all)),
    ),
    deviation(
      'assistants.only-one-without-list',
      'Sends a single assistant without its list.',
      list((all) => (all.length === 1 ? (all[0] ?? null) : all)),
      { trigger: 'a tenant with one assistant' },
    ),
  ],
  'assistants.list-is-complete': [
    deviation(
      'assistants.list-lacks-last-read',
      'Leaves the assistant that was read last out of the list.',
      overrideReplyWithMemory<{ id: Json | undefined }>(
        ['listAssistants', 'getAssistant'],
        () => ({ id: undefined }),
        (json, _exchange, memory) => {
          if (Array.isArray(json)) return json.filter((record) => !isObject(record) || record.id !== memory.id)
          if (isObject(json)) memory.id = json.id
          return json
        },
      ),
      { trigger: 'an assistant that was read' },
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
      overrideReplyWithMemory<{ json: Json | undefined }>(
        'getAssistant',
        () => ({ json: undefined }),
        (json, _exchange, memory) => {
          memory.json ??= json
          return memory.json
        },
      ),
      { trigger: 'a second assistant' },
    ),
    deviation(
      'assistants.get-neighbour',
      'Counts from one when it looks a record up.',
      readsOther((id, ids) => ids[ids.indexOf(id) + 1] ?? id),
    ),
  ],
  'assistants.listed-can-be-read': [
    deviation(
      'assistants.whole-assistant-unreadable',
      'Cannot read assistants that do not stream.',
      unreadable((assistant) => !assistant.streaming),
      { trigger: 'an assistant that gives whole answers only' },
    ),
    deviation(
      'assistants.required-fields-unreadable',
      'Cannot read assistants with required fields.',
      unreadable((assistant) => Object.keys(assistant.requiredFields).length > 0),
      { trigger: 'an assistant with required fields' },
    ),
    deviation(
      'assistants.archived-listed',
      'Lists an assistant that was removed.',
      list((all) => [
        ...all,
        withFields({ id: 'f47ac10b-58cc-4372-a567-0e02b2c3d479', name: 'Removed' })(all[0] ?? {}),
      ]),
    ),
  ],
  'assistants.list-and-get-agree': [
    deviation(
      'assistants.single-streaming-flipped',
      'Reads every assistant as one that streams.',
      overrideSingleRecord(editAt('streaming', replaceWith(true))),
      { trigger: 'an assistant that gives whole answers only' },
    ),
    deviation(
      'assistants.listed-name-short',
      'Lists names cut at ten characters.',
      overrideListedRecords(editTextAt('name', (name) => name.slice(0, 10))),
      { trigger: 'a name above ten characters' },
    ),
    deviation(
      'assistants.single-schema-unrequired',
      'Leaves required out of the schema of a single record.',
      overrideSingleRecord(editAt('meta_data_response_schema.required', dropField)),
    ),
    deviation(
      'assistants.listed-required-fields-empty',
      'Lists no required fields.',
      overrideListedRecords(editAt('request_required_fields', replaceWith({}))),
      { trigger: 'an assistant with required fields' },
    ),
    deviation(
      'assistants.required-fields-used-up',
      'Takes the required fields off the record of the legal assistant while it checks a request by them.',
      usedUpByAnswers(),
      { trigger: 'an answer of the legal assistant' },
    ),
    deviation(
      'assistants.single-name-versioned',
      'Reads an assistant with its version after the name.',
      overrideSingleRecord(editTextAt('name', (name) => `${name} (v2)`)),
    ),
  ],
  'assistants.unknown-refused': [
    deviation(
      'assistants.unknown-is-first',
      'Reads the first assistant under an unknown id.',
      readsOther((id, ids) => (ids.includes(id) ? id : ids[0])),
    ),
    deviation(
      'assistants.unknown-is-empty',
      'Reads an unknown assistant as an empty record.',
      overrideStep((next) => (state, command, tickUs) => {
        const outcome = next(state, command, tickUs)
        const unknown = command.operation === 'getAssistant' && outcome.reply.kind === 'rejected'
        return unknown ? { state, reply: { kind: 'document', json: blank(command.assistantId) } } : outcome
      }),
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
    ),
  ],
} as const satisfies Partial<DeviationTable<'assistants'>>

/** Every later record lacks the properties that an answer with the metadata of the legal assistant has. */
function usedUpByAnswers(): HookOverride {
  const empty = editAt('request_required_fields', replaceWith({ __root__: [], user_data: [] }))
  const demands = (record: Json): boolean =>
    isObject(record) && JSON.stringify(record.request_required_fields).includes('licence')
  const emptied: Edit = (record) => (demands(record) ? empty(record) : record)
  return overrideReplyWithMemory(
    ['createChatCompletion', 'listAssistants', 'getAssistant'],
    () => ({ isUsedUp: false }),
    (json, { operation }, memory) => {
      if (operation === 'createChatCompletion')
        memory.isUsedUp ||= isObject(json) && isObject(json.meta_data) && json.meta_data.legal_advice !== undefined
      if (operation === 'createChatCompletion' || !memory.isUsedUp) return json
      return Array.isArray(json) ? json.map(emptied) : emptied(json)
    },
  )
}

function _requiredFields(edit: (fields: readonly Json[]) => Json): Edit {
  return editAt('request_required_fields', (value) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([path, fields]) => [path, Array.isArray(fields) ? edit(fields) : fields]),
        )
      : value,
  )
}

function readsOther(pick: (id: string, ids: readonly string[]) => string | undefined): HookOverride {
  return misparseRequests('getAssistant', (input) => {
    const ids = input.caller.tenant.assistants.map(({ id }) => id)
    return { ...input, pathId: pick(input.pathId.toLowerCase(), ids) ?? input.pathId }
  })
}

function unreadable(
  when: (assistant: { readonly streaming: boolean; readonly requiredFields: object }) => boolean,
): HookOverride {
  return addRule('unknown-assistant', ({ command }) => {
    if (command.operation !== 'getAssistant') return false
    const assistant = command.caller.tenant.assistants.find(({ id }) => id === command.assistantId.toLowerCase())
    return assistant !== undefined && when(assistant)
  })
}

function blank(id: string): JsonObject {
  return { id, name: '', streaming: false, meta_data_response_schema: {}, request_required_fields: {} }
}
