/**
 * Whether an operation that does not stream answers with one object: shared by the plain completion and the plain run.
 */
import { isObject, nameOf } from '../classify/json.ts'
import { isAccepted, type Reading } from '../classify/reading.ts'
import type { Docket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'

/** Whether an accepted answer is a single JSON object. */
export const isSingleObject = ({ answer }: Reading): boolean =>
  answer.body.kind === 'json' && isObject(answer.body.value)

/** Holds every accepted answer to being one JSON object. */
export function wholeAnswer(
  docket: Docket,
  testify: Testimony,
  operation: 'createChatCompletion' | 'runThread',
): undefined {
  for (const reading of docket.of(operation)) {
    if (!isAccepted(reading)) continue
    if (isSingleObject(reading)) testify.held(operation, null, reading.id)
    else {
      testify.contradicted(operation, null, {
        exchanges: [reading.id],
        expected: 'one JSON object',
        actual: formOf(reading),
        pointer: '',
        because: `${reading.id} is answered with ${formOf(reading)} instead of one assistant message.`,
      })
    }
  }
}

function formOf({ answer: { body } }: Reading): string {
  if (body.kind === 'json') return nameOf(body.value)
  if (body.kind === 'none') return 'an empty body'
  const lines = body.text.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 1 && lines.every((line) => line.startsWith('{'))
    ? `${lines.length} lines of NDJSON`
    : 'something that is not JSON'
}
