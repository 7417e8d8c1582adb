/**
 * Judges whether timestamps are finer than seconds. A fraction of six zeros has the right form; where every stamp ends on
 * it, the clock that the service reads, or the column that it stores, has whole seconds.
 */
import { isTimestamp } from '../../read/formats.ts'
import { textField } from '../../read/json.ts'
import { documentOf, isAccepted } from '../../read/parsed-exchange.ts'
import type { Oracle } from '../support/oracle.ts'

const operation = 'createMessage'
const wholeSecond = '.000000Z'
/** A clock of milliseconds shows so many whole seconds in a row by chance once in 10^60 runs. */
const fewest = 20

/** Oracle of resources.timestamp-precision. */
export const timestampPrecision: Oracle = (analysis, observe) => {
  const stamped = analysis.of(operation).flatMap((parsed) => {
    const stamp = isAccepted(parsed) ? textField(documentOf(parsed), 'created_at') : undefined
    return isTimestamp(stamp) ? [{ id: parsed.id, stamp }] : []
  })
  const fine = stamped.filter(({ stamp }) => !stamp.endsWith(wholeSecond))
  for (const { id } of fine) observe.held(operation, null, id)
  const [first] = stamped
  // One stamp for all is a clock that stands still.
  const areMany = stamped.length >= fewest && new Set(stamped.map(({ stamp }) => stamp)).size > 1
  if (first === undefined || fine.length > 0 || !areMany) return
  observe.contradicted(operation, null, {
    exchanges: [first.id, ...stamped.slice(-2).map(({ id }) => id)],
    expected: 'a fraction of a second',
    actual: first.stamp,
    pointer: '/created_at',
    because: `Each of ${stamped.length} new messages is stamped with a whole second, so that the six digits say nothing.`,
    headline: 'new messages are stamped with whole seconds only',
  })
}
