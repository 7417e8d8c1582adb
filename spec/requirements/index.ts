/** All requirement rows in the order of the chapters, and the types that make a missing oracle a compile error. */

import type { OperationId } from '../operations.ts'
import type { Chapter, Obligation, Requirement } from '../requirement.ts'
import { assistants } from './assistants.ts'
import { auth } from './auth.ts'
import { completions } from './completions.ts'
import { errors } from './errors.ts'
import { files } from './files.ts'
import { http } from './http.ts'
import { pagination } from './pagination.ts'
import { resources } from './resources.ts'
import { streams } from './streams.ts'
import { tenancy } from './tenancy.ts'
import { threads } from './threads.ts'
import { tools } from './tools.ts'

export const requirements = [
  ...http,
  ...auth,
  ...resources,
  ...completions,
  ...streams,
  ...threads,
  ...tools,
  ...pagination,
  ...assistants,
  ...files,
  ...tenancy,
  ...errors,
] as const

type Row = (typeof requirements)[number]
export type RequirementId = Row['id']
/** Ids of the rows of a chapter (or of all) that a black box can judge. */
export type TestableId<C extends Chapter = Chapter> = Extract<
  Exclude<Row, { readonly excluded: string }>['id'],
  `${C}.${string}`
>

const byId: ReadonlyMap<string, Requirement> = new Map(requirements.map((row) => [row.id, row]))

/** The row with this id, or `undefined`. */
export const requirementOf = (id: string): Requirement | undefined => byId.get(id)

/** The chapter in which a requirement (or gap) stands. */
export const chapterOf = (id: string): Chapter => id.slice(0, id.indexOf('.')) as Chapter

export const isTestable = (row: Requirement): boolean => row.excluded === undefined

/** Every obligation that the rows make, in the order of the rows: requirement × operation × facet. */
export const obligations: readonly Obligation[] = (requirements as readonly Requirement[])
  .filter(isTestable)
  .flatMap((row) =>
    (Object.entries(row.owedBy) as [OperationId, readonly string[]][]).flatMap(([operation, facets]) =>
      (facets.length === 0 ? [null] : facets).map((facet) => ({ requirement: row.id, operation, facet })),
    ),
  )
