/**
 * Collects all gaps in the order of the chapters.
 * `acs list gaps` prints them.
 */
import type { Gap, GapRow } from '../gap.ts'
import { assistantsGaps } from './assistants.ts'
import { authGaps } from './auth.ts'
import { completionsGaps } from './completions.ts'
import { errorsGaps } from './errors.ts'
import { filesGaps } from './files.ts'
import { httpGaps } from './http.ts'
import { paginationGaps } from './pagination.ts'
import { resourcesGaps } from './resources.ts'
import { streamsGaps } from './streams.ts'
import { tenancyGaps } from './tenancy.ts'
import { threadsGaps } from './threads.ts'
import { toolsGaps } from './tools.ts'

const rows = [
  ...httpGaps,
  ...authGaps,
  ...resourcesGaps,
  ...completionsGaps,
  ...streamsGaps,
  ...threadsGaps,
  ...toolsGaps,
  ...paginationGaps,
  ...assistantsGaps,
  ...filesGaps,
  ...tenancyGaps,
  ...errorsGaps,
] as const

export type GapId = (typeof rows)[number]['id']

const gapRows: readonly (GapRow & { readonly id: GapId })[] = rows

/** All gaps, complete, in the order of the chapters; the fields in the order in which `acs list gaps --json` prints them. */
export const gaps: readonly (Gap & { readonly id: GapId })[] = gapRows.map(
  ({ id, question, section, mark = 'silent', answers, consistency = null, mockAnswer, operations = [] }) => ({
    id,
    question,
    section,
    mark,
    answers,
    consistency,
    mockAnswer,
    operations,
  }),
)

const byId: ReadonlyMap<string, Gap> = new Map(gaps.map((gap) => [gap.id, gap]))

/** The gap with this id, or `undefined`. */
export const gapOf = (id: string): Gap | undefined => byId.get(id)
