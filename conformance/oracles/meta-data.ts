/**
 * Judging meta_data by what the assistant published about it. When it is not known which assistant answered, the value is
 * wrong only if it fits none of the tenant's assistants.
 */

import type { AssistantRecord } from '../classify/assistant-book.ts'
import { idField } from '../classify/forms.ts'
import { fieldOf, hasField, isObject, nameOf, textField } from '../classify/json.ts'
import type { Reading } from '../classify/reading.ts'
import { runAssistant } from '../classify/state-faults.ts'
import type { Docket } from '../judging/docket.ts'
import { liveSchema } from './live-schema.ts'
import { type MessageSighting, messageSightings } from './message-sightings.ts'
import type { Oracle } from './oracle.ts'

/** The assistants that may have given an answer; empty when nobody knows. */
export function answerers(
  docket: Docket,
  { reading, operation, message }: MessageSighting,
): readonly AssistantRecord[] {
  const asked = operation === 'listMessages' ? writerOf(docket, reading, message) : reading
  const id = asked === null ? null : assistantOf(docket, asked)
  const record = asked === null || id === null ? null : docket.book.recordOf(asked.tenant, id)
  return record === null ? [...(docket.book.listedFor(reading.tenant)?.values() ?? [])] : [record]
}

function writerOf(docket: Docket, { params }: Reading, message: unknown): Reading | null {
  const thread = docket.ledger.thread(params.thread_id ?? '')
  return thread?.stored.get(idField(message, 'id') ?? '')?.write?.reading ?? null
}

function assistantOf(docket: Docket, asked: Reading): string | null {
  if (asked.params.thread_id === undefined) {
    return asked.body.kind === 'json' ? textField(asked.body.value, 'assistant_id') : null
  }
  return runAssistant(asked, docket.ledger.thread(asked.params.thread_id), docket.profile)
}

/** Oracle of resources.meta-data-fits-schema. */
export const metaDataFitsSchema: Oracle = (docket, testify) => {
  for (const sighting of messageSightings(docket)) {
    const value = fieldOf(sighting.message, 'meta_data')
    if (sighting.isAnswer !== 'yes' || !isObject(value)) continue
    const { operation, reading, at } = sighting
    const candidates = answerers(docket, sighting)
    const schemas = candidates.map(({ record }) => liveSchema(fieldOf(record, 'meta_data_response_schema')))
    const faults = schemas.map((schema) => (schema.kind === 'usable' ? schema.faultIn(value) : null))
    if (schemas.length === 0 || schemas.some(({ kind }) => kind === 'unusable')) {
      testify.ambiguous(operation, null, reading.id, 'The schema of the assistant is not known or cannot be used.')
    } else if (faults.includes(null)) testify.held(operation, null, reading.id)
    else if (!sighting.asksForTools) {
      const pointer = `${at}/meta_data${faults[0]?.at ?? ''}`
      const whose = candidates.length === 1 ? `assistant ${candidates[0]?.id}` : 'any assistant of the tenant'
      testify.contradicted(operation, null, {
        exchanges: [reading.id],
        expected: `meta_data that is valid by the meta_data_response_schema of ${whose}`,
        actual: faults[0]?.says ?? 'it does not fit',
        pointer,
        because: `The meta_data of the answer in ${reading.id} does not fit the schema of ${whose}: ${faults[0]?.says}.`,
      })
    }
  }
}

const legalType = '53aa66b7-b874-407f-967c-3a959c919d62'

/** Whether a record is that of the assistant that the contract describes. */
function isLegalAssistant({ record }: AssistantRecord): boolean {
  const type = fieldOf(fieldOf(fieldOf(record, 'meta_data_response_schema'), 'properties'), 'type')
  return fieldOf(type, 'const') === legalType || fieldOf(type, 'default') === legalType
}

/** Oracle of resources.legal-meta-data. */
export const legalMetaData: Oracle = (docket, testify) => {
  for (const sighting of messageSightings(docket)) {
    const value = fieldOf(sighting.message, 'meta_data')
    if (sighting.isAnswer !== 'yes' || !isObject(value)) continue
    const [only, ...others] = answerers(docket, sighting)
    if (only === undefined || others.length > 0 || !isLegalAssistant(only)) continue
    const rules = [
      ['type', `"${legalType}"`, !hasField(value, 'type') || value.type === legalType],
      ['legal_advice', 'a boolean', typeof fieldOf(value, 'legal_advice') === 'boolean'],
      ['intent', 'a string', typeof fieldOf(value, 'intent') === 'string'],
    ] as const
    const { operation, reading, at } = sighting
    for (const [name, expected, holds] of rules) {
      if (holds) testify.held(operation, name, reading.id)
      else if (!sighting.asksForTools) {
        const actual = nameOf(fieldOf(value, name))
        testify.contradicted(operation, name, {
          exchanges: [reading.id],
          expected,
          actual,
          pointer: `${at}/meta_data/${name}`,
          because: `The meta_data of the legal assistant in ${reading.id} has ${actual} as ${name}.`,
        })
      }
    }
  }
}
