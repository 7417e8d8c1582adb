/** Formats an answer for a report: its status and code, or its ending. */
import { tooDeep } from '../../../trace/json-depth.ts'
import { isUnreadable } from '../../read/body.ts'
import type { ParsedExchange } from '../../read/parsed-exchange.ts'

/** The text of an answer in a report. */
export function answerName({ answer, exchange }: ParsedExchange): string {
  if (isUnreadable(answer.body)) return `an answer ${tooDeep}`
  if (answer.kind === 'none')
    return exchange.response === null ? `no answer (${exchange.ending})` : `an answer that was ${exchange.ending}`
  const status = answer.status === null ? '' : `${answer.status} `
  if (answer.code !== null) return `${status}${answer.code}`
  return answer.kind === 'accepted' ? `${status}success` : `${status}without error_code`
}
