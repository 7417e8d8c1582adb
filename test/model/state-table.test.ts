/** The state table of the generators against the model that was written from the contract alone. */
import { expect, test } from 'vitest'
import { expectationOf, pairKey, statePairs, type ThreadCommand } from '../../generators/index.ts'
import { type Command, START, type State } from './commands.ts'
import { expected } from './model.ts'

const thread = { target: 'own' } as const
const message = (
  name: Extract<Command, { kind: 'create' }>['message'],
  content: 'text' | 'empty' = 'text',
): Command => ({
  ...thread,
  kind: 'create',
  message: name,
  content,
})
const run = (form: 'whole' | 'stream'): Command => ({ ...thread, kind: 'run', form, assistant: 'own', tools: false })

const commands: Readonly<Record<ThreadCommand, Command>> = {
  user: message('user'),
  system: message('system'),
  assistant: message('assistant'),
  'ask-one': message('asking-one'),
  'ask-two': message('asking-two'),
  result: message('tool-open'),
  'unknown-result': message('tool-unknown'),
  'empty-content': message('user', 'empty'),
  run: run('whole'),
  stream: run('stream'),
  list: { ...thread, kind: 'list', query: 'default' },
}

test.each(statePairs.map((pair) => [pairKey(pair), pair] as const))('table and model agree: %s', (_, pair) => {
  const { last, hasUser, openCalls } = pair.state
  const state: State = { ...START, origin: 'direct', last, hasUser: hasUser ? 'yes' : 'no', calls: openCalls }
  const { outcome } = expected(state, commands[pair.command])
  const said = outcome === 'accepted' ? 'accepted' : 'refused' in outcome ? 'refused' : 'open'
  const owed = expectationOf(pair.state, pair.command)
  // The table may leave open what the model takes for owed, never the other way round.
  expect(owed === 'open' && said !== 'refused' ? said : owed).toBe(said)
})
