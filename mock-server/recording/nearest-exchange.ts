/** Finds the recorded exchange that is nearest to an unrecorded request, and their differences. */
import { isObject } from '../overrides/json-edit.ts'
import type { Json } from '../scenario/scenario.ts'
import type { RecordedExchange } from './recorded-exchange.ts'

type Asked = Pick<RecordedExchange, 'operation' | 'path' | 'query' | 'body' | 'json'>

/** A line for people. */
export function nearestExchange(asked: Asked, recorded: readonly RecordedExchange[]): string {
  const alike = recorded.filter(({ operation }) => operation === asked.operation)
  const there = alike.filter(({ path }) => path === asked.path)
  const [nearest] = (there.length > 0 ? there : alike)
    .map((one) => ({ one, differs: difference(asked, one) }))
    .sort((left, right) => right.differs.length - left.differs.length)
  if (nearest === undefined) return `not recorded; no ${asked.operation} was`
  const { one, differs } = nearest
  return `not recorded; nearest is ${one.id} ${one.method} ${one.path}: ${differs}`
}

function difference(asked: Asked, one: RecordedExchange): string {
  if (one.path !== asked.path) return 'another id in the path'
  if (one.query !== asked.query) return `the query is ${one.query === '' ? 'empty' : one.query} there`
  if (one.body === asked.body) return 'it was played already'
  return `the body differs at ${firstDifference(asked.json, one.json) || '/'}`
}

/** Pointer to the first place where two values differ. */
function firstDifference(left: Json | undefined, right: Json | undefined): string {
  const [one, other] = [fieldsOf(left), fieldsOf(right)]
  if (one === null || other === null) return ''
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    if (JSON.stringify(one[name]) !== JSON.stringify(other[name]))
      return `/${name}${firstDifference(one[name], other[name])}`
  }
  return ''
}

function fieldsOf(value: Json | undefined): Readonly<Record<string, Json>> | null {
  if (Array.isArray(value)) return Object.fromEntries(value.map((item: Json, index) => [String(index), item]))
  return isObject(value) ? value : null
}
