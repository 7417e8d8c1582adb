/** Deviations of chapter http: bodies that are not one JSON document, or are not read as one. */

import type { HookOverride } from '../../exchange/hooks.ts'
import type { InFlightRequest } from '../../exchange/in-flight-request.ts'
import type { RequestInput } from '../../exchange/request-input.ts'
import { isObject } from '../../overrides/json-edit.ts'
import { overrideText } from '../../overrides/replies.ts'
import { contentIn, misparseRequests, rejectRequests } from '../../overrides/rules.ts'
import { hasNonAscii } from '../../overrides/text-corruption.ts'
import type { Rejection } from '../../reasons/reasons.ts'
import type { Json, JsonObject } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const badRequest: Rejection = { reason: 'malformed-http' }

export const httpBodies = {
  'http.json-response': [
    deviation(
      'http.nan-in-body',
      'Writes NaN into the body of a completion.',
      overrideText('createChatCompletion', (json) =>
        json.replace('"meta_data":{', '"meta_data":{"score":NaN,').replace('NaN,}', 'NaN}'),
      ),
    ),
    deviation(
      'http.undefined-in-body',
      'Writes undefined into the body of a run.',
      overrideText('runThread', (json) => json.replace(/\}$/, ',"tool_calls":undefined}')),
    ),
    deviation(
      'http.printed-instead-of-encoded',
      'Prints the tenant record in the notation of the program.',
      overrideText('listMyApiKeys', (json) => json.replaceAll('"', "'")),
    ),
    deviation(
      'http.latin-1-body',
      'Encodes lists of messages as Latin-1.',
      overrideText('listMessages', (json) => (hasNonAscii(json) ? Buffer.from(json, 'latin1') : json)),
      { trigger: 'content beyond ASCII' },
    ),
    deviation(
      'http.trailing-comma',
      'Joins messages by hand and leaves a comma after the last one of several.',
      overrideText('listMessages', (json) => json.replace(/\},\{(.*)\}\]\}$/s, '},{$1},]}')),
      { trigger: 'a page of several messages' },
    ),
    deviation(
      'http.length-in-characters',
      'Counts characters for the length of a created message and cuts its bytes there.',
      overrideText('createMessage', (json) => Buffer.from(json).subarray(0, json.length)),
      { trigger: 'content beyond ASCII' },
    ),
    deviation(
      'http.raw-line-feed',
      'Writes line feeds inside of content unescaped.',
      overrideText('createMessage', (json) => json.replaceAll('\\n', '\n')),
      { trigger: 'content with a line feed' },
    ),
    deviation(
      'http.grant-sent-twice',
      'Sends the body of a grant twice.',
      overrideText('createUploadGrant', (json) => `${json}${json}`),
    ),
    deviation(
      'http.guard-prefix',
      'Puts a guard against script inclusion before the list of assistants.',
      overrideText('listAssistants', (json) => `)]}',\n${json}`),
    ),
    deviation(
      'http.log-line-in-body',
      'Writes a line of its log after the record of an assistant.',
      overrideText('getAssistant', (json) => `${json}\nINFO served in 3 ms`),
    ),
    deviation(
      'http.body-cut-at-64-kib',
      'Cuts lists at 65,536 bytes.',
      overrideText('listMessages', (json) => Buffer.from(json).subarray(0, 65_536)),
      { trigger: 'a page above 65,536 bytes' },
    ),
  ],
  'http.json-request': [
    deviation(
      'http.keys-read-by-place',
      'Reads the fields of a message in the order of the first one.',
      readsByPlace(),
      { trigger: 'fields in another order than in the first message' },
    ),
    deviation(
      'http.first-line-of-body',
      'Reads the first line of a body.',
      rejectRequests('createMessage', (input) => textIn(input).trim().includes('\n'), {
        reason: 'body-not-json',
        faults: [{ loc: ['body'], message: 'is not a JSON document', type: 'json_invalid' }],
      }),
      { trigger: 'a body over several lines' },
    ),
    deviation(
      'http.blank-behind-colon',
      'Does not read a body with a blank before a colon.',
      rejectRequests('createMessage', (input) => /"\s+:/.test(textIn(input).replace(strings, '""')), badRequest),
      { trigger: 'a body with blanks between its tokens' },
    ),
    deviation(
      'http.escapes-kept',
      'Keeps escape sequences of content as they were written.',
      misparseRequests('createMessage', rawEscapes),
      { trigger: 'content with \\u escapes' },
    ),
    deviation(
      'http.escaped-pairs-broken',
      'Reads the two escapes of a surrogate pair one by one.',
      misparseRequests('createMessage', brokenPairs),
      { trigger: 'an escaped character beyond the BMP' },
    ),
    deviation(
      'http.capital-escapes-misread',
      'Misreads the digits A to F of an escape when they are capitals.',
      misparseRequests('createMessage', capitalsMisread),
      { trigger: 'content with \\u escapes in capitals' },
    ),
    deviation('http.escaped-slash-kept', 'Keeps the backslash of an escaped slash.', keepsSlashes(), {
      trigger: 'content with an escaped slash',
    }),
  ],
} as const satisfies Partial<DeviationTable<'http'>>

/** The contents of strings are not part of the formatting of the body. */
const strings = /"(?:[^"\\]|\\.)*"/g

function textIn({ bodyBytes }: RequestInput): string {
  return bodyBytes === null ? '' : Buffer.from(bodyBytes).toString()
}

/** A reader that was generated for the field order of the first message. */
function readsByPlace(): HookOverride {
  const fields: readonly string[] = ['content', 'role']
  return {
    hook: 'validate',
    wrap: (next) => {
      let order: readonly string[] | null = null
      return (input: RequestInput, exchange: InFlightRequest) => {
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

/** The content as it is written in the body. */
const writtenContent = (input: RequestInput): string | undefined =>
  /"content"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(textIn(input))?.[1]

function capitalsMisread(input: RequestInput): RequestInput {
  const raw = writtenContent(input) ?? ''
  const misread = raw.replace(/\\u[0-9a-fA-F]{4}/g, (unit) => (/[A-F]/.test(unit) ? '?' : unit))
  return misread === raw ? input : withContent(input, JSON.parse(`"${misread}"`))
}

function rawEscapes(input: RequestInput): RequestInput {
  const raw = writtenContent(input)
  return raw?.includes('\\u') === true ? withContent(input, raw) : input
}

function brokenPairs(input: RequestInput): RequestInput {
  const broken = /\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/i.test(textIn(input))
  return broken ? withContent(input, contentIn(input).replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd\ufffd')) : input
}

function keepsSlashes(): HookOverride {
  return misparseRequests('createMessage', (input) =>
    textIn(input).includes('\\/') ? withContent(input, contentIn(input).replaceAll('/', '\\/')) : input,
  )
}
