/**
 * The second half of a verification: do the verdicts follow from the evidence? By the same requirements the report has to come
 * out the same to the byte. By other ones (a later suite) the rows that did not change are held to their verdicts, and what
 * came or changed since does not count: the set that a certificate was judged by is frozen in it.
 */
import type { Judgement, Trace } from '../../conformance/index.ts'
import { compareReports } from '../compare/compare-reports.ts'
import { createReport } from '../create-report.ts'
import { parseReport } from '../parse-report.ts'
import type { Report } from '../report.ts'
import { canonicalJson, serializeReport } from '../serialize-report.ts'
import { type Bundle, firstDifference } from './bundle.ts'
import { seedFromNonce } from './create-bundle.ts'
import { requirementSet, unchangedRequirements } from './requirement-set.ts'
import { type Statement, statementOf } from './statement.ts'

/** Reads and judges the text of a trace; conformance/ has both, the caller brings them together. */
export type Rejudge = (
  traceText: string,
  options: { readonly strict: boolean },
) => Promise<{ readonly trace: Trace; readonly judgement: Judgement }>

export interface JudgedAgain {
  readonly report: Report
  readonly problems: readonly string[]
  /** Whether this suite judges by the very requirements of the certificate. */
  readonly sameRequirements: boolean
}

/** Judges the evidence again and compares; a signature over what is no report or no trace is possible, and then a fault. */
export async function judgeAgain(
  bundle: Bundle,
  statement: Statement,
  rejudge: Rejudge,
): Promise<JudgedAgain | { readonly fault: string }> {
  try {
    return await compareWithEvidence(bundle, statement, rejudge)
  } catch (cause) {
    return { fault: `the evidence cannot be judged again: ${cause instanceof Error ? cause.message : String(cause)}` }
  }
}

async function compareWithEvidence(bundle: Bundle, statement: Statement, rejudge: Rejudge): Promise<JudgedAgain> {
  const signed = parseReport(bundle['report.json'])
  const { strict, tier, shard } = signed.run
  const { trace, judgement } = await rejudge(bundle['trace.ndjson'], { strict })
  const asked = { strict, tier, caps: signed.cost, ...(shard === undefined ? {} : { shard }) }
  const report = createReport(trace, judgement, asked)
  const sameRequirements = bundle['requirements.json'] === requirementSet()
  const differences = sameRequirements
    ? exactDifferences(bundle, statement, signed, report)
    : verdictDifferences(bundle, signed, report)
  return { report, problems: [...evidenceFaults(bundle, statement, trace), ...differences], sameRequirements }
}

function evidenceFaults(bundle: Bundle, { predicate }: Statement, { header }: Trace): readonly string[] {
  const { nonce } = predicate.acs
  const faults: readonly (readonly [boolean, string])[] = [
    [bundle['profile.json'] !== `${canonicalJson(header.profile)}\n`, 'profile.json is not the profile of the trace'],
    [nonce !== null && header.seed !== seedFromNonce(nonce), 'the seed of the trace does not follow from the nonce'],
  ]
  return faults.filter(([wrong]) => wrong).map(([, sentence]) => sentence)
}

function exactDifferences(bundle: Bundle, statement: Statement, signed: Report, report: Report): readonly string[] {
  const { nonce, issuedAt, expiresAt } = statement.predicate.acs
  const restated = canonicalJson(statementOf(bundle, report, { nonce, issuedAt, expiresAt }))
  const at = firstDifference(Buffer.from(bundle['report.json'], 'utf8'), Buffer.from(serializeReport(report), 'utf8'))
  return [
    ...(restated === canonicalJson(statement) ? [] : ['the statement says something else than the evidence gives']),
    ...(at === null
      ? []
      : [
          `report.json is not what judging the trace again gives, first at byte ${at}; ${changedVerdicts(signed, report) ?? 'no verdict differs'}`,
        ]),
  ]
}

function verdictDifferences(bundle: Bundle, signed: Report, report: Report): readonly string[] {
  const unchanged = unchangedRequirements(bundle['requirements.json'])
  const scored = (one: Report): Report => ({
    ...one,
    verdicts: one.verdicts.filter(({ requirement }) => unchanged.has(requirement)),
  })
  const changed = changedVerdicts(scored(signed), scored(report))
  return changed === null ? [] : [`judged again by requirements that did not change, ${changed}`]
}

function changedVerdicts(signed: Report, report: Report): string | null {
  const { broken, fixed, new: fresh, lost, unproven } = compareReports(signed, report)
  const changed = [...broken, ...fresh, ...fixed, ...lost, ...unproven]
  if (changed.length === 0) return null
  const named = changed
    .slice(0, 5)
    .map(({ obligation, before, after }) => `${obligation} (${before ?? 'absent'}, judged again ${after ?? 'absent'})`)
  return `${changed.length} verdicts differ: ${named.join('; ')}`
}
