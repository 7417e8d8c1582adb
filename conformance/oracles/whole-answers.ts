/**
 * Whether an operation that does not stream answers with one object, the message itself: shared by the plain completion and
 * the plain run.
 */
import { isObject, nameOf } from '../classify/json.ts'
import { isAccepted, type Reading } from '../classify/reading.ts'
import { resemblesSuccess } from '../classify/success.ts'
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
    else contradictForm(testify, operation, reading, formOf(reading))
  }
}

/** Holds every accepted completion to being one JSON object that is the message, and not something around it. */
export function wholeMessage(docket: Docket, testify: Testimony): undefined {
  const operation = 'createChatCompletion'
  for (const reading of docket.of(operation)) {
    if (!isAccepted(reading)) continue
    if (!isSingleObject(reading)) contradictForm(testify, operation, reading, formOf(reading))
    else if (resemblesSuccess(reading)) testify.held(operation, null, reading.id)
    // A refusal may come under a friendly status in a form of its own, so only a right request must get a message.
    else if (docket.requestOf(reading).validity === 'valid')
      contradictForm(testify, operation, reading, 'an object without content, meta_data and thread_id')
  }
}

function contradictForm(
  testify: Testimony,
  operation: 'createChatCompletion' | 'runThread',
  { id }: Reading,
  form: string,
): undefined {
  testify.contradicted(operation, null, {
    exchanges: [id],
    expected: operation === 'runThread' ? 'one JSON object' : 'one assistant message as a JSON object',
    actual: form,
    pointer: '',
    because: `${id} is answered with ${form} instead of one assistant message.`,
  })
}

function formOf({ answer: { body } }: Reading): string {
  if (body.kind === 'json') return nameOf(body.value)
  if (body.kind === 'none') return 'an empty body'
  const lines = body.text.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 1 && lines.every((line) => line.startsWith('{'))
    ? `${lines.length} lines of NDJSON`
    : 'something that is not JSON'
}
