/** What is told beside the verdicts, and what is not told twice. */
import { expect, test } from 'vitest'
import { rejectedWith } from '../../test/trace-builder/sample-data.ts'
import { TraceBuilder } from '../../test/trace-builder/trace-builder.ts'

const codesOf = (tell: (trace: TraceBuilder, thread: string) => unknown): readonly string[] => {
  const trace = new TraceBuilder()
  tell(trace, trace.assistants().thread())
  return trace.judge().notices.map(({ code }) => code)
}

test('a code where the table does not list it is a notice', () => {
  expect(codesOf((s, thread) => s.add(thread, 'user', '', rejectedWith('bad_request')))).toContain('unlisted-code')
})

test('a code that answers a gap is told there, and is no notice', () => {
  expect(codesOf((s, thread) => s.run(thread, '', rejectedWith('bad_request')))).not.toContain('unlisted-code')
  expect(codesOf((s, thread) => s.add(thread, 'moderator', 'Hello', rejectedWith('bad_request')))).not.toContain(
    'unlisted-code',
  )
})

test('a code for a request of which the contract leaves open whether it is right is no notice', () => {
  const odd = { query: '?limit=0', ...rejectedWith('validation_error') }
  expect(codesOf((s, thread) => s.list(thread, odd))).not.toContain('unlisted-code')
})

test('a code that the table does not know is a notice', () => {
  expect(codesOf((s, thread) => s.run(thread, '', rejectedWith('engine_on_fire')))).toContain('unknown-code')
})
