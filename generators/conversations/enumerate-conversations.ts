/**
 * Enumerates every sequence of abstract commands up to a length, without symmetric repetitions.
 * The two threads of one tenant are interchangeable, and neighbours that change nothing commute.
 */
import { type Conversation, type ConversationCommand, threadCommands, threadlessCommands } from './command.ts'
import { advanceAsExpected, type ConversationState, isPlayable, openingState } from './conversation-model.ts'

/** All abstract commands: on either thread of the first tenant, on the thread of the second, and on none. */
export const abstractCommands: readonly ConversationCommand[] = [
  ...threadCommands(0),
  ...threadCommands(1),
  ...threadCommands(2).filter(({ kind, as }) => kind !== 'answer-tool' && as === 'secondary'),
  ...threadlessCommands,
]

interface Prefix {
  readonly commands: readonly ConversationCommand[]
  readonly state: ConversationState
  readonly next: readonly ConversationState[]
}

/** Every conversation of one to `maxLength` commands, shortest first, pruned by symmetry. */
export function* enumerateConversations(maxLength: number): Generator<Conversation> {
  let prefixes: readonly Prefix[] = [{ commands: [], state: openingState, next: [] }]
  for (let length = 1; length <= maxLength; length++) {
    const longer: Prefix[] = []
    for (const prefix of prefixes) {
      for (const command of abstractCommands) {
        if (!isPlayable(prefix.state, command) || isMirrored(prefix, command) || isReordered(prefix, command)) continue
        const commands = [...prefix.commands, command]
        yield { commands }
        const state = advanceAsExpected(prefix.state, command)
        longer.push({ commands, state, next: [...prefix.next, prefix.state] })
      }
    }
    prefixes = longer
  }
}

/** The second thread is used only after the first one. */
function isMirrored({ commands }: Prefix, command: ConversationCommand): boolean {
  return threadIndex(command) === 1 && !commands.some((earlier) => threadIndex(earlier) === 0)
}

/** Two neighbours that do not change the state are kept in one order only. */
function isReordered({ commands, state, next }: Prefix, command: ConversationCommand): boolean {
  const last = commands.at(-1)
  if (last === undefined || next.at(-1) !== state) return false
  if (advanceAsExpected(state, command) !== state) return false
  return abstractCommands.indexOf(command) < abstractCommands.indexOf(last)
}

function threadIndex(command: ConversationCommand): number | null {
  return 'thread' in command ? command.thread : null
}
