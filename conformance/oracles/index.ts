/** All oracles: one for each testable requirement, and a compile error for each one that is missing. */
import type { TestableId } from '../../spec/index.ts'
import { assistantsOracles } from './assistants.ts'
import { authOracles } from './auth.ts'
import { completionsOracles } from './completions.ts'
import { errorsOracles } from './errors.ts'
import { filesOracles } from './files.ts'
import { httpOracles } from './http.ts'
import type { Oracle } from './oracle.ts'
import { paginationOracles } from './pagination.ts'
import { resourcesOracles } from './resources.ts'
import { streamsOracles } from './streams.ts'
import { tenancyOracles } from './tenancy.ts'
import { threadsOracles } from './threads.ts'
import { toolsOracles } from './tools.ts'

export type { Oracle }

/** Requirement → the oracle that judges it. */
export const oracles: Readonly<Record<TestableId, Oracle>> = {
  ...httpOracles,
  ...authOracles,
  ...resourcesOracles,
  ...completionsOracles,
  ...streamsOracles,
  ...threadsOracles,
  ...toolsOracles,
  ...paginationOracles,
  ...assistantsOracles,
  ...filesOracles,
  ...tenancyOracles,
  ...errorsOracles,
}
