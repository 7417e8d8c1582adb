/** Deviations of chapter completions in how a faulty body is refused. */

import type { HookOverride } from '../../exchange/hooks.ts'
import { isObject } from '../../overrides/json-edit.ts'
import type { Where } from '../../overrides/replies.ts'
import { fieldRejection, rejectRequestsAs } from '../../overrides/rules.ts'
import type { FieldFault } from '../../reasons/reason.ts'
import type { Json, JsonObject } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const plain = 'createChatCompletion'

const stream = 'streamChatCompletion'

/** Rewords the refusal of a body that lacks assistant_id. */
const missingId = (where: Where, edit: (fault: FieldFault) => FieldFault): HookOverride =>
  rejectRequestsAs(where, (rejection, { body }) =>
    isObject(body as Json) && (body as JsonObject).assistant_id === undefined
      ? { ...rejection, faults: (rejection.faults ?? []).map(edit) }
      : rejection,
  )

const faultsAt = (edit: (loc: FieldFault['loc']) => FieldFault['loc']): HookOverride =>
  rejectRequestsAs([plain, stream], (rejection) => ({
    ...rejection,
    faults: (rejection.faults ?? []).map((fault) => ({ ...fault, loc: edit(fault.loc) })),
  }))

const faultsOf = (edit: (faults: readonly FieldFault[]) => readonly FieldFault[]): HookOverride =>
  rejectRequestsAs([plain, stream], (rejection) => ({ ...rejection, faults: edit(rejection.faults ?? []) }))

const isOfMessages = ({ loc }: FieldFault): boolean => loc.includes('messages')

export const completionFaults = {
  'completions.missing-assistant-id-error': [
    deviation(
      'completions.missing-id-bad-request',
      'Refuses a missing assistant_id as bad_request.',
      rejectRequestsAs([plain, stream], (rejection, { body }) =>
        isObject(body as Json) && (body as JsonObject).assistant_id === undefined
          ? { reason: 'malformed-http' }
          : rejection,
      ),
    ),
    deviation(
      'completions.missing-id-without-body',
      'Leaves body out of the loc of a missing assistant_id.',
      missingId(plain, (fault) => ({ ...fault, loc: fault.loc.slice(1) })),
    ),
    deviation(
      'completions.faults-without-body',
      'Leaves body out of loc, in both forms.',
      faultsAt((loc) => (loc.length > 1 ? loc.slice(1) : loc)),
    ),
    deviation(
      'completions.missing-id-at-body',
      'Reports a missing assistant_id at the body as a whole.',
      missingId(stream, (fault) => ({ ...fault, loc: ['body'] })),
    ),
    deviation(
      'completions.missing-id-type-uuid',
      'Reports a missing assistant_id as a UUID that cannot be read.',
      missingId([plain, stream], (fault) => ({ ...fault, type: 'uuid_parsing' })),
    ),
    deviation(
      'completions.fault-kept-for-place',
      'Keeps the first validation error of each place, whatever is wrong there later.',
      keptForPlace(),
      { trigger: 'a malformed assistant_id before a missing one' },
    ),
    deviation(
      'completions.missing-id-camel',
      'Reports a missing assistant_id by the name assistantId.',
      missingId([plain, stream], (fault) => ({
        ...fault,
        loc: fault.loc.map((segment) => (segment === 'assistant_id' ? 'assistantId' : segment)),
      })),
    ),
  ],
  'completions.missing-assistant-id-among-others': [
    deviation(
      'completions.messages-hide-missing-id',
      'Reports what is wrong with messages only, where something is.',
      faultsOf((faults) => (faults.some(isOfMessages) ? faults.filter(isOfMessages) : faults)),
      { trigger: 'a missing assistant_id beside wrong messages' },
    ),
    deviation(
      'completions.one-fault-of-a-type',
      'Reports one fault of each type, the first that it finds.',
      faultsOf((faults) => faults.filter(({ type }, at) => faults.findIndex((other) => other.type === type) === at)),
      { trigger: 'a missing assistant_id beside another field that is missing' },
    ),
  ],
  'completions.validation-error-names-field': [
    deviation(
      'completions.faults-of-request',
      'Puts the name of the handler argument into loc.',
      faultsAt(([where, ...rest]) => [where ?? 'body', 'request', ...rest]),
    ),
    deviation(
      'completions.faults-count-from-1',
      'Counts entries of messages from one.',
      faultsAt((loc) => loc.map((segment) => (typeof segment === 'number' ? segment + 1 : segment))),
      { trigger: 'a fault inside an entry of messages' },
    ),
    deviation(
      'completions.faults-as-bad-request',
      'Refuses faults inside of messages as bad_request.',
      rejectRequestsAs([plain, stream], (rejection) =>
        (rejection.faults ?? []).some(({ loc }) => loc.length > 2) ? { reason: 'malformed-http' } : rejection,
      ),
      { trigger: 'a fault inside an entry of messages' },
    ),
    deviation(
      'completions.faults-share-a-path',
      'Appends the second missing field of a message to the path of the first.',
      faultsOf((faults) => faults.map((fault, at) => onPathOf(faults[at - 1], fault))),
      { trigger: 'a message that lacks two fields' },
    ),
    deviation(
      'completions.faults-count-sound-messages',
      'Counts only the sound entries of messages in front of a fault.',
      faultsOf((faults) => faults.map((fault) => ({ ...fault, loc: soundBefore(fault, faults) }))),
      { trigger: 'two faulty messages' },
    ),
    deviation(
      'completions.required-field-with-dots',
      'Names a field inside of user_data in one segment, with a dot.',
      faultsAt((loc) => (loc[1] === 'user_data' && loc.length > 2 ? ['body', loc.slice(1).join('.')] : loc)),
      { trigger: 'an assistant with required fields' },
    ),
    deviation(
      'completions.required-field-at-the-root',
      'Leaves user_data out of the place of a field inside of it.',
      faultsAt((loc) => (loc[1] === 'user_data' && loc.length > 2 ? ['body', ...loc.slice(2)] : loc)),
      { trigger: 'an assistant with required fields' },
    ),
    deviation(
      'completions.other-field-first',
      'Reports user_id before the field that is wrong.',
      rejectRequestsAs([plain, stream], (rejection) => ({
        ...rejection,
        faults: [...(fieldRejection('user_id', 'is required', 'missing').faults ?? []), ...(rejection.faults ?? [])],
      })),
    ),
  ],
} as const satisfies Partial<DeviationTable<'completions'>>

/** The path of a fault with the number of sound entries in front of its own. */
function soundBefore({ loc }: FieldFault, faults: readonly FieldFault[]): FieldFault['loc'] {
  const [, list, index] = loc
  if (list !== 'messages' || typeof index !== 'number') return loc
  const faulty = new Set(faults.map((one) => one.loc[2]).filter((other) => typeof other === 'number' && other < index))
  return loc.with(2, index - faulty.size)
}

/** A fault of the same message as the one before it, at a path that goes on from there. */
function onPathOf(before: FieldFault | undefined, fault: FieldFault): FieldFault {
  const place = before?.loc.slice(0, -1).join() ?? ''
  const isBeside = fault.loc.length > 2 && fault.type === before?.type && fault.loc.slice(0, -1).join() === place
  return isBeside ? { ...fault, loc: [...before.loc, ...fault.loc.slice(-1)] } : fault
}

function keptForPlace(): HookOverride {
  return {
    hook: 'body',
    wrap: (next) => {
      const known = new Map<string, Json>()
      return (json, exchange) => {
        const body = next(json, exchange) as Json
        if (!isObject(body) || !Array.isArray(body.detail)) return body
        const place = JSON.stringify(body.detail.map((fault: Json) => (isObject(fault) ? (fault.loc ?? null) : null)))
        const kept = known.get(place) ?? body
        known.set(place, kept)
        return kept
      }
    },
  }
}
