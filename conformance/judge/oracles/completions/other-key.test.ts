/** Proof of completions.continues-thread for a thread that another key of the tenant made. */
import {
  type OracleCase,
  proveOracles,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { rejectedWith } from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder, TraceBuilderOptions } from '../../../../test/trace-builder/trace-builder.ts'
import { completionsOracles } from './completions.ts'

const twoKeys: TraceBuilderOptions = {
  profile: { tenants: { primary: { key: 'own-key' }, spare: { key: 'spare-key' } } },
}
/** A completion of one key goes on by the other; `change` makes the answer to it. */
const goOn = (s: TraceBuilder, change: (thread_id: unknown) => Change): void => {
  const { thread_id } = s.assistants().assistants(undefined, { as: 'spare' }).complete()
  s.complete({}, { as: 'spare', query: `?thread_id=${thread_id}`, ...change(thread_id) })
}
const cases: readonly OracleCase[] = [
  upholds(
    'completions.continues-thread',
    'createChatCompletion',
    'the thread goes on',
    (s) => goOn(s, (thread_id) => ({ with: { thread_id } })),
    twoKeys,
  ),
  violates(
    'completions.continues-thread',
    'createChatCompletion',
    'a new thread instead of it',
    (s) => goOn(s, () => ({})),
    twoKeys,
  ),
  unexercised(
    'completions.continues-thread',
    'createChatCompletion',
    'nothing shows whether two keys that one profile does not name are of one tenant',
    (s) => goOn(s, () => ({})),
  ),
  unexercised(
    'completions.continues-thread',
    'createChatCompletion',
    'a refusal is judged by the records of both keys',
    (s) => goOn(s, () => rejectedWith('resource_not_found', 404)),
    twoKeys,
  ),
]

proveOracles({ 'completions.continues-thread': completionsOracles['completions.continues-thread'] }, cases)
