/**
 * Judges runs that name an assistant which the tenant cannot use.
 * Which field of a run names one is the profile's word, so a service that never reads the field is not blamed.
 */
import { isAccepted } from '../../read/parsed-exchange.ts'
import { hasSuccessShape } from '../../read/success-shape.ts'
import { answerName } from '../support/answer-name.ts'
import { isRefusedLikeOneOf, refusedValid } from '../support/confounders.ts'
import { othersCode as code, fieldIsRead, runsOfOthers } from '../support/named-assistants.ts'
import type { Oracle } from '../support/oracle.ts'

export const runAssistantRefused: Oracle = (analysis, observe) => {
  const refused = fieldIsRead(analysis)
  for (const { parsed, facet } of runsOfOthers(analysis)) {
    const { operation, id } = parsed
    if (operation === null) continue
    if (isAccepted(parsed) && hasSuccessShape(parsed) && refused !== undefined) {
      observe.contradicted(operation, facet, {
        exchanges: [refused.id, id],
        expected: code,
        actual: answerName(parsed),
        because: `${id} runs an assistant that the tenant cannot use (${facet}), and it was accepted; the refusal of ${refused.id} shows that runs read it.`,
      })
    } else if (parsed.answer.code === code && !isRefusedLikeOneOf(parsed, refusedValid(analysis, operation)))
      observe.held(operation, facet, id)
    else
      observe.ambiguous(operation, facet, id, `${answerName(parsed)} does not show that the assistant was looked up.`)
  }
}
