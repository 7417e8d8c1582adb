/** Exports the gaps. */
export { type GapId, gapOf, gaps } from './gaps.ts'
