/** Tests that dates of HTTP mean the same in every zone of the machine. */
import { afterEach, expect, test, vi } from 'vitest'
import { httpDateMs } from './http-date.ts'

afterEach(() => vi.unstubAllEnvs())

const forms = [
  'Sun, 06 Nov 1994 08:49:37 GMT',
  'Sunday, 06-Nov-94 08:49:37 GMT',
  'Sun Nov  6 08:49:37 1994',
  '1994-11-06T08:49:37Z',
  'Sun, 06 Nov 1994 10:49:37 +0200',
]

test.each(['UTC', 'Asia/Kolkata', 'America/New_York'])('each form is read as GMT where the zone is %s', (zone) => {
  vi.stubEnv('TZ', zone)
  expect(new Set(forms.map(httpDateMs))).toEqual(new Set([Date.UTC(1994, 10, 6, 8, 49, 37)]))
})

test.each(['', 'soon', 'then GMT'])('%s is no date', (text) => {
  expect(httpDateMs(text)).toBeNaN()
})
