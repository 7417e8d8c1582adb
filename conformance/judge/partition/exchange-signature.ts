/**
 * Computes the signature of an exchange for oracles that compare exchanges of different threads. Those of one
 * signature are controls, twins and confounders of the same requests, so a few of each are enough for every comparison.
 */

import { showsAssistantMessage } from '../classify/completed-roles.ts'
import { fieldlessRunOf } from '../classify/fieldless-runs.ts'
import { callsState, fieldsNamedAfterTools } from '../history/tool-calls.ts'
import { formOf } from '../oracles/support/confounders.ts'
import { newestBefore } from '../oracles/support/oracle.ts'
import { isObject, textField } from '../read/json.ts'
import { formattingOf } from '../read/json-formatting.ts'
import { documentOf, headerValue, isRefusal, type ParsedExchange, queryValues } from '../read/parsed-exchange.ts'
import { hasSuccessShape } from '../read/success-shape.ts'
import type { TraceAnalysis } from '../trace-analysis.ts'

/** More assistants than this are not distinguished. */
const mostAssistants = 200

/** The signature of an exchange. */
export function signatureOf(analysis: TraceAnalysis, parsed: ParsedExchange): string {
  const { operation, key, tenant, answer, exchange } = parsed
  const { validity, faults, ambiguities } = analysis.requestOf(parsed)
  const named = analysis.profile.tenants.has(tenant ?? '') ? tenant : null
  const parts = [
    operation,
    key,
    named,
    exchange.ending,
    answer.kind,
    answer.status,
    answer.code,
    validity,
    ...faults.map(({ rule }) => rule),
    ...ambiguities.map(({ about }) => about),
    isRefusal(parsed) ? formOf(parsed) : hasSuccessShape(parsed),
    namesOf(parsed),
    ...aspectsOf(analysis, parsed),
  ]
  return parts.join('|')
}

const namesOf = ({ body, query }: ParsedExchange): string => {
  const fields = body.kind === 'json' && isObject(body.value) ? Object.keys(body.value) : []
  return [...fields, ...query.map(([name]) => `?${name}`)].join()
}

/** The properties by which the rules of single operations distinguish requests. */
function aspectsOf(analysis: TraceAnalysis, parsed: ParsedExchange): readonly unknown[] {
  const { body } = parsed
  const value = body.kind === 'json' ? body.value : null
  switch (parsed.operation) {
    case 'createMessage': {
      const spelling = body.kind === 'json' ? formattingOf(body) : null
      const isChanged = textField(documentOf(parsed), 'content') !== textField(value, 'content')
      return [textField(value, 'role'), endOf(analysis, parsed), spelling?.whitespace, spelling?.escapes, isChanged]
    }
    case 'runThread':
    case 'streamThreadRun':
      return [
        endOf(analysis, parsed),
        callsIn(analysis, parsed),
        stateOf(analysis, parsed),
        fieldsNamedAfterTools(documentOf(parsed)).length > 0,
        fieldlessRunOf(parsed, analysis)?.id,
      ]
    case 'createChatCompletion':
    case 'streamChatCompletion':
    case 'streamChatCompletionEvents':
      return [assistantOf(analysis, parsed, textField(value, 'assistant_id')), showsAssistantMessage(parsed)]
    case 'getAssistant':
      return [assistantOf(analysis, parsed, parsed.params.assistant_id ?? null)]
    case 'createUploadGrant':
      return [queryValues(parsed, 'persist')[0], kindsIn(headerValue(parsed.exchange, 'user-id') ?? '')]
    case 'uploadFile':
      return [headerValue(parsed.exchange, 'content-type')]
    default:
      return []
  }
}

const endOf = (analysis: TraceAnalysis, parsed: ParsedExchange): string => {
  const thread = analysis.histories.thread(parsed.params.thread_id ?? '')
  return `${newestBefore(analysis, parsed)?.role} ${thread?.origin.kind} ${thread?.origin.tenant === parsed.tenant}`
}

const stateOf = ({ histories, profile }: TraceAnalysis, parsed: ParsedExchange): string | null => {
  const thread = histories.thread(parsed.params.thread_id ?? '')
  return thread === null ? null : callsState(thread, profile.tools, parsed)
}

const callsIn = ({ histories }: TraceAnalysis, parsed: ParsedExchange): string => {
  const counts = histories.writesOf(parsed).map(({ calls }) => calls.length)
  return counts.some((count) => count > 1) ? 'several calls' : counts.includes(1) ? 'a call' : ''
}

const assistantOf = ({ registry }: TraceAnalysis, { tenant }: ParsedExchange, id: string | null): string | null => {
  const listed = registry.listedFor(tenant)
  if (id === null || listed === null) return null
  if (listed.size <= mostAssistants && listed.has(id.toLowerCase())) return id
  return `${registry.standing(tenant, id)} ${registry.anyRecordOf(id)?.streaming}`
}

/** Which kinds of characters a user-id holds, each once. */
const kindsIn = (id: string): string =>
  [...new Set(id.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '0'))].sort().join('') +
  (id.length > 254 ? ` ${id.length}` : '')
