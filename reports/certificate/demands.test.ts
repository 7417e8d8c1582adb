/** Tests each demand of a verifier by itself, and that newer clocks hide no old one. */
import { expect, test } from 'vitest'
import { sampleReport } from '../../test/reports/sample-report.ts'
import { notProvenBy } from './claims.ts'
import { type Demands, unmetDemands } from './demands.ts'
import { clockDifference, clocksInWords, oldestClock, type RecordingTimes } from './recording-times.ts'

const startedAtMs = Date.parse('2026-11-01T12:00:00.000Z')
const [minuteMs, dayMs] = [60_000, 86_400_000]
const times: RecordingTimes = {
  issuedAtMs: startedAtMs + 3 * minuteMs,
  startedAtMs,
  endedAtMs: startedAtMs + 2 * minuteMs,
  dates: [startedAtMs, startedAtMs + 2 * minuteMs],
  newestCreatedAtMs: startedAtMs + 2 * minuteMs,
}
const now = new Date(startedAtMs + dayMs).toISOString()
const report = sampleReport({ green: true })
const claims = {
  nonce: 'challenge-given-today-7731',
  product: { name: 'Harbour', version: '2.1' },
} as Parameters<typeof unmetDemands>[0]['claims']
const certified = { claims, keyId: 'a'.repeat(64), certificateId: 'b'.repeat(64), report, times, isAsked: true }

const unmet = (demands: Partial<Demands>, changed: Partial<typeof certified> = {}): readonly string[] =>
  unmetDemands({ ...certified, ...changed }, { outcome: 'any', ...demands }, now)

test.each<[Partial<Demands>, Partial<typeof certified>]>([
  [{ product: { name: 'Anchor' } }, {}],
  [{ product: { name: 'Harbour', version: '1.0' } }, {}],
  [{ target: 'https://other.example' }, {}],
  [{ nonce: true }, { isAsked: false }],
  [{ trustedKeyIds: ['c'.repeat(64)] }, {}],
  [{ revoked: [{ keyId: 'a'.repeat(64) }] }, {}],
  [{ tier: 'soak' }, {}],
  [{ levels: ['audit'] }, {}],
  [{ maxAgeDays: 0.5 }, {}],
  [{ maxAgeDays: 30 }, { times: { ...times, dates: [startedAtMs - 40 * dayMs, startedAtMs] } }],
  [{ maxAgeDays: 30 }, { times: { ...times, startedAtMs: Number.NaN } }],
  [{ maxAgeDays: 30 }, { times: { ...times, startedAtMs: startedAtMs - 40 * dayMs } }],
  [{ maxClockDifferenceMinutes: 5 }, { times: { ...times, dates: [startedAtMs - 9 * minuteMs, startedAtMs] } }],
  [{ maxClockDifferenceMinutes: 5 }, { times: { ...times, dates: [startedAtMs, startedAtMs + 9 * minuteMs] } }],
  [{ maxClockDifferenceMinutes: 5 }, { times: { ...times, newestCreatedAtMs: startedAtMs - dayMs } }],
  [{ maxClockDifferenceMinutes: 5 }, { times: { ...times, dates: null, newestCreatedAtMs: null } }],
])('%j is not met', (demands, changed) => {
  expect(unmet(demands, changed)).toHaveLength(1)
})

test.each<Partial<Demands>>([
  { product: { name: 'Harbour' } },
  { product: { name: 'Harbour', version: '2.1' } },
  { target: report.run.target },
  { nonce: true },
  { trustedKeyIds: ['c'.repeat(64), 'a'.repeat(64)] },
  { revoked: [{ keyId: 'c'.repeat(64) }] },
  { maxAgeDays: 1 },
  { maxClockDifferenceMinutes: 0 },
])('%j is met', (demands) => {
  expect(unmet(demands)).toEqual([])
})

test('clocks that disagree are told first, and those that agree are not', () => {
  const judged = { report, times, problems: [], notComparable: [], sameWording: true }
  const shown = { claims, judged, keyId: 'a', isTrusted: true, isAsked: true, now }
  expect(notProvenBy(shown).join('\n')).toMatch(/When it was made: clocks can be set\. By the clock/)
  const apart = { ...times, newestCreatedAtMs: startedAtMs - dayMs }
  expect(notProvenBy({ ...shown, judged: { ...judged, times: apart } }).join('\n')).toMatch(
    /clocks can be set\. The clocks disagree\. By the clock .* newest created_at is 24 h before the end\./,
  )
  expect([oldestClock(times), clockDifference(times)]).toEqual([startedAtMs, 0])
  expect(clocksInWords({ ...times, dates: null, newestCreatedAtMs: null }, now)).toContain('the target shows no clock')
})
