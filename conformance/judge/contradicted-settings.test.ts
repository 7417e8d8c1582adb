/** Tests that a run is invalid when the target supports no calls in a client's message. */
import { expect, test } from 'vitest'
import { rejectedWith } from '../../test/trace-builder/sample-data.ts'
import { questioned, result } from '../../test/trace-builder/tool-exchanges.ts'
import { TraceBuilder } from '../../test/trace-builder/trace-builder.ts'

const unmatched = rejectedWith('tool_message_has_no_matching_tool_call')

const judged = (refusal: object, ofMessage: object = {}) => {
  const trace = new TraceBuilder()
  const thread = questioned(trace)
  const content = 'Let me look.'
  trace.run(thread, content, { more: { tool_calls: [{ id: 'own' }] } })
  result(trace, thread, 'own')
  const body = { id: trace.id(), thread_id: thread, role: 'assistant', content, created_at: trace.stamp() }
  trace.add(thread, 'assistant', content, { more: { tool_calls: [{ id: 'alpha' }] }, body, ...ofMessage })
  result(trace, thread, 'alpha', refusal)
  return trace.judge()
}

test('results for calls that the target neither shows nor takes blame the setting, not the target', () => {
  const { outcome, reason, verdicts } = judged(unmatched)
  expect(outcome).toBe('invalid')
  expect(reason).toMatch(/tools\.assistantMessage: the target accepts it, shows no call in it and refuses its result/)
  expect(verdicts.filter((one) => one.outcome === 'violated')).toEqual([])
})

test('so does a refused message with a call', () => {
  const { outcome, reason } = judged(unmatched, rejectedWith('bad_request'))
  expect(outcome).toBe('invalid')
  expect(reason).toMatch(/tools\.assistantMessage: the target refuses a message with it/)
})

test('a target that takes the result need not show the call', () => {
  expect(judged({}).outcome).not.toBe('invalid')
})
