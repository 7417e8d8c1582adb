/** Oracles of chapter completions: what a completion must hold, and what its answer carries. */

import type { TestableId } from '../../spec/index.ts'
import { idField } from '../classify/forms.ts'
import { fieldOf, hasField, nameOf, textField } from '../classify/json.ts'
import { documentOf, isAccepted, queryValues, type Reading } from '../classify/reading.ts'
import { chunksOf, streamedThreads } from '../classify/stream-chunks.ts'
import type { Docket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import { answeredThread } from '../ledger/origins.ts'
import { missingAssistantIdError, unknownAssistantError, validationErrorNamesField } from './completion-errors.ts'
import { threadHoldsConversation } from './completion-threads.ts'
import { bothCompletions, completionOperations, mustBeRefused, type Oracle, type RefusalRule } from './oracle.ts'
import { isSingleObject, wholeMessage } from './whole-answers.ts'

/** An oracle for bodies that every form of completion refuses. */
const refused =
  (what: string, faults: RefusalRule['faults']): Oracle =>
  (docket, testify) =>
    mustBeRefused(docket, testify, { operations: completionOperations, faults, what })

const carriesThreadId: Oracle = (docket, testify) => {
  for (const operation of completionOperations) {
    for (const reading of docket.of(operation)) {
      const documents = carriers(reading)
      if (documents.length === 0) continue
      const at = documents.findIndex((document) => textField(document, 'thread_id') === null)
      if (at < 0) testify.held(operation, null, reading.id)
      else {
        testify.contradicted(operation, null, {
          exchanges: [reading.id],
          expected: 'a thread_id',
          actual: nameOf(fieldOf(documents[at], 'thread_id')),
          pointer: reading.answer.stream === null ? '/thread_id' : `line ${at + 1} /thread_id`,
          because: `The answer in ${reading.id} does not carry the id of its thread.`,
        })
      }
    }
  }
}

function carriers(reading: Reading): readonly unknown[] {
  if (!isAccepted(reading)) return []
  if (reading.answer.stream !== null) return chunksOf(reading).map(({ value }) => value)
  return isSingleObject(reading) ? [documentOf(reading)] : []
}

const continuesThread: Oracle = (docket, testify) => {
  for (const [operation, reading] of bothCompletions.flatMap((id) => docket.of(id).map((one) => [id, one] as const))) {
    const [asked] = queryValues(reading, 'thread_id')
    const answered = isAccepted(reading) ? answeredThread(reading) : null
    if (asked === undefined || answered === null || docket.requestOf(reading).validity !== 'valid') continue
    if (streamedThreads(reading).size > 1) continue
    if (asked.toLowerCase() === answered.toLowerCase()) testify.held(operation, null, reading.id)
    else {
      const born = docket.ledger.thread(asked)?.origin.by?.id
      testify.contradicted(operation, null, {
        exchanges: born === undefined ? [reading.id] : [born, reading.id],
        expected: `an answer in thread ${asked}`,
        actual: `an answer in thread ${answered}`,
        pointer: '/thread_id',
        because: `${reading.id} names thread ${asked}, and it is answered in thread ${answered}.`,
      })
    }
  }
}

const freshThread: Oracle = (docket, testify) => {
  const owners = new Map<string, Reading>()
  for (const reading of docket.of('createChatCompletion')) {
    const thread = idField(documentOf(reading), 'thread_id')
    if (thread === null || hasField(Object.fromEntries(reading.query), 'thread_id')) continue
    const owner = owners.get(thread)
    owners.set(thread, reading)
    if (owner === undefined) {
      if (owners.size > 1) testify.held('createChatCompletion', null, reading.id)
    } else {
      testify.contradicted('createChatCompletion', null, {
        exchanges: [owner.id, reading.id],
        expected: 'a thread of its own for each completion',
        actual: `thread ${thread} for both`,
        pointer: '/thread_id',
        because: `${owner.id} and ${reading.id} name no thread, and both are answered in thread ${thread}.`,
      })
    }
  }
}

const unknownAssistant: Oracle = (docket: Docket, testify: Testimony) =>
  mustBeRefused(docket, testify, {
    operations: completionOperations,
    faults: { 'assistant-unknown': null, 'assistant-foreign': null },
    what: 'a completion with an assistant that the tenant cannot use',
  })

/** The oracles of chapter completions. */
export const completionsOracles: Readonly<Record<TestableId<'completions'>, Oracle>> = {
  'completions.one-whole-answer': wholeMessage,
  'completions.carries-thread-id': carriesThreadId,
  'completions.assistant-id-required': refused('a completion without assistant_id', { 'assistant_id-missing': null }),
  'completions.missing-assistant-id-error': missingAssistantIdError,
  'completions.assistant-id-is-uuid': refused('a completion whose assistant_id is no UUID string', {
    'assistant_id-not-uuid': 'not-a-uuid',
    'assistant_id-wrong-type': 'wrong-type',
    'assistant_id-null': 'null',
  }),
  'completions.messages-required': refused('a completion without messages', {
    'messages-missing': 'absent',
    'messages-empty': 'empty',
  }),
  'completions.needs-user-message': refused('a completion without a user message', { 'messages-without-user': null }),
  'completions.messages-well-typed': refused('a completion whose messages are malformed', {
    'messages-not-array': 'messages-not-array',
    'entry-not-object': 'entry-not-object',
    'content-missing': 'content-missing',
    'content-not-string': 'content-not-string',
    'role-missing': 'role-missing',
    'role-not-string': 'role-not-string',
  }),
  'completions.role-known': refused('a completion with a message of an unknown role', { 'role-unknown': null }),
  'completions.user-id-is-uuid': refused('a completion whose user_id is no UUID string', { 'user_id-not-uuid': null }),
  'completions.validation-error-names-field': validationErrorNamesField,
  'completions.unknown-assistant-refused': unknownAssistant,
  'completions.unknown-assistant-error': unknownAssistantError,
  'completions.required-fields-enforced': refused('a completion that lacks a field which the assistant requires', {
    'required-root-field': '__root__',
    'required-user_data-field': 'user_data',
  }),
  'completions.continues-thread': continuesThread,
  'completions.fresh-thread': freshThread,
  'completions.thread-holds-conversation': threadHoldsConversation,
}
