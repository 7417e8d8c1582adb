/**
 * Checks messages and files of seeds and edits as the requests that would make them. The machine takes only validated
 * requests, so code that bypasses the HTTP layer applies the same rules.
 */
import { fieldFaults } from '../http/field-errors.ts'
import { halfPairFaults, isEmptyContent } from '../http/message-fields.ts'
import { bodyValidator, checkedParameters, parameterFaults } from '../http/request-validators.ts'
import type { MessageDraft } from '../machine/command.ts'
import type { Role } from '../machine/state.ts'
import type { FieldFault } from '../reasons/reason.ts'
import type { Assistant } from '../scenario/resolved-scenario.ts'
import type { Json } from '../scenario/scenario.ts'
import { metaDataFaults } from './meta-data-faults.ts'
import { SeedError } from './seed-error.ts'

/** Fields that only messages of one role have. */
const roleOf: Readonly<Record<string, Role>> = {
  tool_call_id: 'tool',
  tool_calls: 'assistant',
  meta_data: 'assistant',
  sources: 'assistant',
}

const validateMessage = bodyValidator('createMessage')
const grantParameters = checkedParameters('createUploadGrant')

/** Throws a SeedError for a message that no request could have made. */
export function refuseDraft(draft: MessageDraft, place: FieldFault['loc']): void {
  const found = validateMessage(draft)
  // The machine has a rule of its own for empty content.
  const shape = isEmptyContent(found) ? [] : fieldFaults([], draft, found)
  const halves = halfPairFaults('createMessage', draft).map((one) => ({ ...one, loc: one.loc.slice(1) }))
  const foreign = Object.entries(roleOf)
    .filter(([field, role]) => field in draft && role !== draft.role)
    .map(([field, role]): FieldFault => {
      return { loc: [field], message: `is a field of ${role} messages`, type: 'value_error' }
    })
  refuse([...shape, ...halves, ...foreign], place)
}

/** Throws a SeedError for `meta_data` that the assistant cannot have given (contract: Assistant message). */
export function refuseMetaData(
  metaData: Json | undefined,
  assistant: Assistant | undefined,
  place: FieldFault['loc'],
): void {
  if (metaData !== undefined && assistant !== undefined)
    refuse(metaDataFaults(metaData, assistant.metaDataSchema), place)
}

/** Throws a SeedError for a file that no request could have been granted. */
export function refuseFile(filename: string, userId: string, place: FieldFault['loc']): void {
  const values: Readonly<Record<string, string>> = { filename, 'user-id': userId }
  const faults = grantParameters.flatMap((parameter) => {
    const value = values[parameter.name]
    const given = parameter.required && value === '' ? undefined : value
    return parameterFaults(parameter, given).map((one) => ({ ...one, loc: [parameter.name.replace('-', '_')] }))
  })
  const isText = filename.isWellFormed()
  const message = 'must not hold half of a surrogate pair'
  refuse(isText ? faults : [...faults, { loc: ['filename'], message, type: 'string_unicode' }], place)
}

function refuse(faults: readonly FieldFault[], place: FieldFault['loc']): void {
  if (faults.length === 0) return
  throw new SeedError(
    'seed-invalid-fields',
    faults.map((one) => ({ ...one, loc: [...place, ...one.loc] })),
  )
}
