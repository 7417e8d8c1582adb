/** Deviations of chapter streams, gathered from the files of its parts. */
import type { DeviationTable } from '../deviation-row.ts'
import { streamContents } from './contents.ts'
import { streamDeltas } from './deltas.ts'
import { streamLines } from './lines.ts'
import { streamRefusals } from './rejections.ts'

export const streamDeviations = {
  ...streamContents,
  ...streamDeltas,
  ...streamLines,
  ...streamRefusals,
} as const satisfies DeviationTable<'streams'>
