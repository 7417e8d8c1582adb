/**
 * Proposes a sentence for each gap that the contract could adopt, from the observations.
 */
import type { Gap } from '../../../spec/index.ts'

/** Text that would close the gap with the behaviour of this target. */
export function proposalFor({ question, section }: Gap, value: string): string {
  return `${section}: ${question} Answer: ${value}.`
}
