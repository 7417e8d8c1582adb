/** Proof that results of open calls must be accepted, and of what decides where they stand away from their calls. */
import {
  noViolation,
  proveOracles,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { rejectedWith } from '../../../../test/trace-builder/sample-data.ts'
import { calling, questioned, result } from '../../../../test/trace-builder/tool-exchanges.ts'
import type { TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { matchedAccepted, matchedBehindOtherResults } from './matched-results.ts'

const unmatched = rejectedWith('tool_message_has_no_matching_tool_call')
const no = rejectedWith('bad_request')
/** A call behind so many messages that a service may have room for no more. */
const longCalling = (s: TraceBuilder): string => {
  const thread = questioned(s)
  for (let size = 1; size < 40; size += 1) s.add(thread, 'user', `Remark ${size}.`)
  s.add(thread, 'assistant', 'Let me look.', { more: { tool_calls: [{ id: 'alpha' }] } })
  return thread
}
/** A thread whose assistant message asks for a call, which the target shows with another id. */
const shownAs = (s: TraceBuilder, id: string, shown: string): string => callsShownAs(s, [id], [shown])
const callsShownAs = (s: TraceBuilder, ids: readonly string[], shown: readonly string[]): string => {
  const thread = questioned(s)
  const message = { thread_id: thread, role: 'assistant', content: 'Let me look.', created_at: s.stamp() }
  s.add(thread, 'assistant', message.content, {
    more: { tool_calls: ids.map((id) => ({ id })) },
    body: { id: s.id(), ...message, tool_calls: shown.map((id) => ({ id })) },
  })
  return thread
}
/** A thread with an open call, beta, that took the result of another one behind a message of a user. */
const behindUser = (s: TraceBuilder): string => {
  const thread = calling(s, 'alpha', 'beta')
  s.add(thread, 'user', 'Hurry up.')
  result(s, thread, 'alpha')
  return thread
}

proveOracles(
  { 'tools.matched-accepted': matchedAccepted, 'tools.matched-behind-other-results': matchedBehindOtherResults },
  [
    upholds('tools.matched-accepted', 'createMessage', 'the result of an open call is added', (s) =>
      result(s, calling(s, 'alpha'), 'alpha'),
    ),
    violates('tools.matched-accepted', 'createMessage', 'the result of an open call is refused', (s) =>
      result(s, calling(s, 'alpha'), 'alpha', unmatched),
    ),
    violates(
      'tools.matched-accepted',
      'createMessage',
      'the result of a call whose id the target cuts short is refused',
      (s) => result(s, shownAs(s, 'call_84be0e5168b4', 'call_84be0e5'), 'call_84be0e5168b4', unmatched),
    ),
    ...['call_', 'call_93af', 'call_84be0e5168b4-1'].map((shown) =>
      noViolation('tools.matched-accepted', '', `a target may give a call an id of its own: ${shown}`, (s) =>
        result(s, shownAs(s, 'call_84be0e5168b4', shown), 'call_84be0e5168b4', unmatched),
      ),
    ),
    violates('tools.matched-accepted', 'createMessage', 'a target keeps two of three calls', (s) =>
      result(s, callsShownAs(s, ['alpha', 'beta', 'gamma'], ['alpha', 'beta']), 'gamma', unmatched),
    ),
    noViolation('tools.matched-accepted', '', 'a target may have room for one call in a message', (s) =>
      result(s, callsShownAs(s, ['alpha', 'beta', 'gamma'], ['alpha']), 'gamma', unmatched),
    ),
    noViolation('tools.matched-accepted', '', 'a second result for one call may be refused', (s) => {
      const thread = calling(s, 'alpha')
      result(s, thread, 'alpha')
      result(s, thread, 'alpha', no)
    }),
    noViolation('tools.matched-accepted', '', 'a result away from its call may be refused', (s) => {
      const thread = calling(s, 'alpha')
      s.add(thread, 'user', 'Hurry up.')
      result(s, thread, 'alpha', unmatched)
    }),
    violates('tools.matched-accepted', 'createMessage', 'a newer assistant message hides the call', (s) => {
      const thread = behindUser(s)
      s.add(thread, 'assistant', 'One moment.')
      result(s, thread, 'beta', unmatched)
    }),
    violates('tools.matched-accepted', 'createMessage', 'a newer call that has its result hides an older one', (s) => {
      const thread = behindUser(s)
      s.add(thread, 'assistant', 'One more.', { more: { tool_calls: [{ id: 'gamma' }] } })
      result(s, thread, 'gamma')
      result(s, thread, 'beta', unmatched)
    }),
    noViolation('tools.matched-accepted', '', 'behind a newer assistant message a result may have no code', (s) => {
      const thread = behindUser(s)
      s.add(thread, 'assistant', 'One moment.')
      result(s, thread, 'beta', no)
    }),
    noViolation('tools.matched-accepted', '', 'a newer call may have to get its result first', (s) => {
      const thread = behindUser(s)
      s.add(thread, 'assistant', 'One more.', { more: { tool_calls: [{ id: 'gamma' }] } })
      result(s, thread, 'beta', unmatched)
    }),
    noViolation('tools.matched-accepted', '', 'results may have to stand next to their calls', (s) => {
      const thread = calling(s, 'alpha')
      s.add(thread, 'assistant', 'One moment.')
      result(s, thread, 'alpha', unmatched)
    }),
    violates('tools.matched-accepted', 'createMessage', 'a long thread that takes more messages denies a call', (s) => {
      const thread = longCalling(s)
      result(s, thread, 'alpha', unmatched)
      s.add(thread, 'user', 'Well?')
    }),
    noViolation('tools.matched-accepted', '', 'a long thread may take no more messages', (s) =>
      result(s, longCalling(s), 'alpha', unmatched),
    ),
    noViolation('tools.matched-accepted', '', 'a long thread may refuse a result for another reason', (s) => {
      const thread = longCalling(s)
      result(s, thread, 'alpha', no)
      s.add(thread, 'user', 'Well?')
    }),
    upholds('tools.matched-behind-other-results', 'createMessage', 'the second of two results', (s) => {
      const thread = calling(s, 'alpha', 'beta')
      result(s, thread, 'beta')
      result(s, thread, 'alpha')
    }),
    violates(
      'tools.matched-behind-other-results',
      'createMessage',
      'only the message right before is looked at',
      (s) => {
        const thread = calling(s, 'alpha', 'beta')
        result(s, thread, 'alpha')
        result(s, thread, 'beta', unmatched)
      },
    ),
    unexercised('tools.matched-behind-other-results', 'createMessage', 'the first result stands behind its call', (s) =>
      result(s, calling(s, 'alpha', 'beta'), 'beta'),
    ),
    unexercised('tools.matched-accepted', 'createMessage', 'a refused result answers nothing', (s) =>
      result(s, calling(s, 'alpha'), 'omega', unmatched),
    ),
  ],
)
