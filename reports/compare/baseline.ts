/**
 * Reads, applies and writes baselines: known violations by obligation, each with a reason and an expiry date.
 * An entry whose rule holds again, or whose date has passed, fails the run, so that the list is kept up to date.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { LineCounter, parseDocument, stringify } from 'yaml'
import { obligationKey } from '../../spec/index.ts'
import type { BaselineEntry, Report, ReportedBaseline } from '../report.ts'
import { settleReport } from '../report-ending.ts'

export interface Baseline {
  readonly baseline: 1
  readonly entries: readonly BaselineEntry[]
}

/** Why a text is not a baseline. */
class BaselineError extends Error {
  override readonly name = 'BaselineError'
  readonly code = 'invalid-baseline'
}

const isBaseline = new Ajv2020().compile<Baseline>({
  type: 'object',
  required: ['baseline', 'entries'],
  additionalProperties: false,
  properties: {
    baseline: { const: 1 },
    entries: {
      type: 'array',
      items: {
        type: 'object',
        required: ['obligation', 'reason', 'expires'],
        additionalProperties: false,
        properties: {
          obligation: { type: 'string', pattern: '^[a-z0-9._-]+ [A-Za-z]+( .+)?$' },
          reason: { type: 'string', pattern: '\\S' },
          expires: { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' },
        },
      },
    },
  },
})

/** The baseline in a YAML (or JSON) text; throws BaselineError with line or place. */
export function parseBaseline(text: string): Baseline {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, schema: 'failsafe' })
  const [syntax] = document.errors
  if (syntax !== undefined)
    throw new BaselineError(`line ${syntax.linePos?.[0].line ?? 1}: ${syntax.message.split('\n')[0]}`)
  const value = numbered(document.toJS())
  if (isBaseline(value)) return withRealDates(value)
  const [first] = isBaseline.errors ?? []
  throw new BaselineError(`${first?.instancePath || 'the document'} ${first?.message ?? 'is invalid'}`)
}

/** The pattern knows months and days, but not that February has no day 31. */
function withRealDates(baseline: Baseline): Baseline {
  const wrong = baseline.entries.findIndex(({ expires }) => !isDay(expires))
  if (wrong < 0) return baseline
  throw new BaselineError(`/entries/${wrong}/expires ${baseline.entries[wrong]?.expires} is not a day of the calendar`)
}

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** The failsafe schema reads every scalar as text, so that a date stays one; only the version is a number. */
function numbered(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'baseline' in value
    ? { ...value, baseline: Number(value.baseline) }
    : value
}

interface BaselineUse {
  /** The name of the file in messages. */
  readonly file: string
  /** A date such as `2026-11-21`. */
  readonly today: string
}

/** The report under a baseline: its outcome, its exit code and all its renderings follow. */
export function applyBaseline(report: Report, baseline: Baseline, { file, today }: BaselineUse): Report {
  const verdicts = new Map(report.verdicts.map((verdict) => [obligationKey(verdict), verdict]))
  // A rule outside a run's --only has no verdict, which says nothing about the entry.
  const isAsked = ({ obligation }: BaselineEntry): boolean => report.run.only === undefined || verdicts.has(obligation)
  const entries = baseline.entries.filter(isAsked)
  const live = entries.filter(({ expires }) => expires >= today)
  const listed = new Set(live.map(({ obligation }) => obligation))
  const violated = report.verdicts.filter(({ outcome }) => outcome === 'violated')
  const isOpenEntry = ({ obligation }: BaselineEntry): boolean =>
    ['unexercised', 'inconclusive', 'suite-fault', 'observed'].includes(verdicts.get(obligation)?.outcome ?? '')
  const isViolated = ({ obligation }: BaselineEntry): boolean => verdicts.get(obligation)?.outcome === 'violated'
  const applied: ReportedBaseline = {
    file,
    known: violated.map(obligationKey).filter((key) => listed.has(key)),
    unexpected: violated
      .filter(({ blocking }) => blocking)
      .map(obligationKey)
      .filter((key) => !listed.has(key)),
    stale: live.filter((entry) => !isViolated(entry) && !isOpenEntry(entry)),
    expired: entries.filter(({ expires }) => expires < today),
    unproven: live.filter(isOpenEntry),
  }
  return settleReport({ ...report, run: { ...report.run, baseline: applied } })
}

/** A baseline with every blocking violation of the report; entries of an earlier one keep their texts. */
export function writeBaseline(
  report: Report,
  options: { readonly expires: string; readonly reason?: string; readonly previous?: Baseline },
): string {
  const kept = new Map((options.previous?.entries ?? []).map((entry) => [entry.obligation, entry]))
  const entries = report.verdicts
    .filter(({ blocking }) => blocking)
    .map((verdict): BaselineEntry => {
      const obligation = obligationKey(verdict)
      return (
        kept.get(obligation) ?? {
          obligation,
          reason: options.reason ?? 'known when the baseline was written; say why',
          expires: options.expires,
        }
      )
    })
  const head =
    '# Known violations. Each needs a reason and the last day on which it counts; a stale or expired entry fails the run.\n'
  return head + stringify({ baseline: 1, entries } satisfies Baseline, { lineWidth: 0, defaultStringType: 'PLAIN' })
}
