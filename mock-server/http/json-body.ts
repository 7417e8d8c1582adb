/**
 * Parses a request body as JSON within limits.
 * Encoding, depth and number of values are checked first, so that no validator or serialiser recurses or grows without bound.
 */
import { isUtf8 } from 'node:buffer'
import type { EngineRequest } from '../exchange/request.ts'
import type { FieldFault } from '../reasons/reason.ts'
import type { Rejection } from '../reasons/reasons.ts'

/** The limits of one body. */
const jsonLimits = { depth: 64, values: 50_000 } as const

type ParsedBody =
  | { readonly kind: 'json'; readonly value: unknown; readonly bytes: Uint8Array | null }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

/** The JSON of a request, `undefined` when it has none. Only the bodies of POST requests are read. */
export function readBody({ method, body }: EngineRequest): ParsedBody {
  if (body.kind === 'too-large') {
    const message = `must have at most ${body.limitBytes} bytes`
    const faults: readonly FieldFault[] = [{ loc: ['body'], message, type: 'too_long' }]
    return { kind: 'rejected', rejection: { reason: 'body-too-large', faults } }
  }
  if (body.kind !== 'bytes' || body.bytes.length === 0 || method !== 'POST') return noBody
  return parseJsonBody(body.bytes)
}

const noBody: ParsedBody = { kind: 'json', value: undefined, bytes: null }

/** Broken JSON and excess are validation errors at `["body"]`. */
function parseJsonBody(bytes: Uint8Array): ParsedBody {
  if (!isUtf8(bytes)) return notJson('is not valid UTF-8')
  if (isTooComplex(bytes)) {
    const message = `must be nested at most ${jsonLimits.depth} deep and hold at most ${jsonLimits.values} values`
    const fault: FieldFault = { loc: ['body'], message, type: 'too_complex' }
    return { kind: 'rejected', rejection: { reason: 'body-too-complex', faults: [fault] } }
  }
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
    return { kind: 'json', value, bytes }
  } catch {
    return notJson('is not a JSON document')
  }
}

function notJson(message: string): ParsedBody {
  const faults: readonly FieldFault[] = [{ loc: ['body'], message, type: 'json_invalid' }]
  return { kind: 'rejected', rejection: { reason: 'body-not-json', faults } }
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a

function isTooComplex(bytes: Uint8Array): boolean {
  let depth = 0
  let values = 1
  let inText = false
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]
    if (inText) {
      if (byte === backslash) index += 1
      else if (byte === quote) inText = false
    } else if (byte === quote) inText = true
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1
      if (depth > jsonLimits.depth) return true
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1
    else if (byte === comma || byte === colon) {
      values += 1
      if (values > jsonLimits.values) return true
    }
  }
  return false
}
