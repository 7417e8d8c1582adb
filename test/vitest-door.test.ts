/** Tests `acs-kit/vitest` as a team uses it: the mock as a fetch handler, one test for each requirement. */

import { expect, test } from 'vitest'
import { referenceProfile } from '../cli/reference-profile.ts'
import { conformance } from '../conformance/vitest.ts'
import { createMock } from '../mock-server/index.ts'

const mock = await createMock({})

conformance({ fetch: (request) => mock.fetch(request), profile: referenceProfile('http://acs.test'), seed: 1 })

test('a URL without a profile is told in a sentence, and declares no test', () => {
  const options = { url: 'http://127.0.0.1:8080' } as Parameters<typeof conformance>[0]
  expect(() => conformance(options)).toThrow(/^conformance\(\) needs a profile: .* acs init writes$/)
})
