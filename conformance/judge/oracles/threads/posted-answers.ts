/**
 * Judges the fields of an assistant message that a client added. Its role makes it an assistant message, of which the contract
 * names these fields.
 */
import { mayAskForTools } from '../../history/tool-calls.ts'
import { textField } from '../../read/json.ts'
import { documentOf, isAccepted } from '../../read/parsed-exchange.ts'
import { answerFields, judgeField } from '../support/field-checks.ts'
import type { Oracle } from '../support/oracle.ts'

/** Oracle of threads.posted-assistant-fields; the form of a message that asks for tools is not shown. */
export const postedAssistantFields: Oracle = (analysis, observe) => {
  for (const parsed of analysis.of('createMessage')) {
    const created = isAccepted(parsed) ? documentOf(parsed) : null
    if (textField(created, 'role') !== 'assistant' || mayAskForTools(created, analysis.profile.tools)) continue
    const place = { operation: 'createMessage', exchange: parsed.id, at: '' } as const
    for (const [name, rule] of answerFields) judgeField(observe, place, created, name, rule)
  }
}
