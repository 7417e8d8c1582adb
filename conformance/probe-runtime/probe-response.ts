/**
 * Reads just enough of an exchange for a probe to continue: the new id, or a refusal. Judging happens later and elsewhere,
 * from the bytes; nothing here ever becomes a verdict.
 */

import { valuesAt } from '../judge/read/json.ts'
import { textOfPieces } from '../trace/bytes.ts'
import type { Exchange } from '../trace/exchange.ts'
import { jsonValue } from '../trace/json-depth.ts'

export interface Answer {
  readonly exchange: Exchange
  /** `none`: no whole response came back. */
  readonly outcome: 'accepted' | 'rejected' | 'none'
  readonly errorCode: string | null
  /** The body as one JSON document, or `undefined` when it is none that can be read. */
  readonly json: unknown
  /** The body's lines that are JSON documents, for streams. */
  readonly lines: readonly unknown[]
}

/** Reads the data from one exchange that a probe needs to continue. */
export function readAnswer(exchange: Exchange): Answer {
  const { response } = exchange
  if (response === null) return { exchange, outcome: 'none', errorCode: null, json: undefined, lines: [] }
  const text = textOfPieces(response.pieces)
  const json = jsonValue(text)
  const errorCode = stringAt(json, '/error_code') ?? null
  const refused = errorCode !== null || response.status >= 400
  const whole = exchange.ending === 'complete'
  return {
    exchange,
    outcome: refused ? 'rejected' : whole && response.status < 300 ? 'accepted' : 'none',
    errorCode,
    json,
    lines: /\n\s*\S/.test(text) ? text.split('\n').flatMap((line) => jsonValue(line) ?? []) : [json ?? []].flat(),
  }
}

/** The string that a JSON pointer names, or `undefined`. */
export function stringAt(value: unknown, pointer: string): string | undefined {
  return valuesAt(value, pointer).find((found): found is string => typeof found === 'string')
}
