/**
 * Collects all requirement rows in the order of the chapters.
 * The types of their ids make a missing oracle a compile error.
 */

import type { Chapter } from '../chapters.ts'
import type { OperationId } from '../operations.ts'
import type { Obligation, Requirement } from '../requirement.ts'
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

const rows = [
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

type Row = (typeof rows)[number]
export type RequirementId = Row['id']
/** Ids of the rows that a black-box suite can judge, of one chapter or of all. */
export type TestableId<C extends Chapter = Chapter> = Extract<
  Exclude<Row, { readonly excluded: string }>['id'],
  `${C}.${string}`
>

/** All rows, complete, in the order of the chapters. */
export const requirements: readonly (Requirement & { readonly id: RequirementId })[] = rows.map(({ id, ...row }) => ({
  id,
  level: 'must',
  ...row,
}))

const byId: ReadonlyMap<string, Requirement> = new Map(requirements.map((row) => [row.id, row]))

/** The row with this id, or `undefined`. */
export const requirementOf = (id: string): Requirement | undefined => byId.get(id)

export const isTestable = (row: Requirement): boolean => row.excluded === undefined

/** Every obligation (requirement × operation × facet) in the order of the rows. */
export const obligations: readonly Obligation[] = requirements
  .filter(isTestable)
  .flatMap((row) =>
    (Object.entries(row.owedBy) as [OperationId, readonly string[]][]).flatMap(([operation, facets]) =>
      (facets.length === 0 ? [null] : facets).map((facet) => ({ requirement: row.id, operation, facet })),
    ),
  )
