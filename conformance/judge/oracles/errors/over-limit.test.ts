/** Proof of what is said of requests of a key that is over its limit. */
import {
  notBlamed,
  noViolation,
  proveOracles,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { keys, limited, throttled } from '../../../../test/trace-builder/rate-limits.ts'
import { rejectedWith, uuid } from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { errorsOracles } from './errors.ts'

/** A list of the throttled tenant's own thread right behind a refusal for its limit. */
const listOverLimit = (s: TraceBuilder, change: Change): void => {
  const thread = s.assistants().thread(throttled)
  keys(s, { ...limited, ...throttled })
  s.list(thread, { ...throttled, ...change })
}
/** Lists that fail so many times, in turn with refusals for the limit; another key's list is answered. */
const failOverLimit = (s: TraceBuilder, times: number, code = 'internal_service_error'): void => {
  s.assistants().list(s.thread())
  const thread = s.thread(throttled)
  keys(s, { ...limited, ...throttled })
  for (let turn = 0; turn < times; turn += 1) {
    s.list(thread, { ...throttled, ...rejectedWith(code, 503) })
    keys(s, { ...limited, ...throttled })
  }
}
/** A streamed question to an assistant that is none, right behind a refusal for the limit. */
const askOverLimit = (s: TraceBuilder, change: Change): void => {
  keys(s.assistants(), { ...limited, ...throttled })
  s.completeStream({ assistant_id: uuid(77) }, { ...throttled, ...change })
}
/** A run of a thread that is none, right behind a refusal for the limit. */
const runOverLimit = (s: TraceBuilder, change: Change): void => {
  keys(s.assistants(), { ...limited, ...throttled })
  s.run(uuid(98), '', { ...throttled, ...change })
}

const code = 'errors.code-rate-limit-gateway'
const oracles = { [code]: errorsOracles[code] }

proveOracles(oracles, [
  violates('errors.code-rate-limit-gateway', 'listMessages', 'an own thread is not found over the limit', (s) =>
    listOverLimit(s, rejectedWith('thread_not_found', 404)),
  ),
  violates('errors.code-rate-limit-gateway', 'listMessages', 'a list over the limit gets another body', (s) =>
    listOverLimit(s, { status: 429, body: { message: 'slow down' } }),
  ),
  violates('errors.code-rate-limit-gateway', 'listMessages', 'lists fail whenever the key is over its limit', (s) =>
    failOverLimit(s, 3),
  ),
  noViolation('errors.code-rate-limit-gateway', '', 'lists are refused for the limit with status 503', (s) =>
    failOverLimit(s, 3, 'rate_limit_gateway'),
  ),
  noViolation('errors.code-rate-limit-gateway', '', 'lists fail twice while the key is over its limit', (s) =>
    failOverLimit(s, 2),
  ),
  noViolation('errors.code-rate-limit-gateway', '', 'a gateway limits all keys in words of its own', (s) => {
    s.assistants().list(uuid(99), { status: 429, body: { message: 'slow down' } })
    listOverLimit(s, { status: 429, body: { message: 'slow down' } })
  }),
  violates(
    'errors.code-rate-limit-gateway',
    'streamChatCompletion',
    'a question over the limit gets another code',
    (s) => askOverLimit(s, rejectedWith('too_many_requests', 429)),
  ),
  noViolation(
    'errors.code-rate-limit-gateway',
    '',
    'an unknown assistant over the limit is unknown all the same',
    (s) => askOverLimit(s, rejectedWith('assistant_not_available', 403)),
  ),
  violates('errors.code-rate-limit-gateway', 'runThread', 'a run over the limit gets another code', (s) =>
    runOverLimit(s, rejectedWith('too_many_requests', 429)),
  ),
  noViolation('errors.code-rate-limit-gateway', '', 'a run of no thread over the limit finds none', (s) =>
    runOverLimit(s, rejectedWith('thread_not_found', 404)),
  ),
  upholds('errors.code-rate-limit-gateway', 'listMessages', 'a list over the limit gets the code', (s) =>
    listOverLimit(s, limited),
  ),
  noViolation('errors.code-rate-limit-gateway', 'listMessages', 'lists have a limit of their own', (s) =>
    listOverLimit(s, {}),
  ),
  notBlamed('pagination.empty-thread', 'listMessages', 'an empty thread over the limit is refused', (s) =>
    listOverLimit(s, { status: 429, body: { message: 'slow down' } }),
  ),
  notBlamed('errors.code-rate-limit-gateway', 'listMessages', 'lists of other keys are refused alike', (s) => {
    s.assistants().list(s.thread(), rejectedWith('thread_not_found', 404))
    listOverLimit(s, rejectedWith('thread_not_found', 404))
  }),
  noViolation('errors.code-rate-limit-gateway', 'listMessages', 'no limit was met before', (s) =>
    s.list(s.assistants().thread(throttled), { ...throttled, ...rejectedWith('thread_not_found', 404) }),
  ),
])
