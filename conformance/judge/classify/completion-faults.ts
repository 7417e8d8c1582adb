/**
 * Finds the faults of a completion's body in its bytes alone.
 */

import { fieldErrors } from '../read/field-errors.ts'
import { type Form, isRole, isRoleSpelledOtherwise } from '../read/formats.ts'
import { hasField, isObject, type JsonObject } from '../read/json.ts'
import { idForm, type ParsedExchange, queryValues } from '../read/parsed-exchange.ts'
import { addAmbiguity, addFault, addLeniency, type FaultList } from './request-fault.ts'

const knownFields: ReadonlySet<string> = new Set(['assistant_id', 'messages', 'user_id', 'user_data'])
/** More entries than this may meet a limit that the contract does not show. */
const surelyFewEntries = 20
/** More than this may as well, when the refusal is about the list of messages itself. */
const fewEntries = 8

/** Reads the body of a completion; `extraFields` are those that the profile or the assistant asks for. */
export function completionFaults(
  parsed: ParsedExchange,
  body: JsonObject,
  extraFields: ReadonlySet<string>,
  list: FaultList,
) {
  assistantIdFaults(parsed, body, list)
  messagesFaults(parsed, body, list)
  userIdFaults(parsed, body, list)
  for (const name of Object.keys(body)) {
    if (!knownFields.has(name) && !extraFields.has(name))
      addAmbiguity(list, 'a body field that the contract does not show')
  }
  queryAmbiguities(parsed, list)
}

function assistantIdFaults(parsed: ParsedExchange, body: JsonObject, list: FaultList): undefined {
  const loc = ['body', 'assistant_id']
  const id = body.assistant_id
  if (!hasField(body, 'assistant_id')) addFault(list, 'assistant_id-missing', ...loc)
  else if (id === null) addFault(list, 'assistant_id-null', ...loc)
  else if (typeof id !== 'string') addFault(list, 'assistant_id-wrong-type', ...loc)
  else addUuidFault(idForm(parsed, id), 'assistant_id-not-uuid', loc, list)
}

function userIdFaults(parsed: ParsedExchange, body: JsonObject, list: FaultList): undefined {
  const loc = ['body', 'user_id']
  const id = body.user_id
  if (!hasField(body, 'user_id')) addAmbiguity(list, 'a body without user_id')
  else if (id === null) addAmbiguity(list, 'a user_id of null')
  else if (typeof id !== 'string') addFault(list, 'user_id-not-uuid', ...loc)
  else addUuidFault(idForm(parsed, id), 'user_id-not-uuid', loc, list)
}

function addUuidFault(
  form: Form,
  rule: 'assistant_id-not-uuid' | 'user_id-not-uuid',
  loc: string[],
  list: FaultList,
): undefined {
  if (form === 'wrong') addFault(list, rule, ...loc)
  if (form === 'lenient') addLeniency(list, 'another spelling of a UUID')
}

function messagesFaults(parsed: ParsedExchange, body: JsonObject, list: FaultList): undefined {
  const messages = body.messages
  if (!hasField(body, 'messages')) return addFault(list, 'messages-missing', 'body', 'messages')
  if (!Array.isArray(messages)) return addFault(list, 'messages-not-array', 'body', 'messages')
  if (messages.length === 0) return addFault(list, 'messages-empty', 'body', 'messages')
  if (messages.length > (blamesMessages(parsed) ? fewEntries : surelyFewEntries))
    addAmbiguity(list, 'many messages in one request')
  const before = list.faults.length
  for (const [index, entry] of messages.entries()) entryFaults(entry, index, list)
  const wellFormed = list.faults.length === before
  const spoken = messages.map((entry: unknown) => (isObject(entry) ? entry.role : null))
  if (wellFormed && !spoken.includes('user')) addFault(list, 'messages-without-user', 'body', 'messages')
  if (spoken.includes('tool')) addAmbiguity(list, 'a tool message in a completion')
  if (spoken.lastIndexOf('system') > 0) addAmbiguity(list, 'a system message that is not the first')
  if (spoken.at(-1) !== 'user') addAmbiguity(list, 'a completion that does not end on a user message')
}

/** Whether a validation error names the list of messages, and no entry of it. */
function blamesMessages(parsed: ParsedExchange): boolean {
  const locs = parsed.answer.code === 'validation_error' ? fieldErrors(parsed).map(({ loc }) => loc) : []
  return locs.some((loc) => loc.at(-1) === 'messages') && !locs.some((loc) => loc.slice(0, -1).includes('messages'))
}

function entryFaults(entry: unknown, index: number, list: FaultList): undefined {
  const loc = ['body', 'messages', index] as const
  if (!isObject(entry)) return addFault(list, 'entry-not-object', ...loc)
  if (!hasField(entry, 'content')) addFault(list, 'content-missing', ...loc, 'content')
  else if (typeof entry.content !== 'string') addFault(list, 'content-not-string', ...loc, 'content')
  else if (entry.content.trim() === '') addAmbiguity(list, 'empty content in a completion')
  if (!hasField(entry, 'role')) addFault(list, 'role-missing', ...loc, 'role')
  else if (typeof entry.role !== 'string') addFault(list, 'role-not-string', ...loc, 'role')
  else if (isRoleSpelledOtherwise(entry.role)) addAmbiguity(list, 'a role in another spelling')
  else if (!isRole(entry.role)) addFault(list, 'role-unknown', ...loc, 'role')
  if (Object.keys(entry).some((name) => name !== 'content' && name !== 'role')) {
    addAmbiguity(list, 'a message field that the contract does not show')
  }
}

function queryAmbiguities(parsed: ParsedExchange, list: FaultList): undefined {
  const threads = queryValues(parsed, 'thread_id')
  if (threads.length > 1) addLeniency(list, 'a repeated query parameter')
  const [thread] = threads
  if (thread === '' || thread === 'null') addAmbiguity(list, 'a spelled-out null thread_id')
  else if (thread !== undefined && idForm(parsed, thread) !== 'exact') addAmbiguity(list, 'a thread_id that is no UUID')
  if (parsed.query.some(([name]) => name !== 'thread_id')) addAmbiguity(list, 'an unknown query parameter')
}
