/**
 * Builds deviations for one obligation each, where no deviation of the tables can be narrowed.
 * Rows name the requirement, the operation, the facet and the change.
 */
import type { OperationId, RequirementId } from '../../../spec/index.ts'
import type { Deviation, HookOverride } from '../../exchange/hooks.ts'

/** A deviation for one obligation; `facet` is null for the operation as a whole. */
export function singlePlace(
  requirement: RequirementId,
  operation: OperationId,
  facet: string | null,
  description: string,
  override: HookOverride,
): Deviation {
  const place = facet === null ? operation : `${operation}.${facet}`
  return { id: `${requirement}@${place}`, requirement, description, ...override }
}
