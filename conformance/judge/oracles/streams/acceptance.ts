/**
 * Oracles about whether a stream starts. They compare with the assistant's record, with the capabilities of its engine,
 * and with the plain form.
 */
import type { AmbiguityText } from '../../classify/ambiguity.ts'
import { soleFault } from '../../classify/request-fault.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { textField } from '../../read/json.ts'
import { isAccepted, isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { judgeAcceptance } from '../support/acceptance.ts'
import { answerName } from '../support/answer-name.ts'
import { isRefusedLikeOneOf, isRefusedLikeValid, isRouteMissing } from '../support/confounders.ts'
import { isForAnother, othersCode, surelyRunBy } from '../support/named-assistants.ts'
import type { Oracle } from '../support/oracle.ts'
import { withSoleFault } from '../support/refusals.ts'
import { TwoKeyMap } from '../support/two-key-map.ts'

/** Oracle of streams.streaming-assistant-streams. */
export const streamingAssistantStreams: Oracle = (analysis, observe) => {
  for (const parsed of analysis.of('streamChatCompletion')) {
    const id = parsed.body.kind === 'json' ? textField(parsed.body.value, 'assistant_id') : null
    const record = id === null ? null : analysis.registry.recordOf(parsed.tenant, id)
    if (id === null || record?.streaming !== true || analysis.requestOf(parsed).validity !== 'valid') continue
    if (isRefusal(parsed) && !isAboutStreaming(analysis, parsed, id)) {
      const why = `It is not for streaming that ${parsed.id} was refused.`
      observe.ambiguous('streamChatCompletion', null, parsed.id, why)
    } else {
      const what = `a streamed completion with assistant ${id}, whose record says that it streams`
      judgeAcceptance(observe, parsed, null, what)
    }
  }
}

/**
 * A refusal that says so, or one of an assistant that streams nothing, unless requests get it that have nothing to do with that:
 * in the plain form, or with an assistant that does stream.
 */
function isAboutStreaming(analysis: TraceAnalysis, parsed: ParsedExchange, id: string): boolean {
  const { code } = parsed.answer
  if (code === 'engine_does_not_support_streaming') return true
  if (code === 'assistant_not_available' || isRouteMissing(parsed)) return false
  const all = analysis.of('streamChatCompletion')
  const streaming = new Set(all.filter(isAccepted).map(assistantOf))
  if (streaming.has(assistantOf(parsed))) return false
  const plain = analysis.of('createChatCompletion').filter((other) => assistantOf(other).endsWith(` ${id}`))
  const others = all.filter((other) => streaming.has(assistantOf(other)))
  return !isRefusedLikeOneOf(parsed, [...plain, ...others])
}

/** The assistant of a completion, and its tenant. */
const assistantOf = ({ tenant, body }: ParsedExchange): string =>
  `${tenant} ${body.kind === 'json' ? textField(body.value, 'assistant_id') : null}`

/** Oracle of streams.run-refused-without-support. */
export const runRefusedWithoutSupport: Oracle = (analysis, observe) => {
  for (const [parsed] of withSoleFault(analysis, ['streamThreadRun'], { 'assistant-without-streaming': null })) {
    const { code } = parsed.answer
    if (isRefusedLikeValid(analysis, observe, parsed)) continue
    if (code === 'engine_does_not_support_streaming') observe.held('streamThreadRun', null, parsed.id)
    else if (isAccepted(parsed) && surelyRunBy(analysis, parsed) === null)
      observe.ambiguous('streamThreadRun', null, parsed.id, 'The assistant of the thread may have answered.')
    else if (code === othersCode && isForAnother(analysis, parsed))
      observe.ambiguous('streamThreadRun', null, parsed.id, 'The thread may take no second assistant.')
    else if (isRefusal(parsed) && mayLackResults(analysis, parsed))
      observe.ambiguous('streamThreadRun', null, parsed.id, `${parsed.id} may be refused for open tool calls.`)
    else if (isRefusal(parsed) || isAccepted(parsed)) {
      observe.contradicted('streamThreadRun', null, {
        exchanges: [parsed.id],
        expected: 'engine_does_not_support_streaming',
        actual: answerName(parsed),
        ...(code === null ? {} : { pointer: '/error_code' }),
        because: `${parsed.id} streams a run of an assistant whose record says that it does not stream, and gets ${answerName(parsed)}.`,
        headline: `answers a run of an assistant that does not stream with ${answerName(parsed)}`,
      })
    } else observe.ambiguous('streamThreadRun', null, parsed.id, `${parsed.id} got ${answerName(parsed)}.`)
  }
}

/** A thread that others have used before may not be ready for any run. */
const mayLackResults = (analysis: TraceAnalysis, parsed: ParsedExchange): boolean =>
  analysis.requestOf(parsed).ambiguities.some(({ about }) => about === 'a thread that may hold open tool calls')

/** Requests of the same meaning to the two forms, by what they share. */
interface Pair {
  readonly plain: ParsedExchange[]
  readonly streamed: ParsedExchange[]
}

/** The properties that make two requests alike. */
type Shared = readonly [string, string]

const shared = (one: string | null, other: string | null): Shared | null =>
  one === null || other === null ? null : [one, other]

/** The pairs of two forms; one of them may be all in one form. */
interface Pairs {
  readonly all: readonly Pair[]
  readonly find: (...by: Shared) => Pair | null
}

/** Oracle of streams.same-acceptance. */
export const sameAcceptance: Oracle = (analysis, observe) => {
  const completions = pairsOf(analysis, 'createChatCompletion', 'streamChatCompletion', (parsed) =>
    parsed.body.kind === 'json' ? [parsed.body.plain, `${parsed.tenant} ${parsed.query.join('&')}`] : null,
  )
  for (const pair of completions.all) {
    // With several faults either may be reported first, so the codes are compared only when there is one.
    const [first] = pair.plain
    const request = first === undefined ? null : analysis.requestOf(first)
    const isPlainCase = request !== null && request.faults.length === 1 && request.ambiguities.length === 0
    comparePair(observe, 'streamChatCompletion', pair, isPlainCase)
  }
  // Runs change their thread, so the same situation is compared, not the same bytes: the same faults, or none.
  const situation = (parsed: ParsedExchange): string | null => {
    const request = analysis.requestOf(parsed)
    return request.validity === 'valid' ? 'valid' : (soleFault(request)?.rule ?? null)
  }
  const runs = pairsOf(analysis, 'runThread', 'streamThreadRun', (parsed) => shared(situation(parsed), ''))
  for (const pair of runs.all) comparePair(observe, 'streamThreadRun', pair, false)
  // If one form answers inconsistently, its threads differ; then the most similar ones are compared.
  const isUnclear = (common: string): boolean => {
    const pair = runs.find(common, '')
    return pair !== null && (isMixed(pair.plain) || isMixed(pair.streamed))
  }
  const alike = pairsOf(analysis, 'runThread', 'streamThreadRun', (parsed) => {
    const common = situation(parsed)
    if (common === null || !isUnclear(common)) return null
    return shared(common, common === 'valid' ? likeThread(analysis, parsed) : sameThread(analysis, parsed))
  })
  for (const pair of alike.all) comparePair(observe, 'streamThreadRun', pair, false)
}

/** Refused runs leave the thread as it is: the thread itself and how many messages were added to it so far. */
function sameThread(analysis: TraceAnalysis, { params, sentAtMs }: ParsedExchange): string {
  const thread = analysis.histories.thread(params.thread_id ?? '')
  return `${thread?.id} ${thread?.writes.filter((write) => write.sentAtMs < sentAtMs).length}`
}

/** The end of the thread, and whether it holds an earlier answer. */
function likeThread(analysis: TraceAnalysis, parsed: ParsedExchange): string | null {
  const thread = analysis.histories.thread(parsed.params.thread_id ?? '')
  const newest = thread?.timeline.newest(parsed, parsed)
  if (newest == null || newest === 'none') return null
  const isAnswered = thread?.writes.some(({ role, sentAtMs }) => role === 'assistant' && sentAtMs < parsed.sentAtMs)
  return `${newest.role} ${isAnswered}`
}

function pairsOf(
  analysis: TraceAnalysis,
  plain: 'createChatCompletion' | 'runThread',
  streamed: 'streamChatCompletion' | 'streamThreadRun',
  keysOf: (parsed: ParsedExchange) => Shared | null,
): Pairs {
  const all: Pair[] = []
  const known = new TwoKeyMap<Pair>()
  const add = (parsed: ParsedExchange, side: keyof Pair): undefined => {
    const keys = isComparable(analysis, parsed) ? keysOf(parsed) : null
    if (keys === null) return
    const before = known.find(...keys)
    const pair = before ?? { plain: [], streamed: [] }
    pair[side].push(parsed)
    if (before !== undefined) return
    known.set(...keys, pair)
    all.push(pair)
  }
  for (const parsed of analysis.of(plain)) add(parsed, 'plain')
  for (const parsed of analysis.of(streamed)) add(parsed, 'streamed')
  return { all, find: (...by) => known.find(...by) ?? null }
}

/** Decided by the service, and not by its ability to stream or by the key. */
function isComparable(analysis: TraceAnalysis, parsed: ParsedExchange): boolean {
  const { faults, ambiguities } = analysis.requestOf(parsed)
  if (!isAccepted(parsed) && !isRefusal(parsed)) return false
  if (parsed.key !== 'sent' || parsed.answer.code === 'engine_does_not_support_streaming') return false
  if (faults.some(({ rule }) => rule === 'assistant-without-streaming' || rule.startsWith('thread-ends-on')))
    return false
  if (parsed.operation === 'streamThreadRun' && isRefusal(parsed) && !endsOnQuestion(analysis, parsed)) return false
  return !ambiguities.some(({ about }) => isAboutForm.has(about))
}

/** Questions that only one of the two forms leaves open. */
const isAboutForm: ReadonlySet<AmbiguityText> = new Set<AmbiguityText>([
  'a request that the suite meant otherwise',
  'a query parameter of the events stream',
  'a streamed completion with an assistant that may not stream',
  'a streamed run after an answer that no list shows',
  'a thread whose assistant may not stream',
  'a whole run of an assistant that may not stream',
])

/** Whether a thread ends on a user or a tool message; after any other message a stream is refused for that alone. */
function endsOnQuestion({ histories }: TraceAnalysis, parsed: ParsedExchange): boolean {
  const newest = histories.thread(parsed.params.thread_id ?? '')?.timeline.newest(parsed, parsed)
  return newest == null || (newest !== 'none' && (newest.role === 'user' || newest.role === 'tool'))
}

function comparePair(
  observe: ObservationLog,
  operation: 'streamChatCompletion' | 'streamThreadRun',
  { plain, streamed }: Pair,
  withCodes: boolean,
): undefined {
  const [one] = plain
  const [other] = streamed
  if (one === undefined || other === undefined || isMixed(plain) || isMixed(streamed)) return
  const sameCode = !withCodes || one.answer.code === other.answer.code
  if (isAccepted(one) === isAccepted(other) && sameCode) return observe.held(operation, null, one.id, other.id)
  observe.contradicted(operation, null, {
    exchanges: [one.id, other.id],
    expected: `${answerName(one)}, as in the plain form`,
    actual: answerName(other),
    because: `The plain form answers ${one.id} with ${answerName(one)}, and the streamed form answers the same in ${other.id} with ${answerName(other)}.`,
    headline: `answers with ${answerName(other)} where the plain form answers with ${answerName(one)}`,
  })
}

/** Whether one form answered the same request in two ways; such requests are not compared between forms. */
const isMixed = ([first, ...others]: readonly ParsedExchange[]): boolean =>
  first !== undefined && others.some((other) => outcomeOf(other) !== outcomeOf(first))

const outcomeOf = (parsed: ParsedExchange): string | null => (isAccepted(parsed) ? 'accepted' : parsed.answer.code)
