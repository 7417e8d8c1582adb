/**
 * Decides whether a request must be accepted, must be refused, or may be either. It uses the bytes and the earlier
 * exchanges; the intent of a probe is not used here, and can only make a request undecided later.
 */

import { bothRuns, completionOperations } from '../../../spec/index.ts'
import { isToolField } from '../../profile/tool-fields.ts'
import { attachedFile } from '../history/uploaded-files.ts'
import { callsOf } from '../history/writes.ts'
import { lowerCase } from '../read/formats.ts'
import { fieldOf, isObject } from '../read/json.ts'
import { hasUniqueKeys } from '../read/json-formatting.ts'
import { headerValue, idForm, isRun, type ParsedExchange, queryValues } from '../read/parsed-exchange.ts'
import { busyAmbiguity } from './busy-thread.ts'
import { sendsAssistantMessage } from './completed-roles.ts'
import { completionFaults } from './completion-faults.ts'
import { queriedThread } from './continued-thread.ts'
import type { JudgeContext } from './judge-context.ts'
import { messageFaults, runFaults } from './message-faults.ts'
import { provokedCode } from './provoked-code.ts'
import { grantFaults, listFaults, unknownParameters } from './query-faults.ts'
import {
  addAmbiguity,
  addFault,
  addLeniency,
  classOf,
  emptyFaultList,
  type FaultList,
  type RequestClass,
  type RequestFault,
} from './request-fault.ts'
import {
  additionFaults,
  assistantFaults,
  isWithoutTenant,
  otherAnswererAmbiguity,
  runStateFaults,
  threadFaults,
} from './state-faults.ts'

/** Classifies one request; an address outside the contract is unsure. */
export function classifyRequest(parsed: ParsedExchange, around: JudgeContext): RequestClass {
  const list = emptyFaultList()
  if (parsed.operation === null) addAmbiguity(list, 'an address outside the contract')
  else if (parsed.operation !== 'uploadFile') keyFaults(parsed, list)
  transportAmbiguities(parsed, list)
  provocationAmbiguity(parsed, around, list)
  operationFaults(parsed, around, list)
  return classOf(list)
}

/** The certain faults in the bytes alone, for which a suite is responsible. The class contains all of them. */
export function byteFaults(parsed: ParsedExchange, around: JudgeContext): readonly RequestFault[] {
  const list = emptyFaultList()
  const body = objectBody(parsed, list)
  if (parsed.operation === 'createUploadGrant') grantFaults(parsed, list)
  if (parsed.operation === 'listMessages') listFaults(parsed, list)
  if (body !== null) bodyFaults(parsed, body, around, list)
  return list.faults
}

function keyFaults(parsed: ParsedExchange, list: FaultList): undefined {
  if (parsed.key === 'missing') addFault(list, 'key-missing', 'header', 'api-key')
  if (parsed.key === 'unknown') addFault(list, 'key-unknown', 'header', 'api-key')
  if (parsed.key === 'doubted') addAmbiguity(list, 'a key that the service may not know')
  if (parsed.key === 'elsewhere') addAmbiguity(list, 'a key in another place than its header')
}

/** A request that asks for an error may well get it. */
function provocationAmbiguity(parsed: ParsedExchange, around: JudgeContext, list: FaultList): undefined {
  if (provokedCode(parsed, around) !== null) addAmbiguity(list, 'a request that provokes an error')
}

/** Sizes and framings that a server may refuse before it looks at the request. */
function transportAmbiguities({ exchange, path, hasOddPath, bodyBytes }: ParsedExchange, list: FaultList): undefined {
  const { request } = exchange
  const size =
    request.body === null ? 0 : 'utf8' in request.body ? request.body.utf8.length : request.body.base64.length
  if (size > surelySmallBody) addAmbiguity(list, 'a large body')
  const claimed = headerValue(exchange, 'content-length')
  if (claimed !== undefined && request.body !== null && Number(claimed) !== bodyBytes) {
    addAmbiguity(list, 'a content-length that is not the true one')
  }
  if (request.url.length > 4096) addAmbiguity(list, 'a long URL')
  if (path.endsWith('/')) addAmbiguity(list, 'a slash at the end of the path')
  if (hasOddPath) addAmbiguity(list, 'another spelling of the path')
}

/** The contract shows no size limit; a message of this many characters must fit. */
const surelySmallBody = 16_384

function operationFaults(parsed: ParsedExchange, around: JudgeContext, list: FaultList): undefined {
  const body = objectBody(parsed, list)
  switch (parsed.operation) {
    case 'createChatCompletion':
    case 'streamChatCompletion':
    case 'streamChatCompletionEvents':
      if (body !== null) {
        bodyFaults(parsed, body, around, list)
        assistantFaults(parsed, body, around, list)
      }
      return queriedThread(parsed, around, list)
    case 'createMessage':
    case 'runThread':
    case 'streamThreadRun':
    case 'listMessages':
      return threadOperationFaults(parsed, body, around, list)
    case 'getAssistant':
      return assistantPathFaults(parsed, around, list)
    case 'createUploadGrant':
      return grantFaults(parsed, list)
    case 'listAssistants':
    case 'listMyApiKeys':
      return unknownParameters(parsed, [], list)
    case 'uploadFile':
      return
    default:
      addAmbiguity(list, 'an operation that the contract does not show')
  }
}

function threadOperationFaults(
  parsed: ParsedExchange,
  body: Readonly<Record<string, unknown>> | null,
  around: JudgeContext,
  list: FaultList,
): undefined {
  if (body !== null) bodyFaults(parsed, body, around, list)
  const thread = threadFaults(parsed, around, list)
  if (parsed.operation === 'listMessages') {
    if (thread?.origin.kind === 'completion') addAmbiguity(list, 'a list of a thread that a completion made')
    listFaults(parsed, list)
    return cursorAmbiguities(parsed, around, list)
  }
  unknownParameters(parsed, [], list)
  if (thread === null || body === null) return
  busyAmbiguity(parsed, thread, around.histories, list)
  if (parsed.operation === 'createMessage') additionFaults(parsed, body, thread, around, list)
  else {
    runStateFaults(parsed, thread, around, list)
    otherAnswererAmbiguity(parsed, thread, around, list)
  }
}

function bodyFaults(
  parsed: ParsedExchange,
  body: Readonly<Record<string, unknown>>,
  around: JudgeContext,
  list: FaultList,
): undefined {
  const { profile, registry } = around
  if (parsed.operation === 'createMessage') {
    const { tools } = profile
    const attaching = attachmentFields(parsed, body, around, list)
    const template = isObject(tools?.assistantMessage) ? Object.keys(tools.assistantMessage) : []
    const extra =
      body.role === 'tool' ? [tools?.resultField ?? 'tool_call_id'] : body.role === 'assistant' ? template : []
    const asks = body.role === 'assistant' && callsOf(body, tools).length > 0
    return messageFaults(body, { extraFields: new Set([...extra, ...attaching]), asks }, list)
  }
  if (isRun(parsed)) {
    const known = isObject(profile.runBody) ? Object.keys(profile.runBody) : []
    if (known.some((name) => !(isToolField(name) || Object.hasOwn(body, name))))
      addAmbiguity(list, "a run without the profile's fields")
    return runFaults(body, new Set(known), list)
  }
  const id = fieldOf(body, 'assistant_id')
  const record =
    typeof id !== 'string'
      ? null
      : isWithoutTenant(parsed)
        ? registry.anyRecordOf(id)
        : registry.recordOf(parsed.tenant, id)
  completionFaults(
    parsed,
    body,
    new Set([...profile.assistantFields, ...(record?.requires.get('__root__') ?? [])]),
    list,
  )
  if (!around.takesAssistantMessages && sendsAssistantMessage(parsed))
    addAmbiguity(list, 'a completion with an assistant message that the target may not take')
}

/** The fields that attach a file by the mapping of the profile, which covers a gap of the contract. */
function attachmentFields(
  parsed: ParsedExchange,
  body: Readonly<Record<string, unknown>>,
  { profile, files }: JudgeContext,
  list: FaultList,
): readonly string[] {
  const id = attachedFile(body, profile.files)
  if (id === null) return []
  const file = files.get(lowerCase(id))
  const isReady = file?.tenant === parsed.tenant && (file.completed?.endedAtMs ?? Infinity) <= parsed.sentAtMs
  addAmbiguity(
    list,
    isReady ? 'an attachment by the mapping of the profile' : 'an attachment of a file that may not be ready',
  )
  return Object.keys(profile.files.attachment ?? {})
}

/** The body as an object; anything else is a fault of operations that take one. */
function objectBody(parsed: ParsedExchange, list: FaultList): Readonly<Record<string, unknown>> | null {
  if (parsed.operation === null || !takesBody.has(parsed.operation)) return null
  const { body } = parsed
  if (body.kind === 'none') {
    if (isRun(parsed)) addAmbiguity(list, 'a run without a body')
    else addFault(list, 'body-missing', 'body')
    return null
  }
  const type = headerValue(parsed.exchange, 'content-type')
  if (type === undefined || !/^application\/json\s*(?:;|$)/i.test(type))
    addAmbiguity(list, 'a body that is not declared as JSON')
  if (body.kind === 'malformed') {
    if (body.fault === 'cut') addAmbiguity(list, 'a body that was not recorded whole')
    else if (body.fault === 'deep') addAmbiguity(list, 'a body that is nested very deep')
    else if (body.fault === 'utf-8') addAmbiguity(list, 'a body in another encoding')
    else addFault(list, 'body-not-json', 'body')
    return null
  }
  if (body.isMarked) addAmbiguity(list, 'a byte order mark before the JSON')
  if (!hasUniqueKeys(body)) addLeniency(list, 'a JSON text with a repeated key')
  if (isObject(body.value)) return body.value
  addFault(list, 'body-not-object', 'body')
  return null
}

const takesBody: ReadonlySet<string> = new Set([...completionOperations, 'createMessage', ...bothRuns])

function cursorAmbiguities(parsed: ParsedExchange, { histories }: JudgeContext, list: FaultList): undefined {
  const [cursor] = queryValues(parsed, 'cursor')
  if (cursor === undefined) return
  const thread = histories.thread(parsed.params.thread_id ?? '')
  const tenant = isWithoutTenant(parsed) ? thread?.origin.tenant : parsed.tenant
  const handedOutMs = thread?.cursors.get(`${tenant} ${cursor}`)
  if (handedOutMs === undefined || handedOutMs > parsed.sentAtMs)
    addAmbiguity(list, 'a cursor that this thread did not hand out')
}

function assistantPathFaults(parsed: ParsedExchange, { registry }: JudgeContext, list: FaultList): undefined {
  unknownParameters(parsed, [], list)
  const id = parsed.params.assistant_id ?? ''
  const form = idForm(parsed, parsed.spelled.assistant_id ?? '')
  if (form === 'lenient') return addLeniency(list, 'another spelling of a UUID')
  if (form === 'wrong') return addAmbiguity(list, 'an assistant_id that is no UUID')
  if (isWithoutTenant(parsed) && registry.anyRecordOf(id) !== null) return
  const standing = registry.standing(parsed.tenant, id)
  if (standing === 'unknown') addFault(list, 'assistant-unknown', 'path', 'assistant_id')
  if (standing === 'foreign') addFault(list, 'assistant-foreign', 'path', 'assistant_id')
  if (standing === 'unsure') addAmbiguity(list, 'an assistant of which no list was seen')
}
