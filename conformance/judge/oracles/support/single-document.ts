/**
 * Checks that an operation that does not stream answers with one object, the message itself. The plain completion and
 * the plain run share it.
 */

import type { ObservationLog } from '../../observation-log.ts'
import { isObject, nameOf } from '../../read/json.ts'
import { isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { hasSuccessShape } from '../../read/success-shape.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'

/** Whether an accepted answer is a single JSON object. */
export const isSingleObject = ({ answer }: ParsedExchange): boolean =>
  answer.body.kind === 'json' && isObject(answer.body.value)

/** Holds every accepted answer to being one JSON object. */
export function wholeAnswer(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  operation: 'createChatCompletion' | 'runThread',
): undefined {
  for (const parsed of analysis.of(operation)) {
    if (!isAccepted(parsed)) continue
    if (isSingleObject(parsed)) observe.held(operation, null, parsed.id)
    else contradictForm(observe, operation, parsed, formOf(parsed))
  }
}

/** Holds every accepted completion to being one JSON object that is the message, and not something around it. */
export function wholeMessage(analysis: TraceAnalysis, observe: ObservationLog): undefined {
  const operation = 'createChatCompletion'
  for (const parsed of analysis.of(operation)) {
    if (!isAccepted(parsed)) continue
    if (!isSingleObject(parsed)) contradictForm(observe, operation, parsed, formOf(parsed))
    else if (hasSuccessShape(parsed)) observe.held(operation, null, parsed.id)
    // A refusal may come under a friendly status in a form of its own, so only a right request must get a message.
    else if (analysis.requestOf(parsed).validity === 'valid')
      contradictForm(observe, operation, parsed, 'an object without content, meta_data and thread_id')
  }
}

function contradictForm(
  observe: ObservationLog,
  operation: 'createChatCompletion' | 'runThread',
  { id }: ParsedExchange,
  form: string,
): undefined {
  observe.contradicted(operation, null, {
    exchanges: [id],
    expected: operation === 'runThread' ? 'one JSON object' : 'one assistant message as a JSON object',
    actual: form,
    pointer: '',
    because: `${id} is answered with ${form} instead of one assistant message.`,
    headline: `answers with ${form} instead of one assistant message`,
  })
}

function formOf({ answer: { body } }: ParsedExchange): string {
  if (body.kind === 'json') return nameOf(body.value)
  if (body.kind === 'none') return 'an empty body'
  const lines = body.text.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 1 && lines.every((line) => line.startsWith('{'))
    ? `${lines.length} lines of NDJSON`
    : 'something that is not JSON'
}
