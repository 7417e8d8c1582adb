/** No vocabulary is fixed for a missing field. Only a word that surely means something else is wrong. */
import { expect, test } from 'vitest'
import { outcomeOf } from '../../../../test/trace-builder/sample-data.ts'
import { TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'

const id = 'completions.missing-assistant-id-error'
const refusal = (type: unknown) => ({
  status: 422,
  body: { error_code: 'validation_error', detail: [{ loc: ['body', 'assistant_id'], message: 'Wrong.', type }] },
})

/** What becomes of the facet when a missing id gets one type, and a malformed one gets another. */
function verdict(missing: unknown, malformed?: string): string | undefined {
  const trace = new TraceBuilder()
  trace.assistants()
  if (malformed !== undefined) trace.complete({ assistant_id: 'no-uuid' }, refusal(malformed))
  trace.complete({ assistant_id: undefined }, refusal(missing))
  return outcomeOf(trace.judge(), id, 'createChatCompletion', 'type')
}

test.for(['missing', 'value_error.missing', 'required', 'NotNull', 'notBlank', 'isDefined.required'])(
  '%s tells of a missing field',
  (type) => expect(verdict(type)).toBe('upheld'),
)

test.for(['string_type', 'uuid_parsing', 'value_error', 'type_error.uuid', 'too_short', 'extra_forbidden', '', 7])(
  '%j does not tell of a missing field',
  (type) => expect(verdict(type)).toBe('violated'),
)

test('a word of its own counts when a malformed value gets another one', () => {
  expect(verdict('E-17', 'E-18')).toBe('upheld')
})

test('a word that a malformed value gets as well does not tell them apart', () => {
  expect(verdict('E-17', 'E-17')).toBe('violated')
})

test('a word of its own stays open while no malformed value was sent', () => {
  expect(verdict('E-17')).toBe('inconclusive')
})
