/**
 * From raw bytes to a JSON value, safely: encoding, depth and number of values are checked before anything is parsed,
 * so that no validator or serialiser later recurses or grows without bound.
 */
import { isUtf8 } from 'node:buffer'
import type { FieldFault, Rejection } from '../machine/rejection.ts'

/** What the mock takes in one body. */
export const jsonLimits = { depth: 64, values: 50_000 } as const

export type ParsedBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

/** Parses a body; broken JSON and excess are validation errors at `["body"]`. */
export function parseJsonBody(bytes: Uint8Array): ParsedBody {
  if (!isUtf8(bytes)) return notJson('is not valid UTF-8')
  if (isTooComplex(bytes)) {
    const message = `may be nested ${jsonLimits.depth} deep and hold ${jsonLimits.values} values`
    const fault: FieldFault = { loc: ['body'], message, type: 'too_complex' }
    return { kind: 'rejected', rejection: { reason: 'body.too-complex', faults: [fault] } }
  }
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
    return { kind: 'json', value }
  } catch {
    return notJson('is not a JSON document')
  }
}

function notJson(message: string): ParsedBody {
  const faults: readonly FieldFault[] = [{ loc: ['body'], message, type: 'json_invalid' }]
  return { kind: 'rejected', rejection: { reason: 'body.not-json', faults } }
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
