/** What a mock says when it is up: a mock that is wrong on purpose has to say so. */
import { expect, test } from 'vitest'
import { mockBanner } from './mock-banner.ts'

const cast = { tenants: [] }

test('deviations and variants stand right below the URL', () => {
  const overridden = { deviate: ['threads.run-answer-not-stored'], variant: ['http.every-success-200'] }
  expect(mockBanner('http://127.0.0.1:1', cast, overridden, false).split('\n').slice(0, 4)).toEqual([
    'ACS mock on http://127.0.0.1:1  (Ctrl-C stops it)',
    'inspector http://127.0.0.1:1/_acs/ui',
    'violates  threads.run-answer-not-stored',
    'varies    http.every-success-200',
  ])
})

test('a mock that is right says nothing of the kind', () => {
  expect(mockBanner('http://127.0.0.1:1', cast, { deviate: [], variant: [] }, false)).not.toMatch(/violates|varies/)
})
