/**
 * Known violations, by obligation, each with a reason and an expiry: a list that can only shrink. An entry whose rule
 * holds again, or whose date has passed, fails the run, so that nobody lives with it by habit.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { LineCounter, parseDocument, stringify } from 'yaml'
import type { Verdict } from '../../conformance/index.ts'
import { type RunEnding, runOutcome } from '../../conformance/judge/run-outcome.ts'
import type { Report } from '../report.ts'
import { reportFacts } from '../report-facts.ts'
import { obligationKey } from '../severity.ts'

export interface BaselineEntry {
  /** `requirement operation facet`, as reports name it. */
  readonly obligation: string
  readonly reason: string
  /** `2027-01-31`: the last day on which the entry counts. */
  readonly expires: string
}

export interface Baseline {
  readonly baseline: 1
  readonly entries: readonly BaselineEntry[]
}

/** Why a text is no baseline. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError'
  readonly code = 'invalid-baseline'
}

export interface BaselineResult extends RunEnding {
  /** Violations that the baseline knows. */
  readonly known: readonly Verdict[]
  /** Blocking violations that it does not know. */
  readonly unexpected: readonly Verdict[]
  /** Entries whose rule is not violated any more, or that name no obligation. */
  readonly stale: readonly BaselineEntry[]
  readonly expired: readonly BaselineEntry[]
  /** Entries that this run could neither confirm nor refute. */
  readonly unproven: readonly BaselineEntry[]
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
  if (isBaseline(value)) return value
  const [first] = isBaseline.errors ?? []
  throw new BaselineError(`${first?.instancePath || 'the document'} ${first?.message ?? 'is invalid'}`)
}

/** The failsafe schema reads every scalar as text, so that a date stays one; only the version is a number. */
function numbered(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'baseline' in value
    ? { ...value, baseline: Number(value.baseline) }
    : value
}

/** The report under a baseline; `today` is a date such as `2026-11-21`. */
export function applyBaseline(report: Report, baseline: Baseline, today: string): BaselineResult {
  const verdicts = new Map(report.verdicts.map((verdict) => [obligationKey(verdict), verdict]))
  const outcomeOf = ({ obligation }: BaselineEntry) => verdicts.get(obligation)?.outcome
  const live = baseline.entries.filter(({ expires }) => expires >= today)
  const excused = new Set(live.map(({ obligation }) => obligation))
  const violated = report.verdicts.filter(({ outcome }) => outcome === 'violated')
  const result = {
    known: violated.filter((verdict) => excused.has(obligationKey(verdict))),
    unexpected: violated.filter((verdict) => verdict.blocking && !excused.has(obligationKey(verdict))),
    stale: live.filter((entry) => ['upheld', 'inapplicable', undefined].includes(outcomeOf(entry))),
    expired: baseline.entries.filter(({ expires }) => expires < today),
    unproven: live.filter((entry) =>
      ['unexercised', 'inconclusive', 'suite-fault', 'observed'].includes(outcomeOf(entry) ?? ''),
    ),
  }
  return { ...result, ...endingUnder(report, excused, result.stale.length + result.expired.length) }
}

function endingUnder(report: Report, excused: ReadonlySet<string>, faults: number): RunEnding {
  const known = report.verdicts.filter((verdict) => verdict.blocking && excused.has(obligationKey(verdict)))
  const rest = report.verdicts.map(
    (verdict): Verdict =>
      known.includes(verdict) || isMasked(verdict, known)
        ? { ...verdict, outcome: 'upheld', blocking: false }
        : verdict,
  )
  const failing =
    faults === 0 ? null : `${faults} baseline ${faults === 1 ? 'entry is' : 'entries are'} stale or expired`
  return runOutcome(rest, { ...reportFacts(report), failing })
}

/** Whether a rule stayed open where it was asked about, on an operation that is known to be broken: the violation hides it. */
function isMasked({ outcome, operation, reason = '' }: Verdict, known: readonly Verdict[]): boolean {
  if (outcome !== 'unexercised' && outcome !== 'inconclusive') return false
  return known.some((one) => one.operation === operation) && !/^(?:budget|no-fixture|blocked|not-)/.test(reason)
}

/** A baseline with every blocking violation of the report; entries of an earlier one keep their words. */
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
