/**
 * Judges runs that name an assistant which the tenant cannot use. Only the profile says which field of a run names one, so
 * a service that never reads the field violates nothing.
 */
import type { ObservationLog } from '../../observation-log.ts'
import { isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { hasSuccessShape } from '../../read/success-shape.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from '../support/answer-name.ts'
import { isRefusedLikeOneOf, refusedValid } from '../support/confounders.ts'
import {
  othersCode as code,
  fieldIsRead,
  hasControl,
  runsOfForeignThreads,
  runsOfOthers,
} from '../support/named-assistants.ts'
import type { Oracle } from '../support/oracle.ts'

export const runAssistantRefused: Oracle = (analysis, observe) => {
  judgeForeignThreads(analysis, observe)
  const refused = fieldIsRead(analysis)
  for (const { parsed, facet } of runsOfOthers(analysis)) {
    const { operation, id } = parsed
    if (operation === null) continue
    const isForeignAlone = facet === 'foreign' && parsed.answer.kind === 'rejected' && hasControl(analysis, parsed)
    const told = isForeignAlone ? toldInOtherForm(analysis, parsed) : undefined
    if (isAccepted(parsed) && hasSuccessShape(parsed) && refused !== undefined) {
      observe.contradicted(operation, facet, {
        exchanges: [refused.id, id],
        expected: code,
        actual: answerName(parsed),
        because: `${id} runs an assistant that the tenant cannot use (${facet}), and it was accepted; the refusal of ${refused.id} shows that runs read it.`,
        headline: `accepts a run of an assistant that the tenant cannot use (${facet})`,
      })
    } else if (isRefusedLikeOneOf(parsed, refusedValid(analysis, operation)))
      observe.ambiguous(operation, facet, id, `${answerName(parsed)} is what valid runs get as well.`)
    else if (parsed.answer.code === code) observe.held(operation, facet, id)
    else if (told !== undefined)
      observe.contradicted(operation, facet, {
        exchanges: [told.id, id],
        expected: code,
        actual: answerName(parsed),
        because: `${id} runs an assistant of another tenant, which ${told.id} names in the other form of a run and is told ${code}; a run of an own one in this thread was accepted.`,
        headline: `the two forms of a run treat an assistant of another tenant differently; the other one says ${code}`,
      })
    else if (isForeignAlone && parsed.answer.code === 'resource_not_found')
      observe.contradicted(operation, facet, {
        exchanges: [id],
        expected: code,
        actual: answerName(parsed),
        because: `${id} runs an assistant of another tenant and gets ${parsed.answer.code}; a run of an own one in this thread was accepted.`,
        headline: `answers ${parsed.answer.code} to a run of an assistant of another tenant`,
      })
    else
      observe.ambiguous(operation, facet, id, `${answerName(parsed)} does not show that the assistant was looked up.`)
  }
}

/** Runs of threads that were opened for an assistant of another tenant. Whether the opening is refused is open. */
function judgeForeignThreads(analysis: TraceAnalysis, observe: ObservationLog): undefined {
  for (const { parsed, opening, assistant } of runsOfForeignThreads(analysis)) {
    const { operation, id } = parsed
    if (operation === null) continue
    if (parsed.answer.code === code) observe.held(operation, 'foreign', id)
    else if (isAccepted(parsed) && hasSuccessShape(parsed) && textOf(opening).includes(assistant)) {
      observe.contradicted(operation, 'foreign', {
        exchanges: [opening.id, id],
        expected: code,
        actual: answerName(parsed),
        because: `${opening.id} shows that the thread is for an assistant of another tenant, and ${id}, a run of it, was accepted.`,
        headline: 'accepts a run of a thread that is for an assistant of another tenant',
      })
    } else observe.ambiguous(operation, 'foreign', id, `${answerName(parsed)} does not show whose assistant answers.`)
  }
}

/** The evidence that a service did not substitute an assistant of the tenant. */
const textOf = ({ answer: { body } }: ParsedExchange): string => (body.kind === 'none' ? '' : body.text.toLowerCase())

/** A run of the other form that also names an assistant of another tenant and is refused for it. */
function toldInOtherForm(analysis: TraceAnalysis, { operation }: ParsedExchange): ParsedExchange | undefined {
  return runsOfOthers(analysis).find(
    ({ parsed: other, facet }) => facet === 'foreign' && other.operation !== operation && other.answer.code === code,
  )?.parsed
}
