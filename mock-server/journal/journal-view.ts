/** A journal entry as JSON for people and programs outside: bodies readable, keys redacted. */

import { timestampOf } from '../clock/timestamp.ts'
import type { RequestHeaders } from '../exchange/request.ts'
import { answerValue, jsonOf, shallow } from './body-value.ts'
import type { JournalEntry } from './journal-entry.ts'
import { redactLines } from './redact-lines.ts'
import type { HeaderLine, Redaction } from './redaction.ts'

/** Bytes on their way through JSON: text when it is valid UTF-8, base64 otherwise. */
type JsonBytes = { readonly utf8: string } | { readonly base64: string }

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Wraps bytes for JSON. */
export function jsonBytes(bytes: Uint8Array): JsonBytes {
  try {
    return { utf8: strictUtf8.decode(bytes) }
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') }
  }
}

/** Header lines without secrets, one line for each value. */
export function headerLines(headers: RequestHeaders, redaction: Redaction): readonly HeaderLine[] {
  return Object.entries(headers).flatMap(([name, value = []]) => {
    const values = typeof value === 'string' ? [value] : value
    return values.map((one): HeaderLine => [name, redaction.header(name, one)])
  })
}

/** The body that the client received; nothing for HEAD. */
export function bodyPieces(entry: JournalEntry, redaction: Redaction): readonly Uint8Array[] {
  return entry.method === 'HEAD' ? [] : redactLines(entry.responsePieces, redaction)
}

/** The request's body without secrets, `null` when there was none or it was not kept. */
export function requestBody({ body }: JournalEntry, redaction: Redaction): Uint8Array | null {
  return body.kind === 'bytes' ? redaction.bytes(body.bytes) : null
}

/** The entry as JSON; `json` beside bytes is their value, left out where they have none or one that is nested too deep. */
export function viewEntry(entry: JournalEntry, redaction: Redaction) {
  const { response, scenarioFault, mockFault, upload } = entry
  const body = requestBody(entry, redaction)
  const pieces = bodyPieces(entry, redaction)
  return {
    number: entry.number,
    world: entry.world,
    operation: entry.operation,
    tenant: entry.tenant,
    started_at: timestampOf(entry.startedAtUs),
    ended_at: timestampOf(entry.endedAtUs),
    request: {
      method: entry.method,
      target: redaction.text(entry.target),
      headers: headerLines(entry.headers, redaction),
      body: body === null ? null : jsonBytes(body),
      json: body === null ? undefined : shallow(jsonOf(Buffer.from(body).toString())),
    },
    response:
      response === null
        ? null
        : {
            status: response.status,
            headers: headerLines(response.headers, redaction),
            pieces: pieces.map(jsonBytes),
            json: shallow(answerValue(response, Buffer.concat(pieces).toString())),
          },
    reason: entry.reason,
    outcome: entry.outcome,
    answered_by: entry.answeredBy,
    chunk_times: entry.chunkTimesUs.map(timestampOf),
    faults: entry.injected,
    upload,
    scenario_fault: scenarioFault === null ? null : redaction.text(scenarioFault),
    mock_fault: mockFault === null ? null : String(mockFault),
  }
}
