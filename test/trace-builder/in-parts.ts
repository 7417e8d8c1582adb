/** Judges a trace at hand in parts, as a long one is judged, for tests that compare the two ways. */
import { Buffer } from 'node:buffer'
import { type JudgedInParts, judgeInParts } from '../../conformance/judge/partition/judge-in-parts.ts'
import { partsOf } from '../../conformance/judge/partition/parts.ts'
import { type PartSurvey, surveyPart } from '../../conformance/judge/partition/survey-part.ts'
import { type TraceIndex, TraceIndexer } from '../../conformance/judge/partition/trace-index.ts'
import type { Judgement } from '../../conformance/judge/verdict.ts'
import type { Trace } from '../../conformance/trace/exchange.ts'
import { encodeRecord, recordsOf } from '../../conformance/trace/trace.ts'

/** The index of a trace, as that of a file that holds it. */
export function indexOf(trace: Trace): TraceIndex {
  const indexer = new TraceIndexer()
  let offset = 0
  for (const record of recordsOf(trace)) {
    const line = Buffer.from(encodeRecord(record))
    indexer.take(line.subarray(0, -1), offset)
    offset += line.length
  }
  return indexer.finish()
}

/** Judges a trace in parts of at most so many bytes; with 1 every component is a part of its own. */
export function judgedInParts(trace: Trace, mostBytes = 1): Promise<JudgedInParts> {
  const index = indexOf(trace)
  const read = (lines: readonly number[]) => lines.flatMap((line) => trace.exchanges[line] ?? [])
  const surveys = function* (): Generator<PartSurvey> {
    for (const { own, context } of partsOf(index, mostBytes)) {
      const inside = new Set(own)
      const lines = [...own, ...context].sort((left, right) => left - right)
      const components = lines.map((line) => (inside.has(line) ? (index.components[line] ?? null) : null))
      yield surveyPart({ header: trace.header, exchanges: read(lines), components })
    }
  }
  return judgeInParts(index, surveys(), read)
}

/** What of a judgement does not depend on how the trace was judged. */
export const decided = ({ outcome, exitCode, reason, verdicts, observations, notices }: Judgement) => ({
  outcome,
  exitCode,
  reason,
  verdicts: verdicts.map((one) =>
    [one.requirement, one.operation, one.facet, one.outcome, one.owed, one.blocking].join(' '),
  ),
  observations: observations.map(({ gap, value, consistent }) => `${gap} ${value} ${consistent}`),
  notices: notices.map(({ code, text }) => `${code} ${text}`).sort(),
})
