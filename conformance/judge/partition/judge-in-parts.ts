/**
 * Judges a trace that is too long for memory, part by part. The observations of the parts are judged once more on the
 * threads that show them: the verdicts are those of the whole trace, and witnesses are counted over all of it.
 */
import type { Exchange, Trace } from '../../trace/exchange.ts'
import { type JudgeOptions, judge } from '../judge.ts'
import type { Judgement, Verdict } from '../verdict.ts'
import { EvidenceSelection } from './evidence-selection.ts'
import { contextFor } from './parts.ts'
import type { PartSurvey } from './survey-part.ts'
import type { TraceIndex } from './trace-index.ts'

export interface JudgedInParts {
  /** The exchanges on which the verdicts rest, under the header and the footer of the whole trace. */
  readonly evidence: Trace
  readonly judgement: Judgement
}

/** Judges by the surveys of all parts, in the order of the parts; `read` gives exchanges by their number in the trace. */
export async function judgeInParts(
  index: TraceIndex,
  surveys: AsyncIterable<PartSurvey> | Iterable<PartSurvey>,
  read: (exchanges: readonly number[]) => readonly Exchange[],
  options: JudgeOptions = {},
): Promise<JudgedInParts> {
  const selection = new EvidenceSelection()
  for await (const survey of surveys) selection.take(survey)
  const chosen = selection.components()
  const own = [...index.components.keys()].filter((exchange) => chosen.has(index.components[exchange] ?? -1))
  const numbers = [...own, ...contextFor(index, own)].sort((left, right) => left - right)
  const { header, notes, footer } = index
  const evidence: Trace = { header, notes, footer, exchanges: read(numbers) }
  const judgement = judge(evidence, options)
  return { evidence, judgement: { ...judgement, verdicts: judgement.verdicts.map((one) => withCount(one, selection)) } }
}

const counted = { upheld: 'held', violated: 'contradicted', inconclusive: 'open' } as const

/** A verdict with as many witnesses as the whole trace has. */
function withCount(verdict: Verdict, selection: EvidenceSelection): Verdict {
  const { requirement, operation, facet, outcome, witnesses } = verdict
  if (outcome !== 'upheld' && outcome !== 'violated' && outcome !== 'inconclusive') return verdict
  const seen = selection.witnessesOf(`${requirement} ${operation} ${facet}`, counted[outcome])
  return seen > witnesses ? { ...verdict, witnesses: seen } : verdict
}
