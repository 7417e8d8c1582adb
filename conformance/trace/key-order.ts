/**
 * The one order of keys in a trace file. Records are created in many places, which the file must not show.
 */
import type { TraceRecord } from './exchange.ts'

type Keys = readonly string[]

const keysOfKind = {
  header: [
    'kind',
    'format',
    'suiteVersion',
    'contractDigest',
    'profileDigest',
    'profile',
    'seed',
    'startedAt',
    'target',
    'source',
    'exclusive',
    'plan',
    'resumed',
  ],
  exchange: [
    'kind',
    'id',
    'credential',
    'sentAtMs',
    'endedAtMs',
    'request',
    'response',
    'ending',
    'failure',
    'intent',
    'loopLagMs',
  ],
  note: ['kind', 'probe', 'requirements', 'operation', 'reason', 'text'],
  footer: ['kind', 'exchanges', 'modelCalls', 'durationMs', 'complete', 'reason'],
} as const satisfies Readonly<Record<TraceRecord['kind'], Keys>>

const keysOfPart: Readonly<Record<string, Keys>> = {
  plan: ['tier', 'maxExchanges', 'maxModelCalls', 'shard'],
  request: ['method', 'url', 'line', 'headers', 'body'],
  response: ['status', 'headers', 'headAtMs', 'pieces'],
  pieces: ['atMs', 'bytes'],
  intent: ['probe', 'operation', 'purpose', 'expects', 'for'],
}

const ordered = (value: unknown, keys: Keys): unknown => {
  if (Array.isArray(value)) return value.map((item) => ordered(item, keys))
  if (typeof value !== 'object' || value === null) return value
  const rest = Object.keys(value).filter((key) => !keys.includes(key))
  const pairs = [...keys, ...rest].flatMap((key): [string, unknown][] => {
    const inner: unknown = Reflect.get(value, key)
    const innerKeys = keysOfPart[key]
    return inner === undefined ? [] : [[key, innerKeys === undefined ? inner : ordered(inner, innerKeys)]]
  })
  return Object.fromEntries(pairs)
}

/** The same record with its keys in the order of the format; keys that the format does not know follow in their own order. */
export const inOrder = (record: TraceRecord): unknown => ordered(record, keysOfKind[record.kind])
