/**
 * Judges whether answers were made from their own conversation, by the reference numbers that they quote. The text of an
 * assistant is not judged; but the source of a number is known, since the suite mentions each one in one conversation
 * only.
 */

import { asksNumber, namesFile, ownedBy, type QuotingAnswer, quotedNumbers } from '../../history/quoted-numbers.ts'
import { areTwoTenants } from '../../history/thread-origins.ts'
import type { ObservationLog } from '../../observation-log.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import type { Oracle } from '../support/oracle.ts'

/**
 * The number of answers that must quote their own questions before one that quotes another question counts as an
 * exception.
 */
const fewestQuoting = 3

/** Oracle of tenancy.answers-are-own. */
export const answersAreOwn: Oracle = (analysis, observe) => {
  const { answers } = quotedNumbers(analysis)
  for (const answer of answers) {
    const { operation, parsed, own, others } = answer
    const leak = others.find((quote) => isOfOtherTenant(answer, quote))
    if (leak !== undefined) contradict(observe, answer, leak, 'what its own tenant has said', 'only another tenant')
    else if (own !== null && couldQuote(analysis, answer, (quote) => isOfOtherTenant(answer, quote)))
      observe.held(operation, null, parsed.id)
  }
}

/** Oracle of resources.answer-to-own-question. */
export const answerToOwnQuestion: Oracle = (analysis, observe) => {
  const { answers } = quotedNumbers(analysis)
  const quoting = answers.filter(({ own }) => own !== null)
  for (const answer of quoting) {
    const isMixed = (quote: Quote): boolean => !isOfOtherTenant(answer, quote)
    if (couldQuote(analysis, answer, isMixed)) observe.held(answer.operation, null, answer.parsed.id)
  }
  if (quoting.length < fewestQuoting) return
  for (const answer of answers) {
    // Another rule covers leaks between tenants.
    const mixed = answer.own === null ? answer.others.find((quote) => !isOfOtherTenant(answer, quote)) : undefined
    if (mixed !== undefined && asksNumber(analysis, answer.parsed))
      contradict(observe, answer, mixed, 'its own question, as other answers do', 'only another conversation')
  }
}

/**
 * Whether a number is mentioned that only a wrong answer would have quoted: without one, an answer proves nothing. When it is
 * mentioned does not matter, so that a divided run has the evidence of the whole one.
 */
function couldQuote(analysis: TraceAnalysis, { parsed }: QuotingAnswer, isWrong: (quote: Quote) => boolean): boolean {
  const isOwn = ownedBy(parsed)
  // Answers quote questions; whether they show the name of a file is open.
  for (const [number, saidBy] of quotedNumbers(analysis).mentions)
    if (!saidBy.some((said) => isOwn(said) || namesFile(said)) && isWrong({ number, saidBy })) return true
  return false
}

type Quote = QuotingAnswer['others'][number]

const isOfOtherTenant = ({ parsed }: QuotingAnswer, { saidBy }: Quote): boolean =>
  saidBy.every(({ tenant }) => areTwoTenants(tenant, parsed.tenant))

function contradict(
  observe: ObservationLog,
  { operation, parsed }: QuotingAnswer,
  { number, saidBy: [said] }: Quote,
  expected: string,
  who: string,
): void {
  if (said === undefined) return
  observe.contradicted(operation, null, {
    exchanges: [said.id, parsed.id],
    expected: `an answer that quotes ${expected}`,
    actual: `the number ${number} of ${said.id}`,
    ...(parsed.answer.stream === null ? { pointer: '/content' } : {}),
    because: `${parsed.id} is answered with the number ${number}, which ${who} has mentioned, in ${said.id}.`,
    headline: `an answer quotes what ${who} has said`,
  })
}
