/**
 * Lists the deviations of the mock, each under the one requirement that it breaks.
 * By its type the table covers every testable requirement; nothing outside of this folder knows how a deviation works.
 */
import type { Chapter, RequirementId } from '../../spec/index.ts'
import type { Deviation } from '../exchange/hooks.ts'
import { assistantDeviations } from './assistants/assistants.ts'
import { authDeviations } from './auth/auth.ts'
import collateral from './collateral.json' with { type: 'json' }
import { completionDeviations } from './completions/completions.ts'
import type { DeviationRow, DeviationTable } from './deviation-row.ts'
import { errorDeviations } from './errors/errors.ts'
import { fileDeviations } from './files/files.ts'
import { httpDeviations } from './http/http.ts'
import { paginationDeviations } from './pagination/pagination.ts'
import { resourceDeviations } from './resources/resources.ts'
import { streamDeviations } from './streams/streams.ts'
import { tenancyDeviations } from './tenancy/tenancy.ts'
import { threadDeviations } from './threads/threads.ts'
import { toolDeviations } from './tools/tools.ts'

const table: DeviationTable<Chapter> = {
  ...httpDeviations,
  ...authDeviations,
  ...resourceDeviations,
  ...completionDeviations,
  ...streamDeviations,
  ...threadDeviations,
  ...toolDeviations,
  ...paginationDeviations,
  ...assistantDeviations,
  ...fileDeviations,
  ...tenancyDeviations,
  ...errorDeviations,
}

type Entry = readonly DeviationRow[] | { readonly cannot: string }
const entries = Object.entries(table) as readonly (readonly [RequirementId, Entry])[]

/** What each deviation violates besides, as the last whole proof measured it. */
const measured = collateral as Readonly<Record<string, readonly RequirementId[]>>

/** All deviations, in the order of the requirements. */
export const deviations: readonly Deviation[] = entries.flatMap(([requirement, entry]) =>
  'cannot' in entry
    ? []
    : entry.map((row): Deviation => ({ ...row, requirement, alsoViolates: measured[row.id] ?? [] })),
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
