/**
 * The second half of a verification: it checks that the statement follows from the evidence. The trace is judged again,
 * its run is re-enacted, and results that cannot be compared are reported as such: they never count as verified.
 */
import type { Judgement, Reenactment, Trace } from '../../conformance/index.ts'
import { createReport } from '../create-report.ts'
import { parseReport } from '../parse-report.ts'
import type { Report } from '../report.ts'
import { canonicalJson, serializeReport } from '../serialize-report.ts'
import type { Bundle } from './bundle.ts'
import { seedFromNonce } from './create-bundle.ts'
import { type RecordingTimes, recordingTimes } from './recording-times.ts'
import { reportDifferences } from './report-differences.ts'
import { incomparableSet } from './requirement-set.ts'
import { type Statement, statementOf } from './statement.ts'

/** Reads and judges the text of a trace; both functions come from conformance/ through the caller. */
type Rejudge = (
  traceText: string,
  options: { readonly strict: boolean },
) => Promise<{ readonly trace: Trace; readonly judgement: Judgement }>

/** Makes the requests of a trace again and compares them; conformance/ has it. */
type Reenact = (trace: Trace) => Promise<Reenactment>

export interface JudgedAgain {
  /** The results of the evidence, the only source of a verification. */
  readonly report: Report
  readonly times: RecordingTimes
  /** The problems, in sentences. */
  readonly problems: readonly string[]
  /** The parts that this suite cannot compare, in sentences. */
  readonly notComparable: readonly string[]
  /** Whether report.json is the report of this suite to the byte, its wording included. */
  readonly sameWording: boolean
}

export interface Judges {
  readonly rejudge: Rejudge
  readonly reenact: Reenact
}

/** Judges the evidence again and compares; a signature over what is no report or no trace is possible, and then a fault. */
export async function judgeAgain(
  bundle: Bundle,
  statement: Statement,
  judges: Judges,
): Promise<JudgedAgain | { readonly fault: string }> {
  try {
    return await compareWithEvidence(bundle, statement, judges)
  } catch (cause) {
    return { fault: `the evidence cannot be judged again: ${cause instanceof Error ? cause.message : String(cause)}` }
  }
}

async function compareWithEvidence(bundle: Bundle, statement: Statement, judges: Judges): Promise<JudgedAgain> {
  const { acs } = statement.predicate
  const { trace, judgement } = await judges.rejudge(bundle['trace.ndjson'], { strict: acs.strict })
  const report = createReport(trace, judgement, { strict: acs.strict })
  const otherSet = incomparableSet(bundle['requirements.json'])
  const run = await judges.reenact(trace)
  const times = recordingTimes(trace, acs.issuedAt)
  const sameWording = serializeReport(report) === bundle['report.json']
  // A text that this suite wrote itself is a report; any other text must be parsed.
  const signed = sameWording ? report : parseReport(bundle['report.json'])
  const requests = 'its requests are not those that its seed asks for'
  return {
    report,
    times,
    problems: [
      ...evidenceFaults(bundle, statement, trace, times),
      ...(run.outcome === 'different' ? [`${requests}: ${run.reason}`] : []),
      ...(otherSet === null ? statementDifferences(bundle, statement, report) : []),
      ...(otherSet === null && !sameWording ? reportDifferences(signed, report) : []),
    ],
    notComparable: [
      ...(otherSet === null ? [] : [otherSet]),
      ...(run.outcome === 'undecided' ? [`whether ${requests} cannot be told: ${run.reason}`] : []),
    ],
    sameWording,
  }
}

function evidenceFaults(
  bundle: Bundle,
  { predicate }: Statement,
  { header }: Trace,
  { issuedAtMs, endedAtMs }: RecordingTimes,
): readonly string[] {
  const { nonce } = predicate.acs
  const faults: readonly (readonly [boolean, string])[] = [
    [bundle['profile.json'] !== `${canonicalJson(header.profile)}\n`, 'profile.json is not the profile of the trace'],
    [nonce !== null && header.seed !== seedFromNonce(nonce), 'the seed of the trace does not follow from the nonce'],
    // Written so that a start that is no date is a fault as well.
    [!(issuedAtMs + clockToleranceMs >= endedAtMs), 'the certificate is dated before the end of its recording'],
  ]
  return faults.filter(([wrong]) => wrong).map(([, sentence]) => sentence)
}

/** A run and its signature use two clocks of one machine, which may be set in between. */
const clockToleranceMs = 60_000

function statementDifferences(bundle: Bundle, statement: Statement, report: Report): readonly string[] {
  const { nonce, issuedAt, expiresAt, product } = statement.predicate.acs
  const validity = { nonce, issuedAt, expiresAt, ...(product === undefined ? {} : { product }) }
  const restated = canonicalJson(statementOf(bundle, report, validity))
  return restated === canonicalJson(statement) ? [] : ['the statement says something else than the evidence gives']
}
