/** Oracles of chapter resources: ids, timestamps and the shapes of messages, answers, sources and chunks. */
import { type OperationId, streamOperations, type TestableId } from '../../../../spec/index.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { isRole, isTimestamp, isUuid } from '../../read/formats.ts'
import { fieldOf, hasField, isObject } from '../../read/json.ts'
import { documentOf } from '../../read/parsed-exchange.ts'
import { chunksOf } from '../../read/stream-chunks.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import {
  anArray,
  anObject,
  answerFields,
  aString,
  contradict,
  type FieldRule,
  judgeField,
  judgePresentField,
  judgeTextField,
  type Place,
  placeBelow,
} from '../support/field-checks.ts'
import { type Oracle, perExchange, perTenant, perThread, perTrace, type ScopedOracle } from '../support/oracle.ts'
import { messageSightings } from '../support/shown-messages.ts'
import { answerToOwnQuestion } from './answer-quotes.ts'
import { chunksInUtc } from './chunk-clock.ts'
import { createdInUtc } from './created-in-utc.ts'
import { idsUnique } from './message-ids.ts'
import { legalMetaData, metaDataFitsSchema } from './meta-data.ts'

const aUuid: FieldRule = { expected: 'a UUID string', holds: isUuid }
const aTimestamp: FieldRule = {
  expected: 'a UTC timestamp with six digits of a second and a trailing Z',
  holds: isTimestamp,
}
const aKnownRole: FieldRule = { expected: 'user, system, tool or assistant', holds: isRole }

/** Calls back for every chunk of every stream. */
function eachChunk(analysis: TraceAnalysis, judge: (place: Place, chunk: unknown) => void): undefined {
  for (const operation of streamOperations) {
    for (const parsed of analysis.of(operation)) {
      for (const { index, value } of chunksOf(parsed))
        judge({ operation, exchange: parsed.id, line: index, at: '' }, value)
    }
  }
}

/** Calls back for every accepted document of the operations, and for every element when it is an array. */
function eachRecord(
  analysis: TraceAnalysis,
  operations: readonly OperationId[],
  judge: (place: Place, record: unknown) => void,
): undefined {
  for (const operation of operations) {
    for (const parsed of analysis.of(operation)) {
      const document = documentOf(parsed)
      if (document === undefined) continue
      if (Array.isArray(document)) {
        for (const [index, record] of document.entries())
          judge({ operation, exchange: parsed.id, at: `/${index}` }, record)
      } else judge({ operation, exchange: parsed.id, at: '' }, document)
    }
  }
}

function eachKey(place: Place, tenant: unknown, judge: (place: Place, key: unknown) => void): undefined {
  const keys = fieldOf(tenant, 'api_keys')
  for (const [index, key] of Array.isArray(keys) ? keys.entries() : [])
    judge(placeBelow(place, `/api_keys/${index}`), key)
}

const idIsUuid: Oracle = (analysis, observe) => {
  for (const sighting of messageSightings(analysis)) {
    for (const name of ['id', 'thread_id']) judgeId(observe, sighting, sighting.message, name)
  }
  eachChunk(analysis, (place, chunk) => {
    for (const name of ['message_id', 'thread_id']) judgeId(observe, place, chunk, name)
  })
  eachRecord(analysis, ['listAssistants', 'getAssistant'], (place, record) => judgeId(observe, place, record, 'id'))
  eachRecord(analysis, ['createUploadGrant'], (place, grant) => judgeId(observe, place, grant, 'file_id'))
  eachRecord(analysis, ['listMyApiKeys'], (place, tenant) => {
    judgeId(observe, place, tenant, 'id')
    eachKey(place, tenant, (at, key) => judgeId(observe, at, key, 'id', 'api_keys.id'))
  })
}

/** The rules of each record cover the presence and type of its id. */
function judgeId(observe: ObservationLog, place: Place, record: unknown, name: string, facet = name): undefined {
  judgeTextField(observe, place, record, name, aUuid, facet)
}

const timestampFormat: Oracle = (analysis, observe) => {
  for (const sighting of messageSightings(analysis)) {
    judgePresentField(observe, sighting, sighting.message, 'created_at', aTimestamp)
  }
  eachChunk(analysis, (place, chunk) => judgePresentField(observe, place, chunk, 'created_at', aTimestamp))
  chunksInUtc(analysis, observe)
  eachRecord(analysis, ['listMyApiKeys'], (place, tenant) => {
    eachKey(place, tenant, (at, key) => {
      for (const name of ['created_at', 'last_updated_at'])
        judgePresentField(observe, at, key, name, aTimestamp, `api_keys.${name}`)
    })
  })
}

const messageFields: Oracle = (analysis, observe) => {
  for (const sighting of messageSightings(analysis)) {
    for (const name of ['id', 'thread_id', 'role', 'created_at'])
      judgeField(observe, sighting, sighting.value, name, aString)
    if (sighting.asksForTools && typeof fieldOf(sighting.value, 'content') !== 'string') {
      observe.ambiguous(
        sighting.operation,
        'content',
        sighting.exchange,
        'The form of a message that asks for tools is not shown.',
      )
    } else judgeField(observe, sighting, sighting.value, 'content', aString)
  }
}

const roleKnown: Oracle = (analysis, observe) => {
  for (const sighting of messageSightings(analysis)) {
    if (sighting.operation !== 'createMessage' && sighting.operation !== 'listMessages') continue
    judgePresentField(observe, sighting, sighting.message, 'role', aKnownRole, null)
  }
}

const contentNotEmpty: Oracle = (analysis, observe) => {
  for (const { message, asksForTools, parsed, operation, at } of messageSightings(analysis)) {
    const content = fieldOf(message, 'content')
    if (typeof content !== 'string') continue
    if (content !== '') observe.held(operation, null, parsed.id)
    else if (!asksForTools)
      contradict(
        observe,
        { operation, exchange: parsed.id, at },
        '/content',
        null,
        'content that is not empty',
        content,
      )
  }
}

const assistantMessageFields: Oracle = (analysis, observe) => {
  for (const sighting of messageSightings(analysis)) {
    if (sighting.isAnswer === 'no') continue
    for (const [name, rule] of answerFields) {
      // The form of a message that asks for tools is not shown, but its known fields must be as the contract says.
      const isOfOtherForm = sighting.asksForTools && !hasField(sighting.message, name)
      if (rule.holds(fieldOf(sighting.value, name))) observe.held(sighting.operation, name, sighting.exchange)
      else if (sighting.isAnswer === 'maybe' || isOfOtherForm) {
        observe.ambiguous(
          sighting.operation,
          name,
          sighting.exchange,
          'A client may have added the message, or it asks for tools.',
        )
      } else judgeField(observe, sighting, sighting.value, name, rule)
    }
  }
}

const theAssistant: FieldRule = { expected: '"assistant"', holds: (value) => value === 'assistant' }

const answerRole: Oracle = (analysis, observe) => {
  for (const sighting of messageSightings(analysis)) {
    if (sighting.isAnswer !== 'yes' || sighting.operation === 'listMessages') continue
    judgePresentField(observe, sighting, sighting.message, 'role', theAssistant, null)
  }
}

const sourceFields: Oracle = (analysis, observe) => {
  for (const sighting of messageSightings(analysis)) {
    if (sighting.isAnswer === 'yes') judgeSources(observe, sighting, '/sources', fieldOf(sighting.message, 'sources'))
  }
  eachChunk(analysis, (place, chunk) =>
    judgeSources(observe, place, '/delta/sources', fieldOf(fieldOf(chunk, 'delta'), 'sources')),
  )
}

/** Most chunks have no sources, so nothing is made before there is one. */
function judgeSources(observe: ObservationLog, place: Place, below: string, sources: unknown): undefined {
  if (!Array.isArray(sources)) return
  for (const [index, source] of sources.entries()) {
    const at = placeBelow(place, `${below}/${index}`)
    judgeField(observe, at, source, 'content', aString)
    const metaAt = placeBelow(at, '/meta_data')
    const metaData = fieldOf(source, 'meta_data')
    judgeField(observe, metaAt, metaData, 'document_title', aString, 'meta_data.document_title')
    judgeField(observe, metaAt, metaData, 'section', aString, 'meta_data.section')
  }
}

const chunkFields: Oracle = (analysis, observe) => {
  eachChunk(analysis, (place, chunk) => {
    for (const name of ['created_at', 'message_id', 'thread_id']) judgeField(observe, place, chunk, name, aString)
    judgeField(observe, place, chunk, 'delta', anObject)
  })
}

const deltaFields: Oracle = (analysis, observe) => {
  eachChunk(analysis, (place, chunk) => {
    const delta = fieldOf(chunk, 'delta')
    if (!isObject(delta)) return
    const at = placeBelow(place, '/delta')
    judgeField(observe, at, delta, 'role', aString)
    judgeField(observe, at, delta, 'sources', anArray)
  })
}

/** The oracles of chapter resources. */
export const resourcesOracles: Readonly<Record<TestableId<'resources'>, ScopedOracle>> = {
  'resources.id-is-uuid': perExchange(idIsUuid),
  'resources.timestamp-format': perExchange(timestampFormat),
  'resources.created-in-utc': perTrace(createdInUtc),
  'resources.message-fields': perThread(messageFields),
  'resources.message-role-known': perExchange(roleKnown),
  'resources.message-content-not-empty': perExchange(contentNotEmpty),
  'resources.assistant-message-fields': perThread(assistantMessageFields),
  'resources.answer-role': perThread(answerRole),
  'resources.meta-data-fits-schema': perTenant(metaDataFitsSchema),
  'resources.legal-meta-data': perTenant(legalMetaData),
  'resources.source-fields': perThread(sourceFields),
  'resources.message-ids-unique': perTrace(idsUnique),
  'resources.answer-to-own-question': perTrace(answerToOwnQuestion),
  'resources.chunk-fields': perExchange(chunkFields),
  'resources.delta-fields': perExchange(deltaFields),
}
