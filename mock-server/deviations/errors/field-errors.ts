/** Deviations of chapter errors in the faults of a validation error. */

import type { HookOverride } from '../../exchange/hooks.ts'
import { overrideRejection } from '../../overrides/errors.ts'
import { dropField, type Edit, editAt, isObject, renameField, replaceWith } from '../../overrides/json-edit.ts'
import type { Where } from '../../overrides/replies.ts'
import type { Json } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const plain = 'createChatCompletion'

const stream = 'streamChatCompletion'

const completions = [plain, stream] as const

const faults = (where: Where, edit: Edit): HookOverride =>
  overrideRejection(where, 'validation_error', editAt('detail', edit))

export const errorFaults = {
  'errors.validation-detail': [
    deviation(
      'errors.faults-as-text',
      'Sends the faults of a completion as one text.',
      faults(plain, (list) => `${Array.isArray(list) ? list.length : 1} validation error`),
    ),
    deviation(
      'errors.faults-as-map',
      'Sends the faults of a streamed completion by field.',
      faults(stream, (list) =>
        Array.isArray(list) ? Object.fromEntries(list.map((fault: Json, index) => [String(index), fault])) : list,
      ),
    ),
    deviation(
      'errors.faults-empty',
      'Sends no faults.',
      faults(completions, () => []),
    ),
    deviation(
      'errors.fault-msg',
      'Names the message of a fault msg.',
      faults(completions, (list) => renameField('*.message', 'msg')(list)),
    ),
    deviation(
      'errors.fault-without-type',
      'Leaves the type out of a fault.',
      faults(plain, (list) => editAt('*.type', dropField)(list)),
    ),
    deviation(
      'errors.fault-type-number',
      'Sends the type of a fault as a number.',
      faults(stream, (list) => editAt('*.type', replaceWith(7))(list)),
    ),
    deviation(
      'errors.fault-without-loc',
      'Leaves the loc out of a fault.',
      faults(stream, (list) => editAt('*.loc', dropField)(list)),
    ),
    deviation(
      'errors.fault-field',
      'Names the loc of a fault field.',
      faults(plain, (list) => renameField('*.loc', 'field')(list)),
    ),
    deviation(
      'errors.fault-message-list',
      'Sends the messages of a fault as a list.',
      faults(completions, (list) => editAt('*.message', (message) => [message])(list)),
    ),
    deviation(
      'errors.not-json-as-text',
      'Tells in one text that a body is not JSON.',
      faults(completions, (list) =>
        Array.isArray(list) && list.some((fault: Json) => isObject(fault) && String(fault.type).includes('json'))
          ? 'The body is not valid JSON.'
          : list,
      ),
      { trigger: 'a body that is not JSON' },
    ),
    deviation(
      'errors.second-fault-as-text',
      'Sends all faults but the first as texts.',
      faults(completions, (list) =>
        Array.isArray(list)
          ? list.map((fault: Json, index) => (index === 0 || !isObject(fault) ? fault : String(fault.message)))
          : list,
      ),
      { trigger: 'two faults at once' },
    ),
  ],
  'errors.validation-loc-segments': [
    deviation(
      'errors.loc-joined',
      'Joins the segments of loc by dots, in one text.',
      faults(completions, (list) => editAt('*.loc', (loc) => [Array.isArray(loc) ? loc.join('.') : loc])(list)),
    ),
    deviation(
      'errors.loc-empty',
      'Sends an empty loc.',
      faults(completions, (list) => editAt('*.loc', replaceWith([]))(list)),
    ),
    deviation(
      'errors.loc-index-objects',
      'Sends the index of an entry as an object.',
      faults(completions, (list) =>
        editAt('*.loc.*', (segment) => (typeof segment === 'number' ? { index: segment } : segment))(list),
      ),
      { trigger: 'a fault inside an entry of messages' },
    ),
    deviation(
      'errors.loc-with-null',
      'Ends loc with null.',
      faults(completions, (list) => editAt('*.loc', (loc) => (Array.isArray(loc) ? [...loc, null] : loc))(list)),
    ),
  ],
} as const satisfies Partial<DeviationTable<'errors'>>
