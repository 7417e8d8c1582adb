/** Declares how schemas are read: further documents, and what a format means. */
import type { JsonObject } from '../../spec/index.ts'

export interface ValidatorOptions {
  /** Further schema documents by absolute URI, for references that leave the schema. */
  readonly documents?: Readonly<Record<string, JsonObject | boolean>>
  /** `annotate` ignores formats, the default of the 2020-12 dialect; `assert` is the default here. */
  readonly formats?: 'assert' | 'annotate'
}
