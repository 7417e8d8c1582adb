/** Tests the generated conversations and the model of their legal outcomes. */
import { expect, test } from 'vitest'
import { sampler } from '../random/sampler.ts'
import { type ConversationCommand, openingThreads, threadCommands, threadlessCommands } from './command.ts'
import { conversationArbitrary } from './conversation-arbitrary.ts'
import { admissible, advanceAsExpected, isPlayable, openCalls, openingState } from './conversation-model.ts'
import { abstractCommands, enumerateConversations } from './enumerate-conversations.ts'

const [askUser, , askAssistant, sayNothing, askTool, answer, , , invent, run, streamRun, , foreignAdd, foreignList] =
  threadCommands(0) as [
    ConversationCommand,
    ConversationCommand,
    ConversationCommand,
    ConversationCommand,
    ConversationCommand,
    ConversationCommand,
    ConversationCommand,
    ConversationCommand,
    ConversationCommand,
    ConversationCommand,
    ConversationCommand,
    ConversationCommand,
    ConversationCommand,
    ConversationCommand,
  ]
const after = (...commands: readonly ConversationCommand[]) => commands.reduce(advanceAsExpected, openingState)
const accept = (command: ConversationCommand, ...before: readonly ConversationCommand[]) =>
  admissible(after(...before), command).accept

test('a run needs a user message, and no open tool call', () => {
  expect(accept(run)).toBe('must-not')
  expect(accept(run, askAssistant)).toBe('must-not')
  expect(accept(run, askUser)).toBe('must')
  expect(accept(run, askUser, askTool)).toBe('must-not')
  expect(accept(run, askUser, askTool, answer)).toBe('must')
})

test('a streamed run needs a user or tool message at the end; a plain run does not', () => {
  expect(accept(streamRun, askUser, askAssistant)).toBe('must-not')
  expect(accept(run, askUser, askAssistant)).toBe('may')
  expect(accept(streamRun, askUser)).toBe('must')
})

test('a tool message needs its call in this thread', () => {
  expect(admissible(after(askTool), answer).accept).toBe('must')
  expect(admissible(after(askTool), invent)).toMatchObject({
    accept: 'must-not',
    errorCodes: ['tool_message_has_no_matching_tool_call'],
  })
  const elsewhere = threadCommands(1).find(
    (command) => command.kind === 'answer-tool' && command.call === 'of-another-thread',
  )
  expect(elsewhere && isPlayable(after(askTool), elsewhere)).toBe(true)
  expect(elsewhere && accept(elsewhere, askTool)).toBe('must-not')
  expect(isPlayable(openingState, answer)).toBe(false)
})

test('empty content, foreign and closed threads are rejected with the code of the contract', () => {
  expect(admissible(openingState, sayNothing).errorCodes).toEqual(['message_content_empty'])
  for (const command of [foreignAdd, foreignList])
    expect(admissible(openingState, command).errorCodes).toEqual(['thread_not_found'])
  const [complete, , foreignAssistant, , addToClosed] = threadlessCommands as [
    ConversationCommand,
    ConversationCommand,
    ConversationCommand,
    ConversationCommand,
    ConversationCommand,
  ]
  expect(admissible(openingState, foreignAssistant).errorCodes).toEqual(['assistant_not_available'])
  expect(isPlayable(openingState, addToClosed)).toBe(false)
  expect(accept(addToClosed, complete)).toBe('must-not')
})

test('a refused command changes nothing, an accepted one only its thread', () => {
  expect(after(sayNothing, invent, foreignAdd)).toBe(openingState)
  const [first, ...others] = after(askUser).threads
  expect(first?.entries).toHaveLength(1)
  expect(others).toEqual(openingState.threads.slice(1))
})

test('every symmetry class of sequences up to length three appears once', () => {
  const all = [...enumerateConversations(3)]
  const ofLength = (length: number) => all.filter(({ commands }) => commands.length === length).length
  expect([1, 2, 3].map(ofLength)).toMatchInlineSnapshot(`
    [
      24,
      634,
      18065,
    ]
  `)
  expect(new Set(all.map((conversation) => JSON.stringify(conversation))).size).toBe(all.length)
  const kinds = new Set(all.flatMap(({ commands }) => commands.map((command) => abstractCommands.indexOf(command))))
  // Answering a call twice takes four commands on the second thread, and three on the first.
  expect(kinds.size).toBe(abstractCommands.length - 1)
})

test('random conversations are playable, use both tenants and several threads, and respect the limit of model calls', () => {
  const conversations = sampler(21).sample(conversationArbitrary({ maxModelCalls: 2 }), 200)
  for (const { commands } of conversations) {
    let state = openingState
    for (const command of commands) {
      expect(isPlayable(state, command)).toBe(true)
      state = advanceAsExpected(state, command)
      if ('thread' in command) expect(command.thread).toBeLessThan(openingThreads.length)
    }
    expect(commands.filter(({ kind }) => kind === 'run' || kind === 'complete').length).toBeLessThanOrEqual(2)
  }
  const speakers = new Set(conversations.flatMap(({ commands }) => commands.map(({ as }) => as)))
  expect(speakers.size).toBe(2)
  expect(
    conversations.some(
      ({ commands }) =>
        openCalls(
          commands.reduce(advanceAsExpected, openingState).threads[0] ?? {
            tenant: 'primary',
            closed: false,
            entries: [],
          },
        ).length > 0,
    ),
  ).toBe(true)
})

test('one seed gives one conversation', () => {
  const [first] = sampler(4).sample(conversationArbitrary({ minLength: 5, maxLength: 8 }), 1)
  expect(first?.commands.map(({ kind }) => kind)).toMatchInlineSnapshot(`
    [
      "add-message",
      "add-message",
      "run",
      "add-message",
      "add-message",
      "add-message",
      "run",
      "list",
    ]
  `)
})
