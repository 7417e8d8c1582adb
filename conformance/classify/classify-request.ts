/**
 * The class of a request, from its bytes and from what came before it: must be accepted, must be refused, or either.
 * What a probe meant plays no part.
 */

import type { HeaderLines } from '../exchange.ts'
import type { JudgeProfile } from '../judging/judge-profile.ts'
import { completionFaults } from './completion-faults.ts'
import {
  addDoubt,
  addFault,
  addLeniency,
  classOf,
  emptyFaultList,
  type Fault,
  type FaultList,
  type RequestClass,
} from './fault.ts'
import { fieldOf, isObject } from './json.ts'
import { isValidSpelling } from './json-spelling.ts'
import { messageFaults, runFaults } from './message-faults.ts'
import { grantFaults, listFaults, unknownParameters } from './query-faults.ts'
import { headerValue, idForm, queryValues, type Reading } from './reading.ts'
import { additionFaults, assistantFaults, type Circumstances, runStateFaults, threadFaults } from './state-faults.ts'

/** Classifies one request; an address outside the contract is unsure. */
export function classifyRequest(reading: Reading, around: Circumstances): RequestClass {
  const list = emptyFaultList()
  if (reading.operation === null) addDoubt(list, 'an address outside the contract')
  else if (reading.operation !== 'uploadFile') keyFaults(reading, list)
  transportDoubts(reading, list)
  provocationDoubt(reading, around, list)
  operationFaults(reading, around, list)
  return classOf(list)
}

/** What is surely wrong as far as the bytes alone tell it: what a suite is answerable for. All of it is in the class as well. */
export function byteFaults(reading: Reading, around: Circumstances): readonly Fault[] {
  const list = emptyFaultList()
  const body = objectBody(reading, list)
  if (reading.operation === 'createUploadGrant') grantFaults(reading, list)
  if (reading.operation === 'listMessages') listFaults(reading, list)
  if (body !== null) bodyFaults(reading, body, around, list)
  return list.faults
}

function keyFaults(reading: Reading, list: FaultList): undefined {
  if (reading.key === 'missing') addFault(list, 'key-missing', 'header', 'api-key')
  if (reading.key === 'unknown') addFault(list, 'key-unknown', 'header', 'api-key')
  if (reading.key === 'elsewhere') addDoubt(list, 'a key in another place than its header')
}

/** The code that a request asks for in the way that the profile tells, or null. */
export function provokedCode({ exchange }: Reading, { provoking }: JudgeProfile): string | null {
  const isThere = ([name, value]: HeaderLines[number]): boolean => headerValue(exchange, name) === value
  return provoking.find(({ lines }) => lines.every(isThere))?.code ?? null
}

/** A request that asks for an error may well get it. */
function provocationDoubt(reading: Reading, { profile }: Circumstances, list: FaultList): undefined {
  if (provokedCode(reading, profile) !== null) addDoubt(list, 'a request that provokes an error')
}

/** Sizes and framings that a server may refuse before it looks at the request. */
function transportDoubts({ exchange, path }: Reading, list: FaultList): undefined {
  const { request } = exchange
  const size =
    request.body === null ? 0 : 'utf8' in request.body ? request.body.utf8.length : request.body.base64.length
  if (size > surelySmallBody) addDoubt(list, 'a large body')
  const claimed = headerValue(exchange, 'content-length')
  if (claimed !== undefined && request.body !== null && Number(claimed) !== byteLength(request.body)) {
    addDoubt(list, 'a content-length that is not the true one')
  }
  if (request.url.length > 4096) addDoubt(list, 'a long URL')
  if (path.endsWith('/')) addDoubt(list, 'a slash at the end of the path')
}

/** The contract shows no size limit; a message of this many characters must fit. */
const surelySmallBody = 16_384

const byteLength = (body: NonNullable<Reading['exchange']['request']['body']>): number =>
  'utf8' in body ? Buffer.byteLength(body.utf8) : Buffer.byteLength(body.base64, 'base64')

function operationFaults(reading: Reading, around: Circumstances, list: FaultList): undefined {
  const body = objectBody(reading, list)
  switch (reading.operation) {
    case 'createChatCompletion':
    case 'streamChatCompletion':
    case 'streamChatCompletionEvents':
      if (body !== null) {
        bodyFaults(reading, body, around, list)
        assistantFaults(reading, body, around, list)
      }
      return queriedThread(reading, around, list)
    case 'createMessage':
    case 'runThread':
    case 'streamThreadRun':
    case 'listMessages':
      return threadOperationFaults(reading, body, around, list)
    case 'getAssistant':
      return assistantPathFaults(reading, around, list)
    case 'createUploadGrant':
      return grantFaults(reading, list)
    case 'listAssistants':
    case 'listMyApiKeys':
      return unknownParameters(reading, [], list)
    case 'uploadFile':
      return
    default:
      addDoubt(list, 'an operation that the contract does not show')
  }
}

function threadOperationFaults(
  reading: Reading,
  body: Readonly<Record<string, unknown>> | null,
  around: Circumstances,
  list: FaultList,
): undefined {
  if (body !== null) bodyFaults(reading, body, around, list)
  const thread = threadFaults(reading, around, list)
  if (reading.operation === 'listMessages') {
    if (thread?.origin.kind === 'completion') addDoubt(list, 'a list of a thread that a completion made')
    listFaults(reading, list)
    return cursorDoubts(reading, around, list)
  }
  unknownParameters(reading, [], list)
  if (thread === null || body === null) return
  if (reading.operation === 'createMessage') additionFaults(reading, body, thread, around, list)
  else runStateFaults(reading, thread, around, list)
}

function bodyFaults(
  reading: Reading,
  body: Readonly<Record<string, unknown>>,
  { profile, book }: Circumstances,
  list: FaultList,
): undefined {
  if (reading.operation === 'createMessage') {
    const { tools } = profile
    const template = isObject(tools?.assistantMessage) ? Object.keys(tools.assistantMessage) : []
    const extra =
      body.role === 'tool' ? [tools?.resultField ?? 'tool_call_id'] : body.role === 'assistant' ? template : []
    return messageFaults(body, new Set(extra), list)
  }
  if (reading.operation === 'runThread' || reading.operation === 'streamThreadRun') {
    const known = isObject(profile.runBody) ? Object.keys(profile.runBody) : []
    if (known.length > 0 && Object.keys(body).length < known.length)
      addDoubt(list, "a run without the profile's fields")
    return runFaults(body, new Set(known), list)
  }
  const id = fieldOf(body, 'assistant_id')
  const record = typeof id === 'string' ? book.recordOf(reading.tenant, id) : null
  completionFaults(
    reading,
    body,
    new Set([...profile.assistantFields, ...(record?.requires.get('__root__') ?? [])]),
    list,
  )
}

/** The body as an object; anything else is a fault of operations that take one. */
function objectBody(reading: Reading, list: FaultList): Readonly<Record<string, unknown>> | null {
  if (reading.operation === null || !takesBody.has(reading.operation)) return null
  const { body } = reading
  const runs = reading.operation === 'runThread' || reading.operation === 'streamThreadRun'
  if (body.kind === 'none') {
    if (runs) addDoubt(list, 'a run without a body')
    else addFault(list, 'body-missing', 'body')
    return null
  }
  const type = headerValue(reading.exchange, 'content-type')
  if (type === undefined || !/^application\/json\s*(?:;|$)/i.test(type))
    addDoubt(list, 'a body that is not declared as JSON')
  if (body.kind === 'malformed') {
    if (body.fault === 'utf-8') addDoubt(list, 'a body in another encoding')
    else addFault(list, 'body-not-json', 'body')
    return null
  }
  if (body.isMarked) addDoubt(list, 'a byte order mark before the JSON')
  if (!isValidSpelling(body)) addLeniency(list, 'a JSON text with a repeated key')
  if (isObject(body.value)) return body.value
  addFault(list, 'body-not-object', 'body')
  return null
}

const takesBody: ReadonlySet<string> = new Set([
  'createChatCompletion',
  'streamChatCompletion',
  'streamChatCompletionEvents',
  'createMessage',
  'runThread',
  'streamThreadRun',
])

/** A completion may go on in a thread; which ones it may name is not shown. */
function queriedThread(reading: Reading, { ledger }: Circumstances, list: FaultList): undefined {
  const [id] = queryValues(reading, 'thread_id')
  if (id === undefined || id === '' || id === 'null') return
  const thread = ledger.thread(id)
  const own = thread !== null && thread.origin.tenant === reading.tenant && thread.origin.kind === 'completion'
  if (!own) addDoubt(list, 'a completion in a thread that no completion of this key made')
  else if (reading.operation === 'streamChatCompletionEvents') addDoubt(list, 'a query parameter of the events stream')
}

function cursorDoubts(reading: Reading, { ledger }: Circumstances, list: FaultList): undefined {
  const [cursor] = queryValues(reading, 'cursor')
  if (cursor === undefined) return
  const thread = ledger.thread(reading.params.thread_id ?? '')
  const handedOutMs = thread?.cursors.get(`${reading.tenant} ${cursor}`)
  if (handedOutMs === undefined || handedOutMs > reading.sentAtMs)
    addDoubt(list, 'a cursor that this thread did not hand out')
}

function assistantPathFaults(reading: Reading, { book }: Circumstances, list: FaultList): undefined {
  unknownParameters(reading, [], list)
  const id = reading.params.assistant_id ?? ''
  const form = idForm(reading, reading.spelled.assistant_id ?? '')
  if (form === 'lenient') return addLeniency(list, 'another spelling of a UUID')
  if (form === 'wrong') return addDoubt(list, 'an assistant_id that is no UUID')
  const standing = book.standing(reading.tenant, id)
  if (standing === 'unknown') addFault(list, 'assistant-unknown', 'path', 'assistant_id')
  if (standing === 'foreign') addFault(list, 'assistant-foreign', 'path', 'assistant_id')
  if (standing === 'unsure') addDoubt(list, 'an assistant of which no list was seen')
}
