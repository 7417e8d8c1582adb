/** Oracles of chapter resources: ids, timestamps and the shapes of messages, answers, sources and chunks. */
import type { OperationId, TestableId } from '../../spec/index.ts'
import { isRole, isTimestamp, isUuid } from '../classify/forms.ts'
import { fieldOf, hasField, isObject, sameJson } from '../classify/json.ts'
import { documentOf } from '../classify/reading.ts'
import { chunksOf } from '../classify/stream-chunks.ts'
import type { Docket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import {
  anArray,
  anObject,
  aString,
  contradict,
  type FieldRule,
  judgeField,
  judgePresentField,
  judgeTextField,
  type Place,
  placeBelow,
} from './field-rules.ts'
import { type MessageSighting, messageSightings } from './message-sightings.ts'
import { legalMetaData, metaDataFitsSchema } from './meta-data.ts'
import { type Oracle, streamOperations } from './oracle.ts'

const aUuid: FieldRule = { expected: 'a UUID string', holds: isUuid }
const aTimestamp: FieldRule = {
  expected: 'a UTC timestamp with six digits of a second and a trailing Z',
  holds: isTimestamp,
}
const aKnownRole: FieldRule = { expected: 'user, system, tool or assistant', holds: isRole }

/** Calls back for every chunk of every stream. */
function eachChunk(docket: Docket, judge: (place: Place, chunk: unknown) => void): undefined {
  for (const operation of streamOperations) {
    for (const reading of docket.of(operation)) {
      for (const { index, value } of chunksOf(reading))
        judge({ operation, exchange: reading.id, line: index, at: '' }, value)
    }
  }
}

/** Calls back for every accepted document of the operations, and for every element when it is an array. */
function eachRecord(
  docket: Docket,
  operations: readonly OperationId[],
  judge: (place: Place, record: unknown) => void,
): undefined {
  for (const operation of operations) {
    for (const reading of docket.of(operation)) {
      const document = documentOf(reading)
      if (document === undefined) continue
      if (Array.isArray(document)) {
        for (const [index, record] of document.entries())
          judge({ operation, exchange: reading.id, at: `/${index}` }, record)
      } else judge({ operation, exchange: reading.id, at: '' }, document)
    }
  }
}

function eachKey(place: Place, tenant: unknown, judge: (place: Place, key: unknown) => void): undefined {
  const keys = fieldOf(tenant, 'api_keys')
  for (const [index, key] of Array.isArray(keys) ? keys.entries() : [])
    judge(placeBelow(place, `/api_keys/${index}`), key)
}

const idIsUuid: Oracle = (docket, testify) => {
  for (const sighting of messageSightings(docket)) {
    for (const name of ['id', 'thread_id']) judgeId(testify, sighting, sighting.message, name)
  }
  eachChunk(docket, (place, chunk) => {
    for (const name of ['message_id', 'thread_id']) judgeId(testify, place, chunk, name)
  })
  eachRecord(docket, ['listAssistants', 'getAssistant'], (place, record) => judgeId(testify, place, record, 'id'))
  eachRecord(docket, ['createUploadGrant'], (place, grant) => judgeId(testify, place, grant, 'file_id'))
  eachRecord(docket, ['listMyApiKeys'], (place, tenant) => {
    judgeId(testify, place, tenant, 'id')
    eachKey(place, tenant, (at, key) => judgeId(testify, at, key, 'id', 'api_keys.id'))
  })
}

/** That an id is there and a string is a rule of every record's own. */
function judgeId(testify: Testimony, place: Place, record: unknown, name: string, facet = name): undefined {
  judgeTextField(testify, place, record, name, aUuid, facet)
}

const timestampFormat: Oracle = (docket, testify) => {
  for (const sighting of messageSightings(docket)) {
    judgePresentField(testify, sighting, sighting.message, 'created_at', aTimestamp)
  }
  eachChunk(docket, (place, chunk) => judgePresentField(testify, place, chunk, 'created_at', aTimestamp))
  eachRecord(docket, ['listMyApiKeys'], (place, tenant) => {
    eachKey(place, tenant, (at, key) => {
      for (const name of ['created_at', 'last_updated_at'])
        judgePresentField(testify, at, key, name, aTimestamp, `api_keys.${name}`)
    })
  })
}

const messageFields: Oracle = (docket, testify) => {
  for (const sighting of messageSightings(docket)) {
    for (const name of ['id', 'thread_id', 'role', 'created_at'])
      judgeField(testify, sighting, sighting.value, name, aString)
    if (sighting.asksForTools && typeof fieldOf(sighting.value, 'content') !== 'string') {
      testify.ambiguous(
        sighting.operation,
        'content',
        sighting.exchange,
        'The form of a message that asks for tools is not shown.',
      )
    } else judgeField(testify, sighting, sighting.value, 'content', aString)
  }
}

const roleKnown: Oracle = (docket, testify) => {
  for (const sighting of messageSightings(docket)) {
    if (sighting.operation !== 'createMessage' && sighting.operation !== 'listMessages') continue
    judgePresentField(testify, sighting, sighting.message, 'role', aKnownRole, null)
  }
}

const contentNotEmpty: Oracle = (docket, testify) => {
  for (const { message, asksForTools, reading, operation, at } of messageSightings(docket)) {
    const content = fieldOf(message, 'content')
    if (typeof content !== 'string') continue
    if (content !== '') testify.held(operation, null, reading.id)
    else if (!asksForTools)
      contradict(
        testify,
        { operation, exchange: reading.id, at },
        '/content',
        null,
        'content that is not empty',
        content,
      )
  }
}

const assistantMessageFields: Oracle = (docket, testify) => {
  for (const sighting of messageSightings(docket)) {
    if (sighting.isAnswer === 'no') continue
    for (const [name, rule] of [
      ['meta_data', anObject],
      ['sources', anArray],
    ] as const) {
      // What a message that asks for tools looks like is not shown, but a field that it has is what the contract says.
      const isOfOtherForm = sighting.asksForTools && !hasField(sighting.message, name)
      if (rule.holds(fieldOf(sighting.value, name))) testify.held(sighting.operation, name, sighting.exchange)
      else if (sighting.isAnswer === 'maybe' || isOfOtherForm) {
        testify.ambiguous(
          sighting.operation,
          name,
          sighting.exchange,
          'A client may have added the message, or it asks for tools.',
        )
      } else judgeField(testify, sighting, sighting.value, name, rule)
    }
  }
}

const theAssistant: FieldRule = { expected: '"assistant"', holds: (value) => value === 'assistant' }

const answerRole: Oracle = (docket, testify) => {
  for (const sighting of messageSightings(docket)) {
    if (sighting.isAnswer !== 'yes' || sighting.operation === 'listMessages') continue
    judgePresentField(testify, sighting, sighting.message, 'role', theAssistant, null)
  }
}

const sourceFields: Oracle = (docket, testify) => {
  for (const sighting of messageSightings(docket)) {
    if (sighting.isAnswer === 'yes') judgeSources(testify, sighting, '/sources', fieldOf(sighting.message, 'sources'))
  }
  eachChunk(docket, (place, chunk) =>
    judgeSources(testify, place, '/delta/sources', fieldOf(fieldOf(chunk, 'delta'), 'sources')),
  )
}

/** Most chunks have no sources, so nothing is made before there is one. */
function judgeSources(testify: Testimony, place: Place, below: string, sources: unknown): undefined {
  if (!Array.isArray(sources)) return
  for (const [index, source] of sources.entries()) {
    const at = placeBelow(place, `${below}/${index}`)
    judgeField(testify, at, source, 'content', aString)
    const metaAt = placeBelow(at, '/meta_data')
    const metaData = fieldOf(source, 'meta_data')
    judgeField(testify, metaAt, metaData, 'document_title', aString, 'meta_data.document_title')
    judgeField(testify, metaAt, metaData, 'section', aString, 'meta_data.section')
  }
}

/** Ids that two creations were given, and ids that stand on two different messages of one page. */
const idsUnique: Oracle = (docket, testify) => {
  const owners = new Map<string, MessageSighting>()
  for (const sighting of messageSightings(docket)) {
    const id = fieldOf(sighting.message, 'id')
    if (sighting.operation !== 'createMessage' || typeof id !== 'string') continue
    const owner = owners.get(id.toLowerCase())
    owners.set(id.toLowerCase(), owner ?? sighting)
    if (owner === undefined) testify.held('createMessage', null, sighting.reading.id)
    else sameId(testify, id, owner, sighting)
  }
  for (const reading of docket.of('listMessages'))
    idsUniqueOnPage(testify, docket.ledger.pageOf(reading)?.items ?? [], reading.id)
}

function idsUniqueOnPage(testify: Testimony, items: readonly unknown[], exchange: string): undefined {
  const owners = new Map<string, unknown>()
  for (const [index, item] of items.entries()) {
    const id = fieldOf(item, 'id')
    if (typeof id !== 'string') continue
    const owner = owners.get(id)
    owners.set(id, owner ?? item)
    if (owner !== undefined && isObject(item) && !sameJson(owner, item)) {
      contradict(
        testify,
        { operation: 'listMessages', exchange, at: `/items/${index}` },
        '/id',
        null,
        'an id of its own',
        id,
      )
    }
  }
  if (items.length > 1) testify.held('listMessages', null, exchange)
}

function sameId(testify: Testimony, id: string, first: MessageSighting, second: MessageSighting): undefined {
  testify.contradicted('createMessage', null, {
    exchanges: [first.reading.id, second.reading.id],
    expected: 'an id of its own for every message',
    actual: id,
    pointer: '/id',
    because: `${first.reading.id} and ${second.reading.id} create two messages, and both get the id ${id}.`,
  })
}

const chunkFields: Oracle = (docket, testify) => {
  eachChunk(docket, (place, chunk) => {
    for (const name of ['created_at', 'message_id', 'thread_id']) judgeField(testify, place, chunk, name, aString)
    judgeField(testify, place, chunk, 'delta', anObject)
  })
}

const deltaFields: Oracle = (docket, testify) => {
  eachChunk(docket, (place, chunk) => {
    const delta = fieldOf(chunk, 'delta')
    if (!isObject(delta)) return
    const at = placeBelow(place, '/delta')
    judgeField(testify, at, delta, 'role', aString)
    judgeField(testify, at, delta, 'sources', anArray)
  })
}

/** The oracles of chapter resources. */
export const resourcesOracles: Readonly<Record<TestableId<'resources'>, Oracle>> = {
  'resources.id-is-uuid': idIsUuid,
  'resources.timestamp-format': timestampFormat,
  'resources.message-fields': messageFields,
  'resources.message-role-known': roleKnown,
  'resources.message-content-not-empty': contentNotEmpty,
  'resources.assistant-message-fields': assistantMessageFields,
  'resources.answer-role': answerRole,
  'resources.meta-data-fits-schema': metaDataFitsSchema,
  'resources.legal-meta-data': legalMetaData,
  'resources.source-fields': sourceFields,
  'resources.message-ids-unique': idsUnique,
  'resources.chunk-fields': chunkFields,
  'resources.delta-fields': deltaFields,
}
