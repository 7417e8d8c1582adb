/**
 * Lists the deviations that break one obligation and no other obligation of the same requirement.
 * Rows are data: a deviation and the places to which it is narrowed, an operation or `<operation>.<field>`.
 */
import type { OperationId } from '../../../spec/index.ts'
import type { Deviation } from '../../exchange/hooks.ts'
import { deviationOf } from '../deviations.ts'
import { narrow } from './narrow.ts'
import { places } from './places.ts'
import { singleFields } from './single-fields.ts'
import { singleRules } from './single-rules.ts'

/** Every deviation for a single obligation, in the order of the rows. Throws when a row names no deviation. */
export const narrowedDeviations: readonly Deviation[] = [
  ...Object.entries(places).flatMap(([id, list]) => {
    const deviation = deviationOf(id)
    if (deviation === undefined) throw new Error(`there is no deviation ${id} to narrow`)
    return list.split(' ').map((place) => narrowedTo(deviation, place))
  }),
  ...singleFields,
  ...singleRules,
]

function narrowedTo(deviation: Deviation, place: string): Deviation {
  const [operation = '', ...field] = place.split('.')
  const id = operation as OperationId
  return narrow(deviation, field.length === 0 ? { operation: id } : { operation: id, field: field.join('.') })
}
