/** Proof that server errors behind one kind of refusal are a violation, and those of a bad day are not. */
import { noViolation, proveOracles, upholds, violates } from '../../../../test/trace-builder/prove-oracles.ts'
import { rejectedWith } from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { httpOracles } from './http.ts'

const rule = 'http.operation-served'
const intent = { probe: 'threads.messages', operation: 'createMessage', purpose: 'valid', expects: 'either' } as const
const failing = rejectedWith('internal_service_error', 503)

interface Day {
  /** Failures right behind a refusal, in turn of two threads. */
  readonly behind: number
  /** Refusals that are followed by an answer. */
  readonly harmless?: number
  /** Failures behind an answer. */
  readonly elsewhere?: number
  /** Of each request. */
  readonly change?: Change
}

/** Each failure is sent again, and many messages are added in between. */
const addMessages = (s: TraceBuilder, { behind, harmless = 0, elsewhere = 0, change = { intent } }: Day): void => {
  const threads = [s.assistants().thread(), s.thread()]
  let count = 0
  const add = (round: number, more: Change = {}, content = `Message ${++count}`) =>
    s.add(threads[round % 2] ?? '', 'user', content, { ...change, ...more })
  for (let round = 0; round < Math.max(behind + harmless, elsewhere); round += 1) {
    const refused = round < behind + harmless
    if (refused) add(round, rejectedWith('message_content_empty'), '')
    if (round < behind) add(round, failing)
    for (let one = 0; one < 10; one += 1) add(round)
    if (round < elsewhere) add(round, failing)
    add(round)
  }
}

proveOracles({ [rule]: httpOracles[rule] }, [
  violates(rule, 'createMessage', 'all failures come right behind a refusal', (s) => addMessages(s, { behind: 6 })),
  violates(rule, 'createMessage', 'one in six failures comes elsewhere', (s) =>
    addMessages(s, { behind: 5, elsewhere: 1 }),
  ),
  noViolation(rule, '', 'a third of the failures comes elsewhere', (s) => addMessages(s, { behind: 6, elsewhere: 3 })),
  noViolation(rule, '', 'four failures may be chance', (s) => addMessages(s, { behind: 4, harmless: 2 })),
  upholds(rule, 'createMessage', 'no failure comes behind a refusal', (s) =>
    addMessages(s, { behind: 0, harmless: 6 }),
  ),
  noViolation(rule, '', 'clients of others may send the same in turn', (s) =>
    addMessages(s, { behind: 6, change: {} }),
  ),
])
