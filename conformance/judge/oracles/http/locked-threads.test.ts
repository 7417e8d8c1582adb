/** Proof that threads which hang for good, after a stream that was left or a run that failed, are found. */
import { noViolation, proveOracles, upholds, violates } from '../../../../test/trace-builder/prove-oracles.ts'
import { rejectedWith } from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { httpOracles } from './http.ts'

interface Waiting extends Change {
  readonly control?: boolean
  /** What is seen of a run that hangs. */
  readonly late?: Change
  /** A whole run that failed in place of the stream. */
  readonly failed?: Change
}

/** A stream ends so; then three runs of its thread wait for half a minute each, while another takes so long. */
const waitAfterLeaving = (
  s: TraceBuilder,
  { ending = 'aborted', tookMs = 5, control = true, late = { silent: true }, failed }: Waiting = {},
): string => {
  const other = s.assistants().thread()
  const runOther = (question: string): void => {
    s.add(other, 'user', question)
    s.run(other, 'The answer.', { tookMs })
  }
  runOther('Hello')
  const thread = s.thread()
  s.add(thread, 'user', 'Hello there')
  if (failed === undefined) s.stream(thread, undefined, { ending })
  else s.run(thread, '', { ...rejectedWith('api_timeout_error', 504), ...failed })
  s.add(thread, 'user', 'Hello again')
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (attempt === 2 && control) runOther('And you?')
    s.run(thread, '', { ...late, tookMs: 30_000 })
  }
  s.list(thread)
  return thread
}

proveOracles({ 'http.operation-served': httpOracles['http.operation-served'] }, [
  violates('http.operation-served', 'runThread', 'a thread is locked for good by a stream that its caller left', (s) =>
    waitAfterLeaving(s),
  ),
  violates('http.operation-served', 'runThread', 'a locked thread is called a model that is late', (s) =>
    waitAfterLeaving(s, { late: rejectedWith('api_timeout_error', 504) }),
  ),
  violates(
    'http.operation-served',
    'runThread',
    'a thread is locked for good by a whole run that its caller left',
    (s) => waitAfterLeaving(s, { failed: { ending: 'aborted', silent: true } }),
  ),
  violates('http.operation-served', 'runThread', 'a thread is locked for good by a run that failed', (s) =>
    waitAfterLeaving(s, { failed: {}, late: rejectedWith('api_timeout_error', 504) }),
  ),
  noViolation('http.operation-served', 'runThread', 'a model that is late four times is late', (s) =>
    waitAfterLeaving(s, { failed: { tookMs: 30_000 }, late: rejectedWith('api_timeout_error', 504) }),
  ),
  noViolation('http.operation-served', 'runThread', 'a model may be late where no stream was left', (s) =>
    waitAfterLeaving(s, { ending: 'complete', late: rejectedWith('api_timeout_error', 504) }),
  ),
  upholds('http.operation-served', 'runThread', 'a thread that nobody left may wait for its model', (s) =>
    waitAfterLeaving(s, { ending: 'complete' }),
  ),
  upholds('http.operation-served', 'runThread', 'answers that take seconds may take minutes', (s) =>
    waitAfterLeaving(s, { tookMs: 10_000 }),
  ),
  upholds('http.operation-served', 'runThread', 'without an answer meanwhile the model may be late', (s) =>
    waitAfterLeaving(s, { control: false }),
  ),
  violates('http.operation-served', 'listMessages', 'a left stream locks the lists of its thread', (s) => {
    const thread = s.assistants().thread()
    s.add(thread, 'user', 'Hello')
    s.stream(thread, undefined, { ending: 'aborted' })
    for (const _ of [1, 2, 3]) {
      s.list(thread, { silent: true, tookMs: 10_000 })
      s.list(s.thread())
    }
  }),
  upholds('http.operation-served', 'runThread', 'a model that waits in two threads is late', (s) => {
    const other = s.thread()
    s.add(other, 'user', 'Hello')
    s.run(other, '', { silent: true, tookMs: 30_000 })
    waitAfterLeaving(s)
  }),
  upholds('http.operation-served', 'runThread', 'a run that is served at last was waited for', (s) => {
    s.run(waitAfterLeaving(s), 'The answer.')
  }),
])
