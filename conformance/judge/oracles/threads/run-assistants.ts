/**
 * Judges runs that name an assistant which the tenant cannot use.
 * Which field of a run names one is the profile's word, so a service that never reads the field is not blamed.
 */
import { bothRuns } from '../../../../spec/index.ts'
import type { AmbiguityText } from '../../classify/ambiguity.ts'
import { runAssistant } from '../../classify/state-faults.ts'
import { isUuid } from '../../read/formats.ts'
import { isAccepted, isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { hasSuccessShape } from '../../read/success-shape.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from '../support/answer-name.ts'
import { isRefusedLikeOneOf, refusedValid } from '../support/confounders.ts'
import type { Oracle } from '../support/oracle.ts'

const code = 'assistant_not_available'

export const runAssistantRefused: Oracle = (analysis, observe) => {
  const runs = bothRuns.flatMap((operation) => analysis.of(operation))
  const asked = runs.flatMap((parsed) => {
    const facet = standingIn(analysis, parsed)
    return facet === null ? [] : [{ parsed, facet }]
  })
  // Shows that the service reads the field.
  const refused = asked.find(
    ({ parsed }) => isRefusal(parsed) && (parsed.answer.code === code || hasControl(runs, parsed)),
  )
  for (const { parsed, facet } of asked) {
    const { operation, id } = parsed
    if (operation === null) continue
    if (isAccepted(parsed) && hasSuccessShape(parsed) && refused !== undefined) {
      observe.contradicted(operation, facet, {
        exchanges: [refused.parsed.id, id],
        expected: code,
        actual: answerName(parsed),
        because: `${id} runs an assistant that the tenant cannot use (${facet}), and it was accepted; the refusal of ${refused.parsed.id} shows that runs read it.`,
      })
    } else if (parsed.answer.code === code && !isRefusedLikeOneOf(parsed, refusedValid(analysis, operation)))
      observe.held(operation, facet, id)
    else
      observe.ambiguous(operation, facet, id, `${answerName(parsed)} does not show that the assistant was looked up.`)
  }
}

/** What is open only because the assistant is no own one. */
const ownDoubts: readonly AmbiguityText[] = [
  'a run with an assistant that is not listed for the tenant',
  'a thread whose assistant may not stream',
]

/** Where the assistant stands that a run names; `null` unless nothing else may be wrong with the run. */
function standingIn(analysis: TraceAnalysis, parsed: ParsedExchange): 'foreign' | 'unknown' | null {
  const { faults, ambiguities } = analysis.requestOf(parsed)
  if (parsed.key !== 'sent' || faults.length > 0 || !ambiguities.every(({ about }) => ownDoubts.includes(about)))
    return null
  const id = runAssistant(parsed, null, analysis.profile)
  const standing = id === null || !isUuid(id) ? 'unsure' : analysis.book.standing(parsed.tenant, id)
  return standing === 'foreign' || standing === 'unknown' ? standing : null
}

/** Whether the same form of run was accepted in the same thread. */
const hasControl = (runs: readonly ParsedExchange[], { operation, params }: ParsedExchange): boolean =>
  runs.some(
    (other) => other.operation === operation && other.params.thread_id === params.thread_id && isAccepted(other),
  )
