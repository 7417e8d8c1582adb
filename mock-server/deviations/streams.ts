/** Deviations of chapter streams, gathered from the files of its parts. */
import type { DeviationTable } from './deviation-row.ts'
import { streamContents } from './stream-contents.ts'
import { streamDeltas } from './stream-deltas.ts'
import { streamLines } from './stream-lines.ts'
import { streamRefusals } from './stream-refusals.ts'

export const streams = {
  ...streamContents,
  ...streamDeltas,
  ...streamLines,
  ...streamRefusals,
} as const satisfies DeviationTable<'streams'>
