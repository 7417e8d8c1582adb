/** Tests which notices appear beside the verdicts, and that none appears twice. */
import { expect, test } from 'vitest'
import { rejectedWith } from '../../test/trace-builder/sample-data.ts'
import { TraceBuilder } from '../../test/trace-builder/trace-builder.ts'

const codesOf = (tell: (trace: TraceBuilder, thread: string) => unknown): readonly string[] => {
  const trace = new TraceBuilder()
  tell(trace, trace.assistants().thread())
  return trace.judge().notices.map(({ code }) => code)
}

test('a code that the table does not know is a notice', () => {
  expect(codesOf((s, thread) => s.run(thread, '', rejectedWith('engine_on_fire')))).toContain('unknown-code')
})
