/**
 * Finds faults that can never apply where a rule wants them.
 * Rules of the library and faults of a scenario ask the same question, each with its own place for the answer.
 */
import type { OperationId } from '../../spec/index.ts'
import { operationsOf } from './fault-catalogue.ts'
import type { Fault } from './fault-expression.ts'

export interface MisplacedFault {
  readonly problem: string
  readonly fix: string
}

/** The faults that never apply to the operation. */
export function misplacedFaults(
  faults: readonly Fault[],
  operation: OperationId | undefined,
): readonly MisplacedFault[] {
  if (operation === undefined) return []
  return faults.flatMap(({ name, numbers, text }): readonly MisplacedFault[] => {
    const possible = operationsOf(name, numbers)
    if (possible.includes(operation)) return []
    return [{ problem: `${text} never applies to ${operation}`, fix: `it applies to ${possible.join(', ')}` }]
  })
}
