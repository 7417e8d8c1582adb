/**
 * A sentence for each gap that the contract could adopt, made from what was observed.
 */
import type { Gap } from '../../../spec/index.ts'

/** Text that would close the gap in the way of this target. */
export function proposalFor({ question, section }: Gap, value: string): string {
  return `${section}: ${question} Answer: ${value}.`
}
