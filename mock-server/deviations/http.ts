/** Deviations of chapter http: sound requests refused, moved paths, bodies that are not one JSON document. */

import type { RequestInput } from '../http/command-parser.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Rejection } from '../machine/rejection.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import type { Bend } from '../seams.ts'
import { concerns, head, text, type Where } from './bend-reply.ts'
import { contentIn, fieldRejection, invents, messagesIn, misreads, refuses, takesCaller } from './bend-rule.ts'
import { type DeviationTable, deviation } from './deviation-row.ts'
import { isObject } from './json-edit.ts'
import { hasAstral, hasNonAscii } from './text-damage.ts'

const badContent = fieldRejection('content', 'holds characters that cannot be stored', 'value_error')
const badMessages = fieldRejection('messages', 'must be one message of the user', 'value_error')
const badRequest: Rejection = { reason: 'http.malformed' }

/** Refuses a sound request every so many times. */
const everyNth = (where: Where, n: number): Bend => ({
  seam: 'validate',
  wrap: (next) => {
    let count = 0
    return (input, exchange) => {
      const faithful = next(input, exchange)
      if (faithful.kind !== 'command' || !concerns(where, input.operation)) return faithful
      count += 1
      return count % n === 0 ? { kind: 'rejected', rejection: badRequest } : faithful
    }
  },
})

/** Serves operations under another path only. */
const movedAway = (where: Where): Bend =>
  takesCaller((faithful, _request, exchange) =>
    concerns(where, exchange.operation) ? { reason: 'http.unknown-route' } : faithful,
  )

const notServed = { alsoViolates: ['http.operation-served'] } as const
const noDocument = { alsoViolates: ['http.operation-served'] } as const

export const http = {
  'http.operation-served': [
    deviation(
      'http.completion-of-one-message',
      'Refuses completions with more than one message.',
      refuses('createChatCompletion', (input) => messagesIn(input).length > 1, badMessages),
      {
        trigger: 'a completion with several messages',
        alsoViolates: ['streams.same-acceptance'],
      },
    ),
    deviation(
      'http.completion-without-system',
      'Refuses completions with a system message.',
      refuses('createChatCompletion', (input) => messagesIn(input).some(({ role }) => role === 'system'), badMessages),
      {
        trigger: 'a system message',
        alsoViolates: ['streams.same-acceptance'],
      },
    ),
    deviation(
      'http.stream-without-history',
      'Refuses streamed completions with a message of the assistant.',
      refuses(
        'streamChatCompletion',
        (input) => messagesIn(input).some(({ role }) => role === 'assistant'),
        badMessages,
      ),
      {
        trigger: 'a message of the assistant in the body',
        alsoViolates: ['streams.same-acceptance'],
      },
    ),
    deviation(
      'http.events-without-astral',
      'Refuses events for text beyond the BMP.',
      refuses(
        'streamChatCompletionEvents',
        (input) => messagesIn(input).some(({ content }) => hasAstral(String(content))),
        badMessages,
      ),
      { trigger: 'a message beyond the BMP' },
    ),
    deviation(
      'http.run-lock-stays',
      'Locks a thread for its run and never unlocks it.',
      invents(
        'threads.run.needs-user-message',
        ({ command, thread }) =>
          command.operation === 'runThread' && (thread?.answers ?? 0) > 0 && thread?.lastRole === 'user',
      ),
      {
        trigger: 'the second run of a thread',
        alsoViolates: ['threads.run-reads-whole-thread', 'streams.same-acceptance'],
      },
    ),
    deviation(
      'http.streamed-run-without-system',
      'Refuses streamed runs of threads that start with a system message.',
      invents('threads.run.stream-end', ({ command, thread }) => {
        if (command.operation !== 'streamThreadRun') return false
        return Buffer.from(thread?.log.first() ?? []).includes('"role":"system"')
      }),
      { trigger: 'a thread with a system message', alsoViolates: ['streams.same-acceptance'] },
    ),
    deviation(
      'http.cursor-without-limit-only',
      'Refuses a list with both cursor and limit.',
      refuses('listMessages', ({ query }) => query?.has('cursor') === true && query.has('limit'), badRequest),
      {
        trigger: 'a cursor with a limit',
        alsoViolates: ['pagination.cursor-continues'],
      },
    ),
    deviation(
      'http.message-of-one-line',
      'Refuses content with a line feed.',
      refuses('createMessage', (input) => contentIn(input).includes('\n'), badContent),
      { trigger: 'content with a line feed' },
    ),
    deviation(
      'http.message-without-astral',
      'Refuses content beyond the BMP.',
      refuses('createMessage', (input) => hasAstral(contentIn(input)), badContent),
      { trigger: 'content beyond the BMP' },
    ),
    deviation(
      'http.message-that-looks-like-sql',
      'Refuses content that a firewall takes for an injection.',
      refuses('createMessage', (input) => /select\b.*\bfrom|<script|--/i.test(contentIn(input)), badContent),
      { trigger: 'content with markup or SQL' },
    ),
    deviation(
      'http.every-third-list-refused',
      'Refuses every third list of assistants.',
      everyNth('listAssistants', 3),
      { trigger: 'every third request' },
    ),
    deviation(
      'http.assistant-route-of-digits',
      'Routes only ids of assistants that start with a digit.',
      refuses('getAssistant', ({ pathId }) => !/^\d/.test(pathId), { reason: 'assistants.unknown' }),
      {
        trigger: 'an id that starts with a letter',
        alsoViolates: ['assistants.listed-can-be-read'],
      },
    ),
    deviation(
      'http.assistant-with-status-500',
      'Reads an assistant with status 500.',
      head('getAssistant', (sent) => ({ ...sent, status: 500 })),
      { alsoViolates: ['assistants.listed-can-be-read'] },
    ),
    deviation(
      'http.filename-without-blanks',
      'Refuses filenames with a blank.',
      refuses('createUploadGrant', ({ query }) => query?.get('filename')?.includes(' ') === true, badRequest),
      { trigger: 'a filename with a blank' },
    ),
    deviation(
      'http.filename-ascii-only',
      'Refuses filenames beyond ASCII.',
      refuses('createUploadGrant', ({ query }) => hasNonAscii(query?.get('filename') ?? ''), badRequest),
      { trigger: 'a filename beyond ASCII' },
    ),
    deviation(
      'http.my-keys-every-third-refused',
      'Refuses every third look at the own keys.',
      everyNth('listMyApiKeys', 3),
      { trigger: 'every third request' },
    ),
  ],
  'http.versioned-path': [
    deviation(
      'http.completions-moved',
      'Serves completions below /v2 only.',
      movedAway(['createChatCompletion', 'streamChatCompletion', 'streamChatCompletionEvents']),
      notServed,
    ),
    deviation(
      'http.events-stream-moved',
      'Serves events below /beta only.',
      movedAway('streamChatCompletionEvents'),
      notServed,
    ),
    deviation(
      'http.runs-unversioned',
      'Serves runs without the version in the path.',
      movedAway(['runThread', 'streamThreadRun']),
      notServed,
    ),
    deviation(
      'http.messages-unversioned',
      'Serves messages without the version in the path.',
      movedAway(['listMessages', 'createMessage']),
      notServed,
    ),
    deviation(
      'http.assistants-unversioned',
      'Serves assistants without the version in the path.',
      movedAway(['listAssistants', 'getAssistant']),
      notServed,
    ),
    deviation(
      'http.files-unversioned',
      'Serves grants without the version in the path.',
      movedAway('createUploadGrant'),
      notServed,
    ),
    deviation(
      'http.tenants-unversioned',
      'Serves the own keys without the version in the path.',
      movedAway('listMyApiKeys'),
      notServed,
    ),
  ],
  'http.json-response': [
    deviation(
      'http.nan-in-body',
      'Writes a number that is none into the body of a completion.',
      text('createChatCompletion', (json) =>
        json.replace('"meta_data":{', '"meta_data":{"score":NaN,').replace('NaN,}', 'NaN}'),
      ),
      {
        alsoViolates: [...noDocument.alsoViolates, 'completions.one-whole-answer', 'completions.carries-thread-id'],
      },
    ),
    deviation(
      'http.undefined-in-body',
      'Writes undefined into the body of a run.',
      text('runThread', (json) => json.replace(/\}$/, ',"tool_calls":undefined}')),
      {
        alsoViolates: [...noDocument.alsoViolates, 'streams.whole-form-does-not-stream'],
      },
    ),
    deviation(
      'http.printed-instead-of-encoded',
      'Prints the tenant record in the notation of the program.',
      text('listMyApiKeys', (json) => json.replaceAll('"', "'")),
      noDocument,
    ),
    deviation(
      'http.latin-1-body',
      'Encodes lists of messages as Latin-1.',
      text('listMessages', (json) => (hasNonAscii(json) ? Buffer.from(json, 'latin1') : json)),
      { trigger: 'content beyond ASCII', ...noDocument },
    ),
    deviation(
      'http.trailing-comma',
      'Joins messages by hand and leaves a comma behind the last one of several.',
      text('listMessages', (json) => json.replace(/\},\{(.*)\}\]\}$/s, '},{$1},]}')),
      { trigger: 'a page of several messages', ...noDocument },
    ),
    deviation(
      'http.length-in-characters',
      'Counts characters for the length of a created message and cuts its bytes there.',
      text('createMessage', (json) => Buffer.from(json).subarray(0, json.length)),
      { trigger: 'content beyond ASCII', ...noDocument },
    ),
    deviation(
      'http.raw-line-feed',
      'Writes line feeds inside of content unescaped.',
      text('createMessage', (json) => json.replaceAll('\\n', '\n')),
      { trigger: 'content with a line feed', ...noDocument },
    ),
    deviation(
      'http.grant-sent-twice',
      'Sends the body of a grant twice.',
      text('createUploadGrant', (json) => `${json}${json}`),
      noDocument,
    ),
    deviation(
      'http.guard-prefix',
      'Puts a guard against script inclusion before the list of assistants.',
      text('listAssistants', (json) => `)]}',\n${json}`),
      noDocument,
    ),
    deviation(
      'http.log-line-in-body',
      'Writes a line of its log behind the record of an assistant.',
      text('getAssistant', (json) => `${json}\nINFO served in 3 ms`),
      noDocument,
    ),
    deviation(
      'http.body-cut-at-64-kib',
      'Cuts lists at 65,536 bytes.',
      text('listMessages', (json) => Buffer.from(json).subarray(0, 65_536)),
      { trigger: 'a page above 65,536 bytes', ...noDocument },
    ),
  ],
  'http.json-request': [
    deviation(
      'http.keys-read-by-place',
      'Reads the fields of a message in the order of the first one.',
      readsByPlace(),
      {
        trigger: 'fields in another order than in the first message',
        alsoViolates: ['threads.create-echoes', ...notServed.alsoViolates],
      },
    ),
    deviation(
      'http.first-line-of-body',
      'Reads the first line of a body.',
      refuses('createMessage', (input) => textIn(input).trim().includes('\n'), {
        reason: 'body.not-json',
        faults: [{ loc: ['body'], message: 'is not a JSON document', type: 'json_invalid' }],
      }),
      {
        trigger: 'a body over several lines',
        ...notServed,
      },
    ),
    deviation(
      'http.blank-behind-colon',
      'Does not read a body with a blank before a colon.',
      refuses('createMessage', (input) => /"\s+:/.test(textIn(input)), badRequest),
      { trigger: 'a body with blanks between its tokens', ...notServed },
    ),
    deviation(
      'http.escapes-kept',
      'Keeps escape sequences of content as they were written.',
      misreads('createMessage', rawEscapes),
      { trigger: 'content with \\u escapes', alsoViolates: ['threads.create-echoes'] },
    ),
    deviation(
      'http.escaped-pairs-broken',
      'Reads the two escapes of a surrogate pair one by one.',
      misreads('createMessage', brokenPairs),
      { trigger: 'an escaped character beyond the BMP', alsoViolates: ['threads.create-echoes'] },
    ),
    deviation('http.escaped-slash-kept', 'Keeps the backslash of an escaped slash.', keepsSlashes(), {
      trigger: 'content with an escaped slash',
      alsoViolates: ['threads.create-echoes'],
    }),
  ],
} as const satisfies DeviationTable<'http'>

function textIn({ bodyBytes }: RequestInput): string {
  return bodyBytes === null ? '' : Buffer.from(bodyBytes).toString()
}

/** A reader that was generated for the field order of the first message. */
function readsByPlace(): Bend {
  const fields: readonly string[] = ['content', 'role']
  return {
    seam: 'validate',
    wrap: (next) => {
      let order: readonly string[] | null = null
      return (input: RequestInput, exchange: Exchange) => {
        const { body } = input
        if (input.operation !== 'createMessage' || !isObject(body as Json)) return next(input, exchange)
        const keys = Object.keys(body as JsonObject)
        if (keys.length !== 2 || !keys.every((key) => fields.includes(key))) return next(input, exchange)
        order ??= keys
        const values = Object.values(body as JsonObject)
        return next({ ...input, body: Object.fromEntries(order.map((key, index) => [key, values[index]])) }, exchange)
      }
    },
  }
}

function withContent(input: RequestInput, content: string): RequestInput {
  return isObject(input.body as Json) && contentIn(input) !== ''
    ? { ...input, body: { ...(input.body as JsonObject), content } }
    : input
}

function rawEscapes(input: RequestInput): RequestInput {
  const raw = /"content"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(textIn(input))?.[1]
  return raw?.includes('\\u') === true ? withContent(input, raw) : input
}

function brokenPairs(input: RequestInput): RequestInput {
  const broken = /\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/i.test(textIn(input))
  return broken ? withContent(input, contentIn(input).replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd\ufffd')) : input
}

function keepsSlashes(): Bend {
  return misreads('createMessage', (input) =>
    textIn(input).includes('\\/') ? withContent(input, contentIn(input).replaceAll('/', '\\/')) : input,
  )
}
