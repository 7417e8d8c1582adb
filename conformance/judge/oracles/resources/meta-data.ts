/**
 * Judges meta_data by the schema that the assistant published. If it is unknown which assistant answered, the value is
 * wrong only if it fits none of the tenant's assistants.
 */

import type { AssistantRecord } from '../../classify/assistant-registry.ts'
import { idField } from '../../read/formats.ts'
import { fieldOf, hasField, isObject, nameOf, textField } from '../../read/json.ts'
import type { ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { surelyRunBy } from '../support/named-assistants.ts'
import type { Oracle } from '../support/oracle.ts'
import { type MessageSighting, messageSightings } from '../support/shown-messages.ts'
import { type SchemaFault, schemasOf } from './live-schema.ts'

/** The assistants that may have given an answer; empty when unknown. */
function answerers(
  analysis: TraceAnalysis,
  { parsed, operation, message }: MessageSighting,
): readonly AssistantRecord[] {
  const asked = operation === 'listMessages' ? writerOf(analysis, parsed, message) : parsed
  const id = asked === null ? null : assistantOf(analysis, asked)
  const record = asked === null || id === null ? null : analysis.registry.recordOf(asked.tenant, id)
  if (asked !== null && namesUnlisted(analysis, asked)) return []
  return record === null ? [...(analysis.registry.listedFor(parsed.tenant)?.values() ?? [])] : [record]
}

/** An assistant may have been added after the recorded list. */
function namesUnlisted({ registry, profile }: TraceAnalysis, { body, tenant }: ParsedExchange): boolean {
  const named = body.kind === 'json' ? textField(body.value, 'assistant_id') : null
  return profile.source !== 'suite' && named !== null && registry.recordOf(tenant, named) === null
}

/** The run that gave a listed answer; `null` if several failed runs may have given it. */
function writerOf(analysis: TraceAnalysis, { params }: ParsedExchange, message: unknown): ParsedExchange | null {
  const thread = analysis.histories.thread(params.thread_id ?? '')
  const write = thread?.stored.get(idField(message, 'id') ?? '')?.write ?? null
  if (thread === null || write === null || write.status === 'acknowledged') return write?.parsed ?? null
  const failed = thread.writes.filter(({ kind, status }) => kind === write.kind && status === write.status)
  return failed.length === 1 ? write.parsed : null
}

function assistantOf(analysis: TraceAnalysis, asked: ParsedExchange): string | null {
  if (asked.params.thread_id === undefined) {
    return asked.body.kind === 'json' ? textField(asked.body.value, 'assistant_id') : null
  }
  return surelyRunBy(analysis, asked)
}

/** Oracle of resources.meta-data-fits-schema. */
export const metaDataFitsSchema: Oracle = (analysis, observe) => {
  for (const sighting of messageSightings(analysis)) {
    const value = fieldOf(sighting.message, 'meta_data')
    if (sighting.isAnswer !== 'yes' || !isObject(value)) continue
    const { operation, parsed, at } = sighting
    const candidates = answerers(analysis, sighting)
    const fault = sharedFault(analysis, candidates, value)
    if (typeof fault === 'string') observe.ambiguous(operation, null, parsed.id, fault)
    else if (fault === null) observe.held(operation, null, parsed.id)
    else {
      const whose = candidates.length === 1 ? `assistant ${candidates[0]?.id}` : 'any assistant of the tenant'
      observe.contradicted(operation, null, {
        exchanges: [parsed.id],
        expected: `meta_data that is valid by the meta_data_response_schema of ${whose}`,
        actual: fault.says,
        pointer: `${at}/meta_data${fault.at}`,
        because: `The meta_data of the answer in ${parsed.id} does not fit the schema of ${whose}: ${fault.says}.`,
        headline: `the meta_data of the answer does not fit the schema of ${whose}: ${fault.says}`,
      })
    }
  }
}

/** The fault by every candidate's schema: `null` when one of them fits, a text when undecided. */
function sharedFault(
  analysis: TraceAnalysis,
  candidates: readonly AssistantRecord[],
  value: unknown,
): SchemaFault | string | null {
  const { of, allowance } = schemasOf(analysis)
  const schemas = candidates.map(({ record }) => of(fieldOf(record, 'meta_data_response_schema')))
  if (schemas.length === 0 || schemas.some(({ kind }) => kind === 'unusable'))
    return 'The schema of the assistant is not known or cannot be used.'
  const faults = schemas.map((schema) => (schema.kind === 'usable' ? schema.faultIn(value, allowance) : null))
  if (faults.includes(null)) return null
  const told = faults.filter((fault) => typeof fault === 'object')
  return told.length === faults.length && told[0] !== undefined
    ? told[0]
    : 'The schema of the assistant takes too much work, or has a pattern that cannot be judged here.'
}

const legalType = '53aa66b7-b874-407f-967c-3a959c919d62'

/** Whether a record is that of the assistant that the contract describes. */
function isLegalAssistant({ record }: AssistantRecord): boolean {
  const type = fieldOf(fieldOf(fieldOf(record, 'meta_data_response_schema'), 'properties'), 'type')
  return fieldOf(type, 'const') === legalType || fieldOf(type, 'default') === legalType
}

/** Oracle of resources.legal-meta-data. */
export const legalMetaData: Oracle = (analysis, observe) => {
  for (const sighting of messageSightings(analysis)) {
    const value = fieldOf(sighting.message, 'meta_data')
    if (sighting.isAnswer !== 'yes' || !isObject(value)) continue
    const [only, ...others] = answerers(analysis, sighting)
    if (only === undefined || others.length > 0 || !isLegalAssistant(only)) continue
    const rules = [
      ['type', `"${legalType}"`, !hasField(value, 'type') || value.type === legalType],
      ['legal_advice', 'a boolean', typeof fieldOf(value, 'legal_advice') === 'boolean'],
      ['intent', 'a string', typeof fieldOf(value, 'intent') === 'string'],
    ] as const
    const { operation, parsed, at } = sighting
    for (const [name, expected, holds] of rules) {
      if (holds) observe.held(operation, name, parsed.id)
      else {
        const actual = nameOf(fieldOf(value, name))
        observe.contradicted(operation, name, {
          exchanges: [parsed.id],
          expected,
          actual,
          pointer: `${at}/meta_data/${name}`,
          because: `${name} is ${actual} in the meta_data of the legal assistant in ${parsed.id}.`,
          headline: `${name} is ${actual} in the meta_data of the legal assistant`,
        })
      }
    }
  }
}
