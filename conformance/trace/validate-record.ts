/**
 * Finds the reason why a JSON value is not a record of a trace. Every oracle relies on this shape, and it is checked
 * once on reading. The checks are written by hand, since a trace may hold a hundred thousand records and needs only a
 * few kinds of check.
 */

type Check = (value: unknown) => string | null
type Fields = Readonly<Record<string, Check>>

const is =
  (what: string, holds: (value: unknown) => boolean): Check =>
  (value) =>
    holds(value) ? null : `is not ${what}`

const text = is('a string', (value) => typeof value === 'string')
const number = is('a finite number', (value) => typeof value === 'number' && Number.isFinite(value))
const count = is('a count', (value) => Number.isInteger(value) && Number(value) >= 0)
const flag = is('true or false', (value) => typeof value === 'boolean')
const anything: Check = () => null

const oneOf = (...words: readonly string[]): Check =>
  is(`one of ${words.join(', ')}`, (value) => typeof value === 'string' && words.includes(value))
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? null : check(value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? null : check(value)

const join = (key: string, fault: string): string => (fault.startsWith('/') ? `/${key}${fault}` : `/${key} ${fault}`)

const object = (fields: Fields): Check => {
  const checks = Object.entries(fields)
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is not an object'
    for (const [key, check] of checks) {
      const fault = check(Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined)
      if (fault !== null) return join(key, fault)
    }
    return null
  }
}

const list =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return 'is not a list'
    // By index: a pair for each of a dozen header lines is made for nothing otherwise.
    for (let index = 0; index < value.length; index += 1) {
      const fault = check(value[index])
      if (fault !== null) return join(String(index), fault)
    }
    return null
  }

const isPair = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')
const isBytes = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (('utf8' in value && typeof value.utf8 === 'string') || ('base64' in value && typeof value.base64 === 'string'))

const headerLines = list(is('a pair of name and value', isPair))
const bytes = is('{ utf8 } or { base64 }', isBytes)

const header = object({
  format: oneOf('acs-trace/1'),
  suiteVersion: text,
  contractDigest: text,
  profileDigest: text,
  profile: anything,
  seed: number,
  startedAt: text,
  target: text,
  source: oneOf('suite', 'proxy', 'har'),
  exclusive: optional(list(text)),
})
const exchange = object({
  id: text,
  credential: orNull(text),
  sentAtMs: number,
  endedAtMs: number,
  request: object({
    method: text,
    url: text,
    line: optional(text),
    headers: headerLines,
    body: orNull(bytes),
    omittedBytes: optional(count),
  }),
  response: orNull(
    object({ status: number, headers: headerLines, headAtMs: number, pieces: list(object({ atMs: number, bytes })) }),
  ),
  ending: oneOf('complete', 'cut', 'timed-out', 'unreachable', 'aborted', 'capped'),
  failure: optional(text),
  intent: orNull(
    object({
      probe: text,
      operation: orNull(text),
      purpose: text,
      expects: oneOf('accepted', 'rejected', 'either'),
      for: optional(text),
    }),
  ),
  loopLagMs: optional(number),
})
const note = object({
  probe: text,
  requirements: list(text),
  operation: orNull(text),
  reason: oneOf('budget', 'no-fixture', 'blocked', 'not-claimed', 'refused-by-target', 'not-selected'),
  text,
})
const footer = object({
  exchanges: count,
  modelCalls: count,
  durationMs: number,
  complete: flag,
  reason: optional(text),
})
const checkOfKind: Readonly<Record<string, Check>> = { header, exchange, note, footer }

/** `null` for a record, otherwise one line with the JSON pointer of the problem. */
export const recordFault = (value: unknown): string | null => {
  const kind: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'kind') : undefined
  const check = typeof kind === 'string' && Object.hasOwn(checkOfKind, kind) ? checkOfKind[kind] : undefined
  if (check === undefined) return `/kind is not one of ${Object.keys(checkOfKind).join(', ')}`
  return check(value)
}
