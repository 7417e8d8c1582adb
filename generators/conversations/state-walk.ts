/**
 * Chooses the next message of a thread so that few messages lead through all states that are still wanted.
 * Pure: the caller says what is wanted and which moves a target does not take.
 */
import { movesFrom, nextState, type ThreadCommand, type ThreadState } from './thread-states.ts'

interface WalkWishes {
  /** Whether something is still to be asked in the state. */
  readonly isWanted: (state: ThreadState) => boolean
  /** Whether the move itself is still to be asked. */
  readonly isWantedMove: (state: ThreadState, command: ThreadCommand) => boolean
  /** Whether the move can be tried: the target has not refused its like, and it costs nothing that is not left. */
  readonly isPossible: (state: ThreadState, command: ThreadCommand) => boolean
  /** Decides between moves that are as good: the lower one first. */
  readonly rank: (command: ThreadCommand, state: ThreadState) => number
}

/** The first step of a shortest way to something wanted, or `null` when this thread leads to nothing more. */
export function nextMove(from: ThreadState, wishes: WalkWishes): ThreadCommand | null {
  // A user message can never be taken back, so what is wanted without one comes first.
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
  // A map lists what is added during the loop as well: it is the queue of the search.
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
