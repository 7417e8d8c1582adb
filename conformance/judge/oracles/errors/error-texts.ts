/**
 * Compares errors with the contract's table: the text of a code, and the operations that list it.
 * The contract says neither that the texts are exact nor that the lists are complete, so both rules only advise.
 */
import { errorRowOf, errorTable, type OperationId } from '../../../../spec/index.ts'
import type { Ambiguity } from '../../classify/ambiguity.ts'
import type { FaultRule } from '../../classify/request-fault.ts'
import { fieldOf, quoted } from '../../read/json.ts'
import type { ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import type { Oracle } from '../support/oracle.ts'

interface Listed {
  readonly operation: OperationId
  readonly parsed: ParsedExchange
  readonly code: string
  readonly row: NonNullable<ReturnType<typeof errorRowOf>>
}

/** Elsewhere the contract does not show which errors there are. */
const withList: ReadonlySet<OperationId> = new Set(
  Object.values(errorTable).flatMap(({ operations }) => operations as readonly OperationId[]),
)

/** Every code of the table that is sent by an operation for which the contract lists errors. */
function* codesOfTable(analysis: TraceAnalysis): Generator<Listed> {
  for (const parsed of analysis.parsedExchanges) {
    const { operation, key } = parsed
    const { code } = parsed.answer
    if (code === null || operation === null || key !== 'sent' || !withList.has(operation)) continue
    const row = errorRowOf(code)
    if (row !== undefined) yield { operation, parsed, code, row }
  }
}

const isListed = ({ operation, row }: Listed): boolean => row.operations.includes(operation)

/** Oracle of errors.detail-text; a code without an obligation is reported only when its text differs. */
export const detailText: Oracle = (analysis, observe) => {
  for (const sent of codesOfTable(analysis)) {
    const { operation, parsed, code, row } = sent
    const { body } = parsed.answer
    const detail = body.kind === 'json' ? fieldOf(body.value, 'detail') : null
    if (row.detail === null || typeof detail !== 'string' || !isListed(sent)) continue
    if (detail === row.detail) observe.held(operation, code, parsed.id)
    else {
      observe.contradicted(operation, code, {
        exchanges: [parsed.id],
        expected: quoted(row.detail),
        actual: quoted(detail),
        pointer: '/detail',
        because: `${parsed.id} sends ${code} with the detail ${quoted(detail)}, and the contract's table shows ${quoted(row.detail)}.`,
        headline: `sends ${code} with the detail ${quoted(detail)}, and the contract's table shows ${quoted(row.detail)}`,
      })
    }
  }
}

/** Oracle of errors.listed-where. */
export const listedWhere: Oracle = (analysis, observe) => {
  for (const sent of codesOfTable(analysis)) {
    const { operation, parsed, code } = sent
    if (isListed(sent)) observe.held(operation, null, parsed.id)
    else if (isCodeOpen(analysis, operation, parsed)) {
      const why = `The contract leaves open with which code ${parsed.id} is refused.`
      observe.ambiguous(operation, null, parsed.id, why)
    } else {
      observe.contradicted(operation, null, {
        exchanges: [parsed.id],
        expected: `a code that is listed for ${operation}`,
        actual: code,
        pointer: '/error_code',
        because: `${parsed.id} gets ${code}, which the contract's table of errors does not list for ${operation}.`,
        headline: `answers with ${code}, which the contract does not list for it`,
      })
    }
  }
}

/** Faults for which the contract names no code, whatever the operation. */
const withoutCode: readonly FaultRule[] = [
  'body-missing',
  'body-not-json',
  'body-not-object',
  'messages-empty',
  'messages-without-user',
  'required-root-field',
  'required-user_data-field',
  'thread-made-by-completion',
  'thread-without-user',
  'thread-ends-on-assistant',
  'thread-ends-on-system',
  'calls-unanswered',
  'calls-partly-answered',
]

/** Malformed fields of messages and lists, where validation_error is not listed. */
const withoutCodeOnMessages: ReadonlySet<FaultRule> = new Set([
  ...withoutCode,
  'content-missing',
  'content-not-string',
  'role-missing',
  'role-not-string',
  'role-unknown',
  'limit-not-integer',
  'tool-without-id',
])

const openCodes: Readonly<Partial<Record<OperationId, ReadonlySet<FaultRule>>>> = {
  listMessages: withoutCodeOnMessages,
  createMessage: withoutCodeOnMessages,
}
const openElsewhere: ReadonlySet<FaultRule> = new Set(withoutCode)

/** Completions list resource_not_found and not thread_not_found, whether or not the service looks for the thread. */
const isOfOtherOperations = ({ answer }: ParsedExchange, ambiguities: readonly Ambiguity[]): boolean =>
  answer.code === 'thread_not_found' &&
  ambiguities.length === 1 &&
  ambiguities[0]?.about === 'a completion in a thread that no completion of this key made'

/** Whether more than one thing, or one for which the contract names no code, may be the reason of a refusal. */
function isCodeOpen(analysis: TraceAnalysis, operation: OperationId, parsed: ParsedExchange): boolean {
  const { validity, faults, ambiguities } = analysis.requestOf(parsed)
  if (validity === 'valid' || (faults.length === 0 && isOfOtherOperations(parsed, ambiguities))) return false
  const [fault, another] = faults
  if (fault === undefined || another !== undefined || ambiguities.length > 0) return true
  // Without a mapping the field with the id of a call is unknown.
  const isToolId = fault.rule.startsWith('tool-') && analysis.profile.tools === null
  return isToolId || (openCodes[operation] ?? openElsewhere).has(fault.rule)
}
