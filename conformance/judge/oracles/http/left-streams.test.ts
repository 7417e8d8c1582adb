/** Proof that streams of a thread which fail for good, after a stream of it was left, are a violation. */
import { noViolation, proveOracles, upholds, violates } from '../../../../test/trace-builder/prove-oracles.ts'
import { rejectedWith } from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { httpOracles } from './http.ts'

/** A caller leaves a stream of a thread. So long after it, the thread is streamed three times. */
const streamAfterLeaving = (s: TraceBuilder, change: Change, waitedMs = 60_000): void => {
  const [thread, other] = [s.assistants().thread(), s.thread()]
  s.add(other, 'user', 'Good morning')
  s.stream(other)
  s.add(thread, 'user', 'Hello')
  s.run(thread, 'The answer.', { tookMs: 10 })
  s.add(thread, 'user', 'Hello again')
  s.stream(thread, undefined, { ending: 'aborted', tookMs: 5 })
  s.list(other, { tookMs: waitedMs })
  for (const _ of [1, 2, 3]) s.stream(thread, undefined, change)
  s.list(other)
}

const failing = rejectedWith('internal_service_error', 500)

proveOracles({ 'http.operation-served': httpOracles['http.operation-served'] }, [
  upholds('http.operation-served', 'streamThreadRun', 'the streams are answered', (s) => streamAfterLeaving(s, {})),
  violates(
    'http.operation-served',
    'streamThreadRun',
    'each of the streams fails, for which the unsure end of the thread is no reason',
    (s) => streamAfterLeaving(s, failing),
  ),
  noViolation('http.operation-served', '', 'the streams are refused for the end of the thread', (s) =>
    streamAfterLeaving(s, {
      status: 409,
      body: { error_code: 'last_message_not_from_user', detail: 'The last message is not from a user' },
    }),
  ),
  noViolation('http.operation-served', '', 'the streams fail while the one that was left may go on', (s) =>
    streamAfterLeaving(s, failing, 5),
  ),
])
