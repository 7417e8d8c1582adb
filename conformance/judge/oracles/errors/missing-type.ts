/**
 * Whether the type of a field error tells of a missing field. The contract fixes no vocabulary, so a word counts against a
 * server only when it is empty, is known to name another fault, or is the server's own word for a malformed value there.
 */
import { bothCompletions } from '../../../../spec/index.ts'
import { type FaultRule, soleFault } from '../../classify/request-fault.ts'
import { fieldErrors } from '../../read/field-errors.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'

/** What the words of a type for a missing `assistant_id` are. */
type MissingType = 'missing' | 'other' | 'unsure'

/** Judges the type that a server gave for a missing `assistant_id`. */
export function missingType(type: string | null, analysis: TraceAnalysis): MissingType {
  if (type === null || type.trim() === '') return 'other'
  if (saysMissing.test(type)) return 'missing'
  if (otherFaults.test(type)) return 'other'
  const malformed = malformedTypes(analysis)
  if (malformed.includes(type)) return 'other'
  return malformed.length > 0 ? 'missing' : 'unsure'
}

const saysMissing =
  /missing|requir|absent|omitted|undefined|not.?(?:present|provided|given|supplied|found|null|blank|empty|defined)/i

/** Words of well-known validators that name a fault of a value which is there. */
const otherFaults =
  /^(?:type_error|value_error|assertion_error|enum|format|pattern|extra_forbidden|json_invalid|literal_error)(?:\..*)?$|^(?:string|uuid|int|float|bool|list|dict|model|date|datetime)_(?:type|parsing|version|too_short|too_long|pattern_mismatch)$|^(?:string_pattern_mismatch|too_(?:short|long)|(?:greater|less)_than(?:_equal)?)$/i

const malformedRules: ReadonlySet<FaultRule> = new Set(['assistant_id-not-uuid', 'assistant_id-wrong-type'])

/** The types that the server gives for a value of `assistant_id` that is there and malformed. */
function malformedTypes(analysis: TraceAnalysis): readonly string[] {
  return bothCompletions.flatMap((operation) =>
    analysis.of(operation).flatMap((parsed) => {
      const fault = soleFault(analysis.requestOf(parsed))
      if (fault === null || !malformedRules.has(fault.rule)) return []
      return fieldErrors(parsed).flatMap(({ loc, type }) =>
        loc.includes('assistant_id') && type !== null ? [type] : [],
      )
    }),
  )
}
