/** Breadth-first search for the states of the model, each with a shortest conversation that leads to it. */
import { COMMANDS, type Command, START, type State } from './commands.ts'
import { expected, type Outcome } from './model.ts'

type Reached = { readonly state: State; readonly path: readonly Command[] }

/** Two or more open tool calls count as one class: the table makes no difference between them. */
export function keyOf(state: State): string {
  return JSON.stringify({ ...state, calls: Math.min(state.calls, 2) })
}

/** The states reached by commands that pass the filter, within a number of steps. */
export function reachable(
  passes: (outcome: Outcome, command: Command) => boolean,
  { steps = Number.POSITIVE_INFINITY, commands = COMMANDS }: { steps?: number; commands?: readonly Command[] } = {},
): readonly Reached[] {
  const reached = new Map<string, Reached>([[keyOf(START), { state: START, path: [] }]])
  // A map lists the entries added during the loop as well, in order: it is the queue of the search.
  for (const { state, path } of reached.values()) {
    if (path.length >= steps) continue
    for (const command of commands) {
      const { outcome, next } = expected(state, command)
      if (!passes(outcome, command) || reached.has(keyOf(next))) continue
      reached.set(keyOf(next), { state: next, path: [...path, command] })
    }
  }
  return [...reached.values()]
}
