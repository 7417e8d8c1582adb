/** All oracles: one for each testable requirement, and a compile error for each one that is missing. */
import type { TestableId } from '../../../spec/index.ts'
import { assistantsOracles } from './assistants/assistants.ts'
import { authOracles } from './auth/auth.ts'
import { completionsOracles } from './completions/completions.ts'
import { errorsOracles } from './errors/errors.ts'
import { filesOracles } from './files/files.ts'
import { httpOracles } from './http/http.ts'
import { paginationOracles } from './pagination/pagination.ts'
import { resourcesOracles } from './resources/resources.ts'
import { streamsOracles } from './streams/streams.ts'
import type { ScopedOracle } from './support/oracle.ts'
import { tenancyOracles } from './tenancy/tenancy.ts'
import { threadsOracles } from './threads/threads.ts'
import { toolsOracles } from './tools/tools.ts'

/** Requirement → the oracle that judges it, and the evidence that this needs. */
export const oracles: Readonly<Record<TestableId, ScopedOracle>> = {
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
