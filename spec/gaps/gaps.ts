/**
 * Collects all gaps in the order of the chapters.
 * `acs list gaps` prints them.
 */
import type { Gap } from '../gap.ts'
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

export const gaps = [
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

export type GapId = (typeof gaps)[number]['id']

const byId: ReadonlyMap<string, Gap> = new Map(gaps.map((gap) => [gap.id, gap]))

/** The gap with this id, or `undefined`. */
export const gapOf = (id: string): Gap | undefined => byId.get(id)
