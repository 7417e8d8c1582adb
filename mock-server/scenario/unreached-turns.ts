/**
 * Names the turns that can never answer, because one before them has no condition.
 * They break no rule, so the scenario is played; a warning tells its author.
 */
import type { Scenario, TurnScript } from './scenario.ts'

/** One line for each assistant with such turns: the place, the reason, the fix. */
export function unreachedTurns({ assistants }: Scenario): readonly string[] {
  return assistants.flatMap(({ name, turns }, index) => {
    const always = turns.findIndex(answersAlways)
    const unreached = always < 0 ? 0 : turns.length - always - 1
    if (unreached === 0) return []
    const place = `scenario: assistants[${index}].turns[${always + 1}]`
    const others = unreached === 1 ? ' is' : ` and ${unreached - 1} more after it are`
    return [
      `${place} ("${name}")${others} never reached, because turns[${always}] has no condition; put turns[${always}] last`,
    ]
  })
}

const answersAlways = ({ when }: TurnScript): boolean => when === undefined || Object.keys(when).length === 0
