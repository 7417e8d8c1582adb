/**
 * Evaluates the checks of a test on the recorded answers that show its fault. A test that passes on them proves nothing,
 * so it is not written. The checks mean the same in every language.
 */
import { isDeepStrictEqual } from 'node:util'
import { bodyBuffer } from '../body-text.ts'
import { type Check, type Finding, parsed, type ValueKind, type Values } from './finding.ts'

type Found = readonly unknown[]

/** Whether a check passes on the recorded answers. */
export function passesOnRecord(finding: Finding, check: Check): boolean {
  const found = foundIn(finding, check.values)
  if ('others' in check) return comparisons[check.check](found, foundIn(finding, check.others))
  if ('count' in check) return check.check === 'atMost' ? found.length <= check.count : found.length >= check.count
  if ('kind' in check) return (check.check === 'each' || found.length > 0) && found.every(matchers[check.kind])
  return properties[check.check](found)
}

const includes = (found: Found, value: unknown): boolean => found.some((one) => isDeepStrictEqual(one, value))

const comparisons = {
  equal: (found, others) => isDeepStrictEqual(found, others),
  contains: (found, others) => others.every((one) => includes(found, one)),
  lacks: (found, others) => !others.some((one) => includes(found, one)),
  inOrder: (found, others) =>
    isDeepStrictEqual(
      found.filter((one) => includes(others, one)),
      others,
    ),
} as const satisfies Readonly<Record<string, (found: Found, others: Found) => boolean>>

const properties = {
  distinct: (found) => new Set(found).size === found.length,
  same: (found) => new Set(found).size === 1,
  ascending: (found) => isDeepStrictEqual(found, [...found].sort()),
  descending: (found) => isDeepStrictEqual(found, [...found].sort().reverse()),
} as const satisfies Readonly<Record<string, (found: Found) => boolean>>

const like =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && pattern.test(value)

const matchers: Readonly<Record<ValueKind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  text: (value) => typeof value === 'string' && value !== '',
  array: (value) => Array.isArray(value),
  list: (value) => Array.isArray(value) && value.length > 0,
  strings: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value),
  positive: (value) => typeof value === 'number' && value > 0,
  uuid: like(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i),
  timestamp: like(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  unset: (value) => value === undefined || value === null,
  present: (value) => value !== undefined,
}

function foundIn(finding: Finding, values: Values): Found {
  switch (values.kind) {
    case 'json':
      return values.values
    case 'outcome':
      return values.of.map((exchange) => outcomeOf(finding, exchange))
    case 'joined':
      return [foundIn(finding, { ...values, kind: 'at' }).join('')]
    case 'at':
      return values.of.flatMap((exchange) => valuesAt(values.pointer, textOf(finding, exchange)))
    case 'field': {
      const ids = foundIn(finding, values.id)
      const objects = foundIn(finding, values.list).filter((one) => includes(ids, select(one, ['id'])[0]))
      return objects.flatMap((one) => select(one, [values.field]))
    }
  }
}

function outcomeOf(finding: Finding, exchange: string): string {
  const status = finding.exchanges.get(exchange)?.response?.status ?? 0
  const [code] = valuesAt('/error_code', textOf(finding, exchange))
  return typeof code === 'string' ? code : status >= 200 && status < 300 ? 'accepted' : `status ${status}`
}

function textOf({ exchanges }: Finding, exchange: string): string {
  const body = bodyBuffer(exchanges.get(exchange)?.response?.pieces ?? [])
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
}

/** As the helper function of the tests reads them: a value that is missing is `undefined`, and a list that is missing has none. */
function valuesAt(pointer: string, text: string): Found {
  const [, line = '', rest = pointer] = /^line (\S+) ?(.*)$/.exec(pointer) ?? []
  const keys = rest.split('/').slice(1)
  const lines = text.replace(/\r?\n$/, '').split('\n')
  const documents = line === '' ? [text] : line === '*' ? lines : [lines[Number(line) - 1] ?? '']
  return documents.flatMap((document) => select(document.includes('\ufffd') ? undefined : parsed(document), keys))
}

function select(value: unknown, [name, ...rest]: readonly string[]): Found {
  if (name === undefined) return [value]
  const fields = typeof value === 'object' && value !== null ? value : {}
  if (name === '*') return Object.values(fields).flatMap((inner) => select(inner, rest))
  const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
  if (Object.hasOwn(fields, key)) return select(Reflect.get(fields, key), rest)
  return rest.includes('*') ? [] : [undefined]
}
