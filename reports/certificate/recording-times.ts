/**
 * Reads the clocks in a certificate: the vendor's (issued, recording started) and the target's own (Date headers,
 * created_at). None of them is trusted, but one that was set back disagrees with the others.
 */
import type { Exchange, Trace } from '../../conformance/index.ts'
import { headerValue } from '../header-value.ts'

export interface RecordingTimes {
  readonly issuedAtMs: number
  readonly startedAtMs: number
  readonly endedAtMs: number
  /** First and last Date header of the target, Unix milliseconds. */
  readonly dates: readonly [firstMs: number, lastMs: number] | null
  /** The newest created_at in an answer. */
  readonly newestCreatedAtMs: number | null
}

/** Reads every clock of a recording. */
export function recordingTimes({ header, footer, exchanges }: Trace, issuedAt: string): RecordingTimes {
  const startedAtMs = Date.parse(header.startedAt)
  const dates = exchanges.flatMap(dateOf)
  const created = exchanges.flatMap(createdIn)
  return {
    issuedAtMs: Date.parse(issuedAt),
    startedAtMs,
    endedAtMs: startedAtMs + (footer?.durationMs ?? 0),
    dates: dates.length === 0 ? null : [lowest(dates), highest(dates)],
    newestCreatedAtMs: created.length === 0 ? null : highest(created),
  }
}

/** The latest possible time of the recording, by the oldest clock. */
export function oldestClock({ issuedAtMs, startedAtMs, dates }: RecordingTimes): number {
  return Math.min(issuedAtMs, startedAtMs, dates?.[0] ?? startedAtMs)
}

/** The largest difference between the clock of the recording and one of the target's, milliseconds; `null` without one. */
export function clockDifference({ startedAtMs, endedAtMs, dates, newestCreatedAtMs }: RecordingTimes): number | null {
  const differences = [
    ...(dates === null ? [] : [dates[0] - startedAtMs, dates[1] - endedAtMs]),
    ...(newestCreatedAtMs === null ? [] : [newestCreatedAtMs - endedAtMs]),
  ]
  return differences.length === 0 ? null : highest(differences.map(Math.abs))
}

/** The times of the clocks, in one sentence. */
export function clocksInWords(times: RecordingTimes, now: string): string {
  const { issuedAtMs, startedAtMs, endedAtMs, dates, newestCreatedAtMs } = times
  const targets = [
    ...(dates === null ? [] : [`its first Date header is ${distance(dates[0] - startedAtMs)} the start`]),
    ...(newestCreatedAtMs === null
      ? []
      : [`its newest created_at is ${distance(newestCreatedAtMs - endedAtMs)} the end`]),
  ]
  const sinceNow = distance(issuedAtMs - Date.parse(now))
  const own = `By the clock of the recording it started ${isoSeconds(startedAtMs)} and was signed ${distance(issuedAtMs - endedAtMs)} its end, ${sinceNow === 'at' ? 'just' : sinceNow} now by your clock`
  return targets.length === 0
    ? `${own}; the target shows no clock.`
    : `${own}; by the target's clock ${targets.join(', ')}.`
}

/** `3 min after`; within a second it is `at`. */
function distance(ms: number): string {
  if (Math.abs(ms) < 1500) return 'at'
  const [size, unit] = scaleOf(Math.abs(ms))
  return `${Math.round(Math.abs(ms) / size)} ${unit} ${ms < 0 ? 'before' : 'after'}`
}

function scaleOf(ms: number): readonly [number, string] {
  if (ms < 90_000) return [1000, 's']
  if (ms < 90 * 60_000) return [60_000, 'min']
  return ms < 36 * 3_600_000 ? [3_600_000, 'h'] : [86_400_000, 'days']
}

function isoSeconds(ms: number): string {
  return Number.isNaN(ms) ? 'at no readable time' : `${new Date(ms).toISOString().slice(0, 19)}Z`
}

function dateOf({ response }: Exchange): readonly number[] {
  const date = headerValue(response?.headers ?? [], 'date')
  return date === undefined ? [] : readable(date)
}

function createdIn({ response }: Exchange): readonly number[] {
  const text = (response?.pieces ?? []).map(({ bytes }) => ('utf8' in bytes ? bytes.utf8 : '')).join('')
  return [...text.matchAll(/"created_at"\s*:\s*"([^"]{10,40})"/g)].flatMap(([, value]) => readable(value ?? ''))
}

function readable(text: string): readonly number[] {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? [] : [ms]
}

function lowest(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value))
}

function highest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value))
}
