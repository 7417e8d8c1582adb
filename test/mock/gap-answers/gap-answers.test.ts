/**
 * Holds the column `mockAnswer` of the gaps to the mock: each gap has a case that asks a running mock.
 * `acs list gaps` and the documents show that column, and a client author builds on it.
 */
import { expect, test } from 'vitest'
import { type GapId, gapOf, gaps } from '../../../spec/index.ts'
import { assistantsCases, completionsCases } from './completion-cases.ts'
import { streamsCases, threadsCases } from './conversation-cases.ts'
import { filesCases } from './file-cases.ts'
import { type GapCase, gapSetup } from './gap-case.ts'
import { authCases, errorsCases, httpCases, resourcesCases, tenancyCases } from './service-cases.ts'
import { paginationCases, toolsCases } from './tool-cases.ts'

const cases = {
  ...httpCases,
  ...authCases,
  ...resourcesCases,
  ...completionsCases,
  ...streamsCases,
  ...threadsCases,
  ...toolsCases,
  ...paginationCases,
  ...assistantsCases,
  ...filesCases,
  ...tenancyCases,
  ...errorsCases,
} satisfies Record<GapId, GapCase>

test.each(gaps.map(({ id }) => id))('the mock answers %s as its row says', async (id) => {
  await using setup = await gapSetup()
  expect(await cases[id](setup)).toBe(gapOf(id)?.mockAnswer)
})
