/**
 * Draws random conversations that are longer than the enumerated ones.
 * Each draws a subset of the commands first, so that some conversations are mostly messages and others mostly tools.
 */
import fc from 'fast-check'
import { trickyUnicode } from '../requests/tricky-unicode.ts'
import { type Conversation, type ConversationCommand, callsModel } from './command.ts'
import { advanceAsExpected, isPlayable, openingState } from './conversation-model.ts'
import { abstractCommands } from './enumerate-conversations.ts'

interface ConversationOptions {
  readonly minLength?: number
  readonly maxLength?: number
  /** How many commands may cost a model call; further ones are left out. */
  readonly maxModelCalls?: number
}

const contents = [...trickyUnicode.filter(({ grey }) => !grey).map(({ text }) => text), 'a'.repeat(4096)]

/** Conversations of random commands, each playable in its state. */
export function conversationArbitrary(options: ConversationOptions = {}): fc.Arbitrary<Conversation> {
  const { minLength = 4, maxLength = 24, maxModelCalls = Number.POSITIVE_INFINITY } = options
  const places = [...abstractCommands.keys()]
  const swarm = fc.subarray(places, { minLength: 6 })
  const step = fc.record({ pick: fc.nat(9999), content: fc.nat(contents.length * 2), index: fc.nat(3), limit: limits })
  const steps = fc.array(step, { minLength, maxLength, size: 'max' })
  return fc.tuple(swarm, steps).map(([chosen, dice]) => {
    let state = openingState
    let modelCalls = 0
    const commands: ConversationCommand[] = []
    for (const [position, die] of dice.entries()) {
      const playable = chosen.flatMap((place) => {
        const command = abstractCommands[place]
        if (command === undefined || !isPlayable(state, command)) return []
        return callsModel(command) && modelCalls >= maxModelCalls ? [] : [command]
      })
      const picked = playable[die.pick % Math.max(1, playable.length)]
      if (picked === undefined) continue
      const command = dressed(picked, die, position)
      commands.push(command)
      state = advanceAsExpected(state, command)
      if (callsModel(command)) modelCalls += 1
    }
    return { commands }
  })
}

const limits = fc.constantFrom(null, 1, 2, 3, 100)

/** A command with drawn contents and indices; contents differ within a conversation, so that a wrong order is visible. */
function dressed(
  command: ConversationCommand,
  { content, index, limit }: { content: number; index: number; limit: number | null },
  position: number,
): ConversationCommand {
  switch (command.kind) {
    case 'list':
      return { ...command, limit }
    case 'answer-tool':
      return { ...command, index, content: textOf(content, position) }
    case 'add-to-closed':
      return { ...command, closed: index, content: textOf(content, position) }
    case 'add-message':
    case 'complete':
      return command.content === '' ? command : { ...command, content: textOf(content, position) }
    default:
      return command
  }
}

function textOf(index: number, position: number): string {
  const hurtful = contents[index]
  return `${hurtful ?? 'Tell me about leases.'} #${position}`
}
