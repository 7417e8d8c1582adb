/** Proof that a server error in every attempt is a violation, also where a rejection would not be one. */
import { uploaded } from '../../../../test/trace-builder/file-exchanges.ts'
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

/** A short message is taken, and a long one is sent three times. */
const sendLarge = (s: TraceBuilder, change: Change): void => {
  const thread = s.assistants().thread()
  s.add(thread, 'user', 'Hello')
  for (const _ of [1, 2, 3]) s.add(thread, 'user', 'a'.repeat(50_000), change)
  s.list(thread)
}

/** One user gets grants, and another one asks three times. */
const askForGrants = (s: TraceBuilder, change: Change): void => {
  uploaded(s)
  const headers = [['user-id', 'b'.repeat(255)]] as const
  for (const _ of [1, 2, 3]) s.send('createUploadGrant', {}, {}, { query: '?filename=a.txt', headers, ...change })
  uploaded(s)
}

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
  violates('http.operation-served', 'createMessage', 'a long message fails every time', (s) => sendLarge(s, failing)),
  noViolation('http.operation-served', '', 'a long message is refused, since the contract names no limit', (s) =>
    sendLarge(s, { status: 413, text: 'Too large' }),
  ),
  noViolation('http.operation-served', '', 'the connection of a long message is closed', (s) =>
    sendLarge(s, { ending: 'cut', silent: true }),
  ),
  violates('http.operation-served', 'createUploadGrant', 'the grants of one user fail every time', (s) =>
    askForGrants(s, failing),
  ),
])
