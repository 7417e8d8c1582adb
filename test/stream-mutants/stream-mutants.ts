/** Applies all stream operators to one stream. */
import type { Json } from '../../spec/index.ts'
import { contentMutants } from './content-mutants.ts'
import { framingMutants } from './framing-mutants.ts'
import type { StreamMutant } from './stream-mutant.ts'

/** Every stream mutant of the values of a valid stream, except the giant line and the two-piece splits, which are many bytes. */
export function streamMutants(values: readonly Json[]): readonly StreamMutant[] {
  return [...framingMutants(values), ...contentMutants(values)]
}
