/** Sample ids, timestamps, error bodies and records for tests that build traces, and ways to query a judgement. */

import type { Judgement, Verdict } from '../../conformance/judge/verdict.ts'
import { errorTable, type OperationId } from '../../spec/index.ts'

export type Fields = Readonly<Record<string, unknown>>

/** A UUID that says which it is. */
export const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
/** A timestamp that grows with its number. */
export const timestampText = (micros: number): string =>
  `2026-01-01T00:${String(Math.floor(micros / 60_000_000)).padStart(2, '0')}:${String(Math.floor(micros / 1_000_000) % 60).padStart(2, '0')}.${String(micros % 1_000_000).padStart(6, '0')}Z`

/** The text of the contract's table, or one for a code that it does not show. */
const detailOf = (code: string): string =>
  (Object.hasOwn(errorTable, code) ? errorTable[code as keyof typeof errorTable].detail : null) ?? 'Some detail'

/** The error body of the contract. */
export const errorBody = (error_code: string, detail: unknown = detailOf(error_code)): Fields => ({
  error_code,
  detail,
})
/** A validation_error that points at one place. */
export const fieldError = (loc: readonly (string | number)[], type = 'missing'): Fields =>
  errorBody('validation_error', [{ loc, message: 'Field required', type }])
/** A change that refuses with this error. */
export const rejectedWith = (code: string, status = 400) => ({ status, body: errorBody(code) })

export const assistantIds = { plain: uuid(1), whole: uuid(2), foreign: uuid(3) } as const
const schema = { type: 'object', title: 'Answer', properties: { intent: { type: 'string' } }, required: ['intent'] }
/** The record of an assistant. */
export const assistant = (id: string, streaming = true, more: Fields = {}): Fields => ({
  id,
  name: `Assistant ${id.slice(-1)}`,
  streaming,
  meta_data_response_schema: schema,
  request_required_fields: {},
  ...more,
})

/** The profile of every story: all levels claimed, threads made by a request, tool calls located. */
export const sampleProfile: Fields = {
  baseUrl: 'http://acs.test',
  tenants: { primary: { key: 'a' }, secondary: { key: 'b' }, throttled: { key: 'c' } },
  claims: ['core', 'streaming', 'events', 'threads', 'tools', 'files', 'tenancy'],
  threads: {
    kind: 'http',
    method: 'POST',
    path: '/v1/threads',
    body: { assistant_id: '{{assistant_id}}' },
    pointer: '/id',
  },
  tools: {
    callIds: '/tool_calls/*/id',
    resultField: 'tool_call_id',
    assistantMessage: { tool_calls: [{ id: '{{tool_call_id}}' }] },
  },
  throttle: { requests: 3 },
}

/** Objects as NDJSON. */
export const ndjsonText = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')

/** The verdict on one obligation, as `outcome` words: `violated`, `upheld`, … */
export function outcomeOf(judgement: Judgement, requirement: string, operation?: OperationId, facet?: string): string {
  const found = judgement.verdicts.filter(
    (verdict) =>
      verdict.requirement === requirement &&
      (operation === undefined || verdict.operation === operation) &&
      (facet === undefined || verdict.facet === facet),
  )
  return [...new Set(found.map(({ outcome }) => outcome))].sort().join(' ')
}

/** The ids of all violated requirements, each once. */
export const violatedIn = (judgement: Judgement): readonly string[] => [
  ...new Set(
    judgement.verdicts.filter(({ outcome }) => outcome === 'violated').map(({ requirement }: Verdict) => requirement),
  ),
]

const decided: ReadonlySet<string> = new Set(['violated', 'upheld', 'inconclusive'])

/** The verdicts that speak of something seen and do not say in which exchanges. */
export const withoutEvidence = (judgement: Judgement): readonly string[] =>
  judgement.verdicts.flatMap(({ outcome, requirement, exchanges }) =>
    decided.has(outcome) && exchanges.length === 0 ? [`${requirement} ${outcome}`] : [],
  )

/** What a reader of the judgement is told of one requirement, and what else is violated. */
export function evidenceIn(judgement: Judgement, requirement: string): string {
  const told = judgement.verdicts.filter((one) => decided.has(one.outcome) && one.requirement === requirement)
  const others = violatedIn(judgement).filter((id) => id !== requirement)
  return [...told.map(evidenceOf), ...others.map((id) => `besides: ${id}`)].join('\n')
}

function evidenceOf({ operation, facet, outcome, witnesses, exchanges, ...verdict }: Verdict): string {
  const place = [operation, facet, outcome, `${witnesses}:`, ...exchanges, verdict.pointer].filter(Boolean).join(' ')
  const { expected, actual, headline, witness } = verdict
  return expected === undefined
    ? place
    : `${place}\n  ${witness?.contradiction}\n  ${headline}\n  ${actual} instead of ${expected}`
}
