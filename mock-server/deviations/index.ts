/**
 * The deviations of the mock: named violations of the contract, each under the one requirement that it is made to break.
 * The table covers every testable requirement by type; nothing outside of this folder knows how a deviation works.
 */
import type { Chapter, RequirementId } from '../../spec/index.ts'
import type { Deviation } from '../seams.ts'
import { assistants } from './assistants.ts'
import { auth } from './auth.ts'
import { completions } from './completions.ts'
import type { DeviationRow, DeviationTable } from './deviation-row.ts'
import { errors } from './errors.ts'
import { files } from './files.ts'
import { http } from './http.ts'
import { pagination } from './pagination.ts'
import { resources } from './resources.ts'
import { streams } from './streams.ts'
import { tenancy } from './tenancy.ts'
import { threads } from './threads.ts'
import { tools } from './tools.ts'

const table: DeviationTable<Chapter> = {
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
}

type Entry = readonly DeviationRow[] | { readonly cannot: string }
const entries = Object.entries(table) as readonly (readonly [RequirementId, Entry])[]

/** All deviations, in the order of the requirements. */
export const deviations: readonly Deviation[] = entries.flatMap(([requirement, entry]) =>
  'cannot' in entry ? [] : entry.map((row): Deviation => ({ ...row, requirement })),
)

/** Testable requirements that no deviation can break, with the reason. */
export const withoutDeviation: ReadonlyMap<RequirementId, string> = new Map(
  entries.flatMap(([requirement, entry]) => ('cannot' in entry ? [[requirement, entry.cannot] as const] : [])),
)

const byId: ReadonlyMap<string, Deviation> = new Map(deviations.map((deviation) => [deviation.id, deviation]))

/** The deviation with this id, or `undefined`. */
export const deviationOf = (id: string): Deviation | undefined => byId.get(id)

/** The deviations that are made to break a requirement. */
export const deviationsOf = (requirement: RequirementId): readonly Deviation[] =>
  deviations.filter((deviation) => deviation.requirement === requirement)
