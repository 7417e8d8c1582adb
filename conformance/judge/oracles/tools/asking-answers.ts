/** Judges that an answer which asks for tools has the other fields of an answer. */
import { callsOf } from '../../history/writes.ts'
import { fieldOf } from '../../read/json.ts'
import { answerFields, judgeField } from '../support/field-checks.ts'
import type { Oracle } from '../support/oracle.ts'
import { messageSightings } from '../support/shown-messages.ts'

/** Only the profile shows for certain that a message asks for tools; a field of another type is a fault of every answer. */
export const askingAnswerFields: Oracle = (analysis, observe) => {
  const { tools } = analysis.profile
  if (tools === null) return
  for (const sighting of messageSightings(analysis)) {
    const { operation, message, isAnswer } = sighting
    if (operation !== 'runThread' && operation !== 'listMessages') continue
    if (message === null || isAnswer !== 'yes' || callsOf(message, tools).length === 0) continue
    for (const [name, rule] of answerFields) {
      const value = fieldOf(message, name)
      if (value === undefined || rule.holds(value)) judgeField(observe, sighting, message, name, rule)
    }
  }
}
