/** Turns the bytes on the wire into an Exchange without secrets. Exchanges are created nowhere else. */

import type { Pseudonyms } from '../pseudonyms/pseudonyms.ts'
import { bytesFrom } from '../trace/bytes.ts'
import type { Exchange, HeaderLines, Intent, RecordedRequest, RecordedResponse } from '../trace/exchange.ts'
import type { RawResponse, WireOutcome } from './recording.ts'

/** A request as it went out, before redaction. */
export interface RawRequest {
  readonly method: string
  readonly url: string
  readonly headers: HeaderLines
  readonly body: Uint8Array | null
  /** Set only when it does not consist of method, target and HTTP/1.1. */
  readonly line?: string
  /** How many bytes of the body were not kept. */
  readonly omittedBytes?: number
}

interface EvidenceOptions {
  readonly id: string
  readonly credential: string | null
  readonly intent: Intent | null
  readonly pseudonyms: Pseudonyms
  readonly loopLagMs?: number
}

/** Microseconds exceed the precision of every clock used here. */
const round = (ms: number): number => Math.round(ms * 1000) / 1000

const requestEvidence = (request: RawRequest, pseudonyms: Pseudonyms): RecordedRequest => {
  const headers = pseudonyms.headers(request.headers)
  const [body] = request.body === null ? [] : pseudonyms.pieces([request.body])
  return {
    method: request.method,
    url: pseudonyms.text(request.url),
    headers,
    body: body === undefined ? null : bytesFrom(body),
    ...(request.line === undefined ? {} : { line: pseudonyms.text(request.line) }),
    ...((request.omittedBytes ?? 0) === 0 ? {} : { omittedBytes: request.omittedBytes }),
  }
}

const responseEvidence = (response: RawResponse, pseudonyms: Pseudonyms): RecordedResponse => {
  const redacted = pseudonyms.pieces(response.pieces.map((piece) => piece.bytes))
  return {
    status: response.status,
    headers: pseudonyms.headers(response.headers),
    headAtMs: round(response.headAtMs),
    pieces: response.pieces.map(({ atMs }, index) => ({
      atMs: round(atMs),
      bytes: bytesFrom(redacted[index] ?? new Uint8Array()),
    })),
  }
}

/** The exchange as it appears in the trace, to the judge and everywhere else. */
export const evidenceOf = (request: RawRequest, outcome: WireOutcome, options: EvidenceOptions): Exchange => {
  const { id, credential, intent, pseudonyms, loopLagMs } = options
  return {
    kind: 'exchange',
    id,
    credential,
    sentAtMs: round(outcome.sentAtMs),
    endedAtMs: round(outcome.endedAtMs),
    request: requestEvidence(request, pseudonyms),
    response: outcome.response === null ? null : responseEvidence(outcome.response, pseudonyms),
    ending: outcome.ending,
    ...(outcome.failure === undefined ? {} : { failure: pseudonyms.text(outcome.failure) }),
    intent,
    ...(loopLagMs === undefined ? {} : { loopLagMs: round(loopLagMs) }),
  }
}
