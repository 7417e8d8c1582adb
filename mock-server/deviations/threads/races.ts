/**
 * Deviations of chapter threads that need two requests in flight. A creation is held for a few milliseconds between
 * reading the thread and writing it, in the way in which a run waits for its answer, so that others can overtake it.
 */

import type { HookOverride } from '../../exchange/hooks.ts'
import type { Command } from '../../machine/command.ts'
import type { Outcome } from '../../machine/reply.ts'
import type { Run } from '../../machine/run.ts'
import { type Thread, withThread } from '../../machine/state.ts'
import { overrideStep } from '../../overrides/records.ts'
import { rootKey } from '../../randomness/key.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

type Creation = Extract<Command, { readonly operation: 'createMessage' }>

/** The write of a creation that read the thread as `before` and finds it as `now`. */
type Write = (before: Thread, now: Thread, store: (thread: Thread) => Outcome) => Outcome

const inFlight = 'two creations in flight'

export const threadRaces = {
  'threads.concurrent-creates': [
    deviation(
      'threads.lost-update',
      'Reads a thread, waits, and writes it back with one message more.',
      overtaken((before, now, store) => store({ ...before, ordinal: now.ordinal })),
      { trigger: inFlight },
    ),
    deviation(
      'threads.double-insert',
      'Inserts a message again when another one came in between.',
      overtaken((_before, now, store) => {
        const outcome = store(now)
        const thread = outcome.state.threads.get(now.id)
        const last = thread?.log.last()
        if (thread === undefined || last === undefined) return outcome
        return { ...outcome, state: withThread(outcome.state, { ...thread, log: thread.log.push(last) }) }
      }),
      { trigger: inFlight },
    ),
    deviation(
      'threads.counter-read-before-write',
      'Draws the id of a message from a counter that others have read as well.',
      overtaken((before, now, store) => store({ ...now, ordinal: before.ordinal })),
      { trigger: inFlight },
    ),
  ],
} as const satisfies Pick<DeviationTable<'threads'>, 'threads.concurrent-creates'>

const heldMs = 5

function overtaken(write: Write): HookOverride {
  return overrideStep((next) => {
    const held = new Map<Run, { readonly creation: Creation; readonly before: Thread; readonly tickUs: number }>()
    return (state, command, tickUs) => {
      if (command.operation === 'createMessage') {
        const outcome = next(state, command, tickUs)
        const before = state.threads.get(command.threadId.toLowerCase())
        if (outcome.reply.kind !== 'stored' || before === undefined) return outcome
        const run = waitFor(before, tickUs)
        held.set(run, { creation: command, before, tickUs })
        return { state, reply: { kind: 'run', run } }
      }
      const pending = command.operation === 'finishRun' ? held.get(command.run) : undefined
      if (command.operation !== 'finishRun' || pending === undefined) return next(state, command, tickUs)
      held.delete(command.run)
      const store = (thread: Thread) => next(withThread(state, thread), pending.creation, pending.tickUs)
      const now = state.threads.get(pending.before.id) ?? pending.before
      return now.log.size === pending.before.log.size ? store(now) : write(pending.before, now, store)
    }
  })
}

/** A run without an answer that takes some time; at its end it returns the created message. */
function waitFor({ id, tenantId }: Thread, tickUs: number): Run {
  return {
    operation: 'runThread',
    tenantId,
    threadId: id,
    messageId: id,
    assistant: '',
    answer: { content: '…', reasoning: '', sources: [], metaData: {}, toolCalls: [], turn: null },
    latency: { first_chunk_ms: heldMs, chunks_per_second: 0, jitter: 0 },
    key: rootKey(0),
    startTickUs: tickUs,
  }
}
