/** Explains the mock's answer in an exchange: the rule behind a refusal, or the turn of the script. */
import type { JournalEntry } from '../journal/journal-entry.ts'
import { reasons } from '../reasons/reasons.ts'
import type { WorldHandle } from '../worlds/world-handle.ts'
import type { AdministeredMock } from './admin-route.ts'
import { nearMiss } from './near-miss.ts'

/** Rule, place in the contract and correction of a refusal; script and turn of an answer; rules of faults by name. */
export function explain(mock: AdministeredMock, world: WorldHandle, entry: JournalEntry) {
  const { reason, answeredBy, injected } = entry
  return {
    refusal: reason === null ? null : { reason, ...reasons[reason] },
    near: nearMiss(mock, world, entry),
    script: answeredBy === null ? null : { ...answeredBy, when: conditionOf(mock, answeredBy) },
    faults: injected.map((one) => ({ ...one, rule: mock.faults.rules().find(({ id }) => id === one.by) ?? null })),
  }
}

function conditionOf(
  { scenario }: AdministeredMock,
  { assistant, turn }: NonNullable<JournalEntry['answeredBy']>,
): unknown {
  if (turn === null) return null
  const script = scenario.source.assistants.find(({ name }) => name === assistant)
  return script?.turns[turn - 1]?.when ?? null
}
