/** Deviations of chapter streams, gathered from the files of its parts. */
import type { DeviationTable } from '../deviation-row.ts'
import { streamContents } from './contents.ts'
import { streamDeltas } from './deltas.ts'
import { streamLines } from './lines.ts'
import { streamRefusals } from './rejections.ts'
import { storedSources } from './stored-sources.ts'

export const streamDeviations = {
  ...streamContents,
  ...streamDeltas,
  ...streamLines,
  ...streamRefusals,
  ...storedSources,
} as const satisfies DeviationTable<'streams'>
