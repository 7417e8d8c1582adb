/**
 * Judges whether answers were made from their own conversation, by the reference numbers that they quote. Nobody judges what an
 * assistant says; but where it has a number from is known, since the suite mentions each one in one conversation only.
 */

import { type QuotingAnswer, quotedNumbers } from '../../history/quoted-numbers.ts'
import { areTwoTenants } from '../../history/thread-origins.ts'
import type { ObservationLog } from '../../observation-log.ts'
import type { Oracle } from '../support/oracle.ts'

/** So many answers have to quote their own questions before one that quotes another question instead is an exception. */
const fewestQuoting = 3

/** Oracle of tenancy.answers-are-own. */
export const answersAreOwn: Oracle = (analysis, observe) => {
  const { answers } = quotedNumbers(analysis)
  for (const answer of answers) {
    const leak = answer.others.find((quote) => isOfOtherTenant(answer, quote))
    if (leak !== undefined) contradict(observe, answer, leak, 'what its own tenant has said', 'only another tenant')
    else if (answer.own !== null) observe.held(answer.operation, null, answer.parsed.id)
  }
}

/** Oracle of resources.answer-to-own-question. */
export const answerToOwnQuestion: Oracle = (analysis, observe) => {
  const { answers } = quotedNumbers(analysis)
  const quoting = answers.filter(({ own }) => own !== null)
  for (const { operation, parsed } of quoting) observe.held(operation, null, parsed.id)
  if (quoting.length < fewestQuoting) return
  for (const answer of answers) {
    if (answer.own !== null || !answer.couldQuote) continue
    // A leak between tenants is another rule's matter.
    const mixed = answer.others.find((quote) => !isOfOtherTenant(answer, quote))
    if (mixed !== undefined)
      contradict(observe, answer, mixed, 'its own question, as other answers do', 'only another conversation')
  }
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
  })
}
