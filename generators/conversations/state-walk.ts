/**
 * Chooses the next message of a thread so that few messages lead through all states that are still wanted.
 * Pure: the caller names the wanted states and the moves that a target refuses.
 */
import { movesFrom, nextState, type ThreadCommand, type ThreadState } from './thread-states.ts'

interface WalkWishes {
  /** Whether a request is still wanted in the state. */
  readonly isWanted: (state: ThreadState) => boolean
  /** Whether the move itself is still wanted. */
  readonly isWantedMove: (state: ThreadState, command: ThreadCommand) => boolean
  /** Whether the move can be tried: the target has not refused a similar one, and the budget allows it. */
  readonly isPossible: (state: ThreadState, command: ThreadCommand) => boolean
  /** Decides between equally good moves: the lower one first. */
  readonly rank: (command: ThreadCommand, state: ThreadState) => number
}

/** The first step of a shortest path to a wanted request, or `null` when this thread leads to none. */
export function nextMove(from: ThreadState, wishes: WalkWishes): ThreadCommand | null {
  // A user message cannot be removed, so requests without one come first.
  const withoutUser = from.hasUser ? null : firstStep(from, wishes, (command) => command !== 'user')
  return withoutUser ?? firstStep(from, wishes, () => true)
}

interface Way {
  readonly state: ThreadState
  readonly first: ThreadCommand | null
}

function firstStep(
  from: ThreadState,
  { isWanted, isWantedMove, isPossible, rank }: WalkWishes,
  isAllowed: (command: ThreadCommand) => boolean,
): ThreadCommand | null {
  const found = new Map<string, Way>([[JSON.stringify(from), { state: from, first: null }]])
  // A map also visits entries added during the loop: it is the queue of the search.
  for (const { state, first } of found.values()) {
    if (first !== null && isWanted(state)) return first
    const moves = movesFrom(state)
      .filter((command) => isAllowed(command) && isPossible(state, command))
      .sort((left, right) => rank(left, state) - rank(right, state))
    const wanted = moves.find((command) => isWantedMove(state, command))
    if (wanted !== undefined) return first ?? wanted
    for (const command of moves) {
      const next = nextState(state, command)
      const key = JSON.stringify(next)
      if (!found.has(key)) found.set(key, { state: next, first: first ?? command })
    }
  }
  return null
}
