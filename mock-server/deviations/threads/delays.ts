/** Deviations of chapter threads in which a list shows added messages late: lagging replicas, stale caches. */

import type { HookOverride } from '../../exchange/hooks.ts'
import type { Command } from '../../machine/command.ts'
import { logOf } from '../../machine/message-log.ts'
import { withThread } from '../../machine/state.ts'
import { overrideStep } from '../../overrides/records.ts'
import { overrideReplyWithMemory } from '../../overrides/replies.ts'
import { bytesIn } from '../../overrides/text-corruption.ts'
import type { Json } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

type Created = Extract<Command, { readonly operation: 'createMessage' }>

export const threadDelays = {
  'threads.read-your-writes': [
    deviation(
      'threads.replica-lags',
      'Reads from a replica that misses the newest message at the first look.',
      lagging(() => true),
    ),
    deviation(
      'threads.replica-lags-behind-long-messages',
      'Reads from a replica that is late with content above 4,096 bytes.',
      lagging(({ message }) => bytesIn(message.content) > 4096),
      { trigger: 'the first list after content above 4,096 bytes' },
    ),
    deviation(
      'threads.first-page-cached',
      'Serves the first page of a thread out of a cache that creations do not empty.',
      overrideReplyWithMemory(
        'listMessages',
        () => new Map<string, { page: Json; uses: number }>(),
        (json, { command, request }, cache) => {
          if (command?.operation !== 'listMessages' || command.cursor !== null) return json
          const kept = cache.get(request.target)
          if (kept !== undefined && kept.uses > 0) {
            kept.uses -= 1
            return kept.page
          }
          cache.set(request.target, { page: json, uses: 2 })
          return json
        },
      ),
      { trigger: 'a list before and after a creation' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'threads'>>

function lagging(when: (command: Created) => boolean): HookOverride {
  return overrideStep((next) => {
    const fresh = new Set<string>()
    return (state, command, tickUs) => {
      if (command.operation === 'createMessage') {
        if (when(command)) fresh.add(command.threadId)
        return next(state, command, tickUs)
      }
      const thread = command.operation === 'listMessages' ? state.threads.get(command.threadId) : undefined
      if (thread === undefined || !fresh.delete(thread.id)) return next(state, command, tickUs)
      const { reply } = next(
        withThread(state, { ...thread, log: logOf([...thread.log].slice(0, -1)) }),
        command,
        tickUs,
      )
      return { state, reply }
    }
  })
}
