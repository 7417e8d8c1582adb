/** The mock against the model: every command in every state that the mock reaches, and random conversations. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Snapshot } from '../../mock-server/index.ts'
import { COMMANDS, type Command } from './commands.ts'
import { conversation, movesThread } from './likely-commands.ts'
import { beginning, modelMock, type Played, type Position, playerOf, sendInto } from './mock-conversation.ts'
import { keyOf } from './reachable.ts'

interface Place {
  readonly at: Position
  readonly path: readonly Command[]
  readonly snapshot: Snapshot
}

/** How many random conversations; when it is set, every command is also played in every state. */
const runs = process.env.ACS_MODEL_RUNS
/** In a short run each state gets the commands that move a thread, and every so many of the others, in turn. */
const stride = runs === undefined ? 64 : 1

const told = (path: readonly Command[], played: Played): string =>
  `${path.map((command) => JSON.stringify(command)).join('\n  ')}\n    ${played.disagreement}`

test('the mock does what the model says for every command in every state that it reaches', {
  timeout: 600_000,
}, async () => {
  await using mock = await modelMock()
  const world = mock.world()
  const play = playerOf(mock, sendInto(world))
  const places = new Map<string, Place>([
    [keyOf(beginning.state), { at: beginning, path: [], snapshot: world.snapshot() }],
  ])
  const disagreements: string[] = []
  const counts = { states: 0, requests: 0, deepest: 0 }
  // A map lists the entries added during the loop as well, in order: it is the queue of the search.
  for (const { at, path, snapshot } of places.values()) {
    counts.states += 1
    counts.deepest = Math.max(counts.deepest, path.length)
    world.restore(snapshot)
    for (const [index, command] of COMMANDS.entries()) {
      if (!movesThread(command) && (index + counts.states) % stride !== 0) continue
      const played = await play(at, command)
      counts.requests += 1
      const whole = [...path, command]
      if (played.disagreement !== null) disagreements.push(told(whole, played))
      const key = keyOf(played.position.state)
      if (!places.has(key)) places.set(key, { at: played.position, path: whole, snapshot: world.snapshot() })
      if (played.accepted && command.kind !== 'list') world.restore(snapshot)
    }
  }
  expect(disagreements).toEqual([])
  expect(counts).toEqual({ states: 156, requests: runs === undefined ? 3767 : 45_084, deepest: 6 })
})

test('the mock does what the model says in random conversations', { timeout: 36_000_000 }, async () => {
  await using mock = await modelMock()
  const world = mock.world()
  const play = playerOf(mock, sendInto(world))
  await fc.assert(
    fc.asyncProperty(conversation, async (commands) => {
      world.reset()
      let at = beginning
      for (const [index, command] of commands.entries()) {
        const played = await play(at, command)
        if (played.disagreement !== null) throw new Error(told(commands.slice(0, index + 1), played))
        at = played.position
      }
    }),
    { seed: 7, numRuns: Number(runs ?? 100) },
  )
})
