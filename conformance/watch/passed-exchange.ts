/**
 * Carries exchanges of the proxy to the recording thread, and turns them into evidence there. Evidence costs about as much
 * processor time as proxying, so the proxy's thread does not create it.
 */

import { undoContentCoding } from '../client/content-coding.ts'
import { evidenceOf, type RawRequest } from '../client/record-exchange.ts'
import type { WireOutcome } from '../client/recording.ts'
import type { Pseudonyms } from '../pseudonyms/pseudonyms.ts'
import type { Exchange } from '../trace/exchange.ts'

/** One exchange as it passed, before decoding and redaction. */
export interface PassedExchange {
  readonly id: string
  /** The tenant of its key, when the profile knows it. */
  readonly credential: string | null
  readonly request: RawRequest
  readonly outcome: WireOutcome
}

/** Largest body that is recorded, bytes. */
export const mostBodyBytes = 33_554_432

/** The exchange for the judge. */
export const evidenceOfPassed = async (
  { id, credential, request, outcome }: PassedExchange,
  { pseudonyms, maxBodyBytes = mostBodyBytes }: { readonly pseudonyms: Pseudonyms; readonly maxBodyBytes?: number },
): Promise<Exchange> =>
  evidenceOf(request, await undoContentCoding(outcome, maxBodyBytes), { id, credential, intent: null, pseudonyms })

/** An exchange for another thread: all bodies in one buffer, which is moved and not copied, and the rest as JSON. */
export interface PackedExchange {
  readonly json: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A body is told by its length; the bodies stand one behind the other. */
interface Packed extends Omit<PassedExchange, 'request' | 'outcome'> {
  readonly request: Omit<RawRequest, 'body'> & { readonly body: number | null }
  readonly outcome: Omit<WireOutcome, 'response'> & { readonly response: PackedResponse | null }
}

interface PackedResponse extends Omit<NonNullable<WireOutcome['response']>, 'pieces'> {
  readonly pieces: readonly (readonly [atMs: number, length: number])[]
}

/** Packs an exchange; its bodies are copied once. `Buffer.concat` may return a part of a pool, which cannot be moved. */
export const packPassed = ({ request, outcome, ...rest }: PassedExchange): PackedExchange => {
  const { response } = outcome
  const bodies = [
    ...(request.body === null ? [] : [request.body]),
    ...(response?.pieces ?? []).map(({ bytes }) => bytes),
  ]
  const bytes = new Uint8Array(bodies.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const body of bodies) {
    bytes.set(body, at)
    at += body.byteLength
  }
  const packed: Packed = {
    ...rest,
    request: { ...request, body: request.body?.byteLength ?? null },
    outcome: {
      ...outcome,
      response:
        response === null
          ? null
          : { ...response, pieces: response.pieces.map(({ atMs, bytes: piece }) => [atMs, piece.byteLength]) },
    },
  }
  return { json: JSON.stringify(packed), bytes }
}

/** The exchange that was packed. */
export const unpackPassed = ({ json, bytes }: PackedExchange): PassedExchange => {
  const { request, outcome, ...rest } = JSON.parse(json) as Packed
  const { response } = outcome
  let at = 0
  const next = (length: number): Uint8Array => {
    at += length
    return bytes.subarray(at - length, at)
  }
  return {
    ...rest,
    request: { ...request, body: request.body === null ? null : next(request.body) },
    outcome: {
      ...outcome,
      response:
        response === null
          ? null
          : { ...response, pieces: response.pieces.map(([atMs, length]) => ({ atMs, bytes: next(length) })) },
    },
  }
}
