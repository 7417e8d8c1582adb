/** All benign variants, by chapter. */
import { fileVariants } from './files.ts'
import { httpVariants } from './http.ts'
import { paginationVariants } from './pagination.ts'
import { refusalVariants } from './rejection-formats.ts'
import { readingVariants } from './request-leniency.ts'
import { resourceVariants } from './resources.ts'
import { streamVariants } from './streams.ts'
import { threadVariants } from './threads.ts'
import { troubleVariants } from './upstream-errors.ts'
import type { Variant } from './variant.ts'

export const variants: readonly Variant[] = [
  ...httpVariants,
  ...refusalVariants,
  ...readingVariants,
  ...resourceVariants,
  ...streamVariants,
  ...threadVariants,
  ...troubleVariants,
  ...paginationVariants,
  ...fileVariants,
]
