/** Tests `acs-kit/vitest` as a team uses it: the mock as a fetch handler, one test for each requirement. */

import { referenceProfile } from '../cli/reference-profile.ts'
import { conformance } from '../conformance/vitest.ts'
import { createMock } from '../mock-server/index.ts'

const mock = await createMock({})

conformance({ fetch: (request) => mock.fetch(request), profile: referenceProfile('http://acs.test'), seed: 1 })
