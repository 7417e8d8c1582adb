/** Proof that a tool result which fails in every attempt is a violation. */
import { noViolation, proveOracles, upholds, violates } from '../../../../test/trace-builder/prove-oracles.ts'
import { rejectedWith } from '../../../../test/trace-builder/sample-data.ts'
import { calling, result } from '../../../../test/trace-builder/tool-exchanges.ts'
import type { TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { httpOracles } from './http.ts'

/** Three attempts at one result, all of which fail. */
const failing = (s: TraceBuilder, thread: string, id: string): void => {
  for (const _ of [1, 2, 3]) result(s, thread, id, rejectedWith('internal_service_error', 503))
  s.list(thread)
}

proveOracles({ 'http.operation-served': httpOracles['http.operation-served'] }, [
  upholds('http.operation-served', 'createMessage', 'the result of a call is taken', (s) => {
    result(s, calling(s, 'call_1'), 'call_1')
  }),
  violates('http.operation-served', 'createMessage', 'the result of a call fails every time', (s) => {
    result(s, calling(s, 'call_1'), 'call_1')
    failing(s, calling(s, 'call_2'), 'call_2')
  }),
  noViolation('http.operation-served', '', 'a second result may fail every time', (s) => {
    const thread = calling(s, 'call_1')
    result(s, thread, 'call_1')
    failing(s, thread, 'call_1')
  }),
])
