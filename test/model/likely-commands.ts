/** Which commands move a thread, and random conversations in which these are frequent enough to lead somewhere. */
import fc from 'fast-check'
import { COMMANDS, type Command } from './commands.ts'

/** A request of the thread's owner with nothing wrong in itself: it can change the state. */
export function movesThread(command: Command): boolean {
  if (command.kind === 'begin') return true
  if (command.target !== 'own' && command.target !== 'none') return false
  if (command.kind === 'create') return command.content === 'text'
  if (command.kind === 'run') return command.assistant === 'own'
  if (command.kind === 'complete') return command.body === 'good' && command.form !== 'events'
  return command.query === 'default'
}

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...COMMANDS.filter(movesThread)) },
  { weight: 1, arbitrary: fc.constantFrom(...COMMANDS) },
)
const begin: Command = { kind: 'begin' }
const most = 8

/** Three of four begin with a thread of their own: a completion leads to a thread that takes no messages. */
export const conversation: fc.Arbitrary<readonly Command[]> = fc.oneof(
  { weight: 3, arbitrary: fc.array(command, { minLength: 1, maxLength: most }).map((rest) => [begin, ...rest]) },
  { weight: 1, arbitrary: fc.array(command, { minLength: 1, maxLength: most }) },
)
