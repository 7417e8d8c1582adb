/**
 * Decides whether a refusal is evidence of a rule: whether a service without that rule would have answered differently.
 * Either the same request without the fault is accepted somewhere (the control), or the refusal itself names the fault.
 */
import type { OperationId } from '../../../../spec/index.ts'
import type { AmbiguityText } from '../../classify/ambiguity.ts'
import type { FaultRule } from '../../classify/request-fault.ts'
import { runAssistant } from '../../classify/run-assistant.ts'
import { callsState } from '../../history/tool-calls.ts'
import { isObject, textField } from '../../read/json.ts'
import { isAccepted, isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { hasSuccessShape } from '../../read/success-shape.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from './answer-name.ts'
import { isRefusedLikeOneOf, refusedValid } from './confounders.ts'

/** Why a refused request does not show that it was refused for this fault, or `null` when it does. */
export function doubtAboutRefusal(analysis: TraceAnalysis, parsed: ParsedExchange, fault: FaultRule): string | null {
  const { operation, id } = parsed
  if (operation === null) return `${id} is outside the contract.`
  const others = otherCauses(analysis, parsed, fault)
  if (parsed.answer.code !== null && ownCodes[fault] === parsed.answer.code) {
    if (!isRefusedLikeOneOf(parsed, refusedValid(analysis, operation))) return null
    return `${answerName(parsed)} is what valid requests of this operation get as well.`
  }
  if (parsed.key === 'sent' && !goodKeys(analysis).has(parsed.tenant)) {
    return `${id} may be rejected for its key: no request with it was accepted.`
  }
  const isUsable = isAssistantUsable(analysis, parsed, fault)
  if (isUsable && hasControl(analysis, parsed, fault, others)) return null
  if (differsFromOthers(analysis, parsed, others)) return null
  if (!isUsable) return `${id} may be rejected for its assistant: no request with it was accepted.`
  return others.length === 0
    ? `${id} was rejected, but no valid request of the same kind was accepted, so the reason is unknown.`
    : `${id} may be rejected for another reason: ${others.join(', ')}.`
}

/** All other possible reasons for the refusal. */
function otherCauses(analysis: TraceAnalysis, parsed: ParsedExchange, fault: FaultRule): readonly string[] {
  const { faults, ambiguities } = analysis.requestOf(parsed)
  const others = faults.filter(({ rule }) => rule !== fault).map(({ rule }) => rule)
  const open = ambiguities.map(({ about }) => about).filter((about) => about !== openEnd || !hidesLastRole.has(fault))
  return [...new Set([...others, ...open])]
}

const openEnd: AmbiguityText = 'a completion that does not end on a user message'
/** Faults of the messages themselves: the last role is open only because of them. */
const hidesLastRole: ReadonlySet<FaultRule> = new Set([
  'messages-without-user',
  'entry-not-object',
  'role-missing',
  'role-not-string',
  'role-unknown',
])

/** Codes that the contract gives to one fault only, so that they name it whatever else is wrong. */
const ownCodes: Readonly<Partial<Record<FaultRule, string>>> = {
  'thread-unknown': 'thread_not_found',
  'thread-foreign': 'thread_not_found',
  'content-empty': 'message_content_empty',
  'asking-content-empty': 'message_content_empty',
  'assistant-unknown': 'assistant_not_available',
  'assistant-foreign': 'assistant_not_available',
  'assistant-without-streaming': 'engine_does_not_support_streaming',
  'tool-without-id': 'tool_message_has_no_matching_tool_call',
  'tool-without-assistant-message': 'tool_message_has_no_matching_tool_call',
  'tool-id-unknown': 'tool_message_has_no_matching_tool_call',
  'tool-id-of-other-thread': 'tool_message_has_no_matching_tool_call',
  'tool-id-of-other-role': 'tool_message_has_no_matching_tool_call',
  'tool-id-inexact': 'tool_message_has_no_matching_tool_call',
}

/** Tenants whose key was accepted by some operation. */
const goodKeys = memoPerTrace((analysis): ReadonlySet<string | null> => {
  const good = new Set<string | null>()
  for (const parsed of analysis.parsedExchanges) {
    if (parsed.tenant !== null && isAccepted(parsed)) good.add(parsed.tenant)
  }
  return good
})

/** Assistants with which some completion or run was accepted. */
export const usableAssistants = memoPerTrace((analysis): ReadonlySet<string | null> => {
  const usable = new Set<string | null>()
  for (const parsed of analysis.parsedExchanges) {
    if (isAccepted(parsed)) usable.add(assistantOf(analysis, parsed))
  }
  return usable
})

/** Whether an assistant that a request names is known to answer, so that it is not the reason for the refusal. */
function isAssistantUsable(analysis: TraceAnalysis, parsed: ParsedExchange, fault: FaultRule): boolean {
  const assistant = concernOf(fault) === 'assistant' ? null : assistantOf(analysis, parsed)
  return assistant === null || usableAssistants(analysis).has(assistant)
}

/** The assistant of a completion or run, or `null`. */
export function assistantOf(analysis: TraceAnalysis, parsed: ParsedExchange): string | null {
  switch (parsed.operation) {
    case 'createChatCompletion':
    case 'streamChatCompletion':
    case 'streamChatCompletionEvents':
      return bodyText(parsed, 'assistant_id')?.toLowerCase() ?? null
    case 'runThread':
    case 'streamThreadRun':
      return runAssistant(parsed, analysis.histories.thread(parsed.params.thread_id ?? ''), analysis.profile)
    default:
      return null
  }
}

/** Whether the assistant of a request streams, by its record. */
function streams(analysis: TraceAnalysis, parsed: ParsedExchange): string {
  const assistant = assistantOf(analysis, parsed)
  return `${assistant === null ? null : analysis.registry.anyRecordOf(assistant)?.streaming}`
}

/** Whether each kind of control that was asked for so far was found. */
const knownControls = memoPerTrace((): Map<string, boolean> => new Map())

/** Whether the same request without the fault was accepted, with the same open questions. */
function hasControl(
  analysis: TraceAnalysis,
  parsed: ParsedExchange,
  fault: FaultRule,
  others: readonly string[],
): boolean {
  const { operation } = parsed
  if (operation === null) return false
  const concern = concernOf(fault)
  const kind = kindOf(analysis, parsed, concern)
  const names = namesIn(parsed)
  const known = knownControls(analysis)
  const key = JSON.stringify([operation, concern, kind, names, others])
  const before = known.get(key)
  if (before !== undefined) return before
  const found = analysis.of(operation).some((other) => {
    if (other.key !== 'sent' || !isAccepted(other) || !hasSuccessShape(other)) return false
    const { faults, ambiguities } = analysis.requestOf(other)
    if (faults.length > 0 || !others.every((cause) => ambiguities.some(({ about }) => about === cause))) return false
    const given = namesIn(other)
    if (!names.every((name) => given.includes(name))) return false
    return kindOf(analysis, other, concern) === kind && (concern !== 'calls' || isAnswered(analysis, other))
  })
  known.set(key, found)
  return found
}

/** The subject of a fault: the part in which the control differs from the faulty request. */
type Concern = 'caller' | 'owner' | 'thread' | 'calls' | 'assistant' | 'role' | 'rest'

function concernOf(fault: FaultRule): Concern {
  if (fault.startsWith('key-')) return 'caller'
  if (fault.endsWith('-foreign')) return fault === 'assistant-foreign' ? 'assistant' : 'owner'
  if (fault.startsWith('calls-')) return 'calls'
  if (fault.startsWith('thread-')) return 'thread'
  if (fault.startsWith('assistant')) return 'assistant'
  return fault.startsWith('role-') ? 'role' : 'rest'
}

/** The properties that a control must share with a faulty request beside its operation and its fields. */
function kindOf(analysis: TraceAnalysis, parsed: ParsedExchange, concern: Concern): string {
  switch (parsed.operation) {
    case 'createChatCompletion':
    case 'streamChatCompletion':
    case 'streamChatCompletionEvents':
      return concern === 'assistant' ? '' : streams(analysis, parsed)
    case 'createMessage':
      return concern === 'role' ? '' : (bodyText(parsed, 'role') ?? '')
    case 'getAssistant':
      return concern === 'caller' ? (parsed.params.assistant_id ?? '') : ''
    case 'runThread':
    case 'streamThreadRun':
      return concern === 'caller' || concern === 'owner' ? runKind(analysis, parsed, concern) : ''
    default:
      return ''
  }
}

/** The end of a run's thread, and whether its assistant streams. */
function runKind(analysis: TraceAnalysis, parsed: ParsedExchange, concern: Concern): string {
  const thread = analysis.histories.thread(parsed.params.thread_id ?? '')
  const newest = thread?.timeline.newest(parsed, parsed) ?? null
  const end = newest === 'none' ? newest : (newest?.role ?? thread?.timeline.endRole(parsed, parsed) ?? null)
  return concern === 'owner' ? `${end}` : `${end} ${streams(analysis, parsed)}`
}

function isAnswered(analysis: TraceAnalysis, parsed: ParsedExchange): boolean {
  const thread = analysis.histories.thread(parsed.params.thread_id ?? '')
  return thread !== null && callsState(thread, analysis.profile.tools, parsed) === 'answered'
}

const bodyText = ({ body }: ParsedExchange, name: string): string | null =>
  body.kind === 'json' ? textField(body.value, name) : null

/** The query parameters and the fields of the body. */
function namesIn({ body, query }: ParsedExchange): readonly string[] {
  const fields = body.kind === 'json' && isObject(body.value) ? Object.keys(body.value) : []
  return [...fields, ...query.map(([name]) => `?${name}`)].sort()
}

/** Whether requests with only the other causes were refused, and in another way: then the fault itself was seen. */
function differsFromOthers(analysis: TraceAnalysis, parsed: ParsedExchange, others: readonly string[]): boolean {
  const alternatives = refusedForOnly(analysis, parsed.operation, others)
  return alternatives.length > 0 && alternatives.every((other) => !hasSameError(other, parsed))
}

function refusedForOnly(
  analysis: TraceAnalysis,
  operation: OperationId | null,
  others: readonly string[],
): readonly ParsedExchange[] {
  if (operation === null) return []
  if (others.length === 0) return refusedValid(analysis, operation)
  const known = knownRefusals(analysis)
  const key = JSON.stringify([operation, others])
  const before = known.get(key)
  if (before !== undefined) return before
  const found = analysis.of(operation).filter((other) => {
    if (!isRefusal(other) || other.key !== 'sent') return false
    const { faults, ambiguities, validity } = analysis.requestOf(other)
    const causes = [...faults.map(({ rule }) => rule), ...ambiguities.map(({ about }) => about)]
    return validity !== 'valid' && causes.every((cause) => others.includes(cause))
  })
  known.set(key, found)
  return found
}

/** The requests that were refused for each set of causes that was asked for so far. */
const knownRefusals = memoPerTrace((): Map<string, readonly ParsedExchange[]> => new Map())

/** The same code and status; details differ with the values that they mention. */
const hasSameError = ({ answer: one }: ParsedExchange, { answer: other }: ParsedExchange): boolean =>
  one.code === other.code && one.status === other.status
