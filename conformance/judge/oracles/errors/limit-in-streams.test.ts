/** Proof of what is said of streams of a key that is over its limit. */
import {
  noViolation,
  proveOracles,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { keys, limited, throttled } from '../../../../test/trace-builder/rate-limits.ts'
import { rejectedWith, uuid } from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { errorsOracles } from './errors.ts'

const id = 'errors.rate-limit-in-streams'
const unknownAssistant = rejectedWith('assistant_not_available', 404)
const nobody = { assistant_id: uuid(77) }

/** Plain and streamed questions of a key over its limit, in turn. */
const inTurn = (s: TraceBuilder, streams: readonly Change[], plain: Change = limited): void => {
  keys(s.assistants(), { ...limited, ...throttled })
  s.complete(nobody, { ...throttled, ...plain })
  for (const change of streams) {
    s.completeStream(nobody, { ...throttled, ...change })
    s.complete(nobody, { ...throttled, ...plain })
  }
}
const runsInTurn = (s: TraceBuilder, change: Change): void => {
  keys(s.assistants(), { ...limited, ...throttled })
  s.run(uuid(98), '', { ...throttled, ...limited })
  for (let turn = 0; turn < 3; turn += 1) {
    s.stream(uuid(98), [], { ...throttled, ...change })
    s.run(uuid(98), '', { ...throttled, ...limited })
  }
}

proveOracles({ [id]: errorsOracles[id] }, [
  violates(id, 'streamChatCompletion', 'three streams pass between refusals of the plain form', (s) =>
    inTurn(s, [unknownAssistant, unknownAssistant, unknownAssistant]),
  ),
  violates(id, 'streamThreadRun', 'three streamed runs pass between refused runs', (s) =>
    runsInTurn(s, rejectedWith('thread_not_found', 404)),
  ),
  upholds(id, 'streamChatCompletion', 'a stream is refused as the plain form is', (s) => inTurn(s, [limited])),
  upholds(id, 'streamThreadRun', 'a streamed run is refused as a run is', (s) => runsInTurn(s, limited)),
  noViolation(id, '', 'a limit that recovers lets some of them pass', (s) =>
    inTurn(s, [unknownAssistant, unknownAssistant, limited, unknownAssistant]),
  ),
  unexercised(id, 'streamChatCompletion', 'two may pass by chance', (s) =>
    inTurn(s, [unknownAssistant, unknownAssistant]),
  ),
  unexercised(id, 'streamChatCompletion', 'completions have another limit', (s) =>
    inTurn(s, [unknownAssistant, unknownAssistant, unknownAssistant], unknownAssistant),
  ),
  unexercised(id, 'streamChatCompletion', 'an error without a code may come from elsewhere', (s) =>
    inTurn(
      s,
      [1, 2, 3].map(() => ({ status: 503, body: 'Busy' })),
    ),
  ),
])
