/** Oracles about when a stream starts at all: what the record promises, what the engine cannot, and parity with the plain form. */
import { soleFault } from '../classify/fault.ts'
import { textField } from '../classify/json.ts'
import { isAccepted, isRefusal, type Reading } from '../classify/reading.ts'
import type { Docket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import { isRefusedLikeOneOf, isRefusedLikeValid, isRouteMissing } from './alike.ts'
import { answerName, judgeAcceptance, type Oracle, withSoleFault } from './oracle.ts'
import { PairMap } from './pair-map.ts'

/** Oracle of streams.streaming-assistant-streams. */
export const streamingAssistantStreams: Oracle = (docket, testify) => {
  for (const reading of docket.of('streamChatCompletion')) {
    const id = reading.body.kind === 'json' ? textField(reading.body.value, 'assistant_id') : null
    const record = id === null ? null : docket.book.recordOf(reading.tenant, id)
    if (id === null || record?.streaming !== true || docket.requestOf(reading).validity !== 'valid') continue
    if (isRefusal(reading) && !isAboutStreaming(docket, reading, id)) {
      const why = `It is not for streaming that ${reading.id} was refused.`
      testify.ambiguous('streamChatCompletion', null, reading.id, why)
    } else {
      const what = `a streamed completion with assistant ${id}, whose record says that it streams`
      judgeAcceptance(testify, reading, null, what)
    }
  }
}

/**
 * A refusal that says so, or one of an assistant that streams nothing, unless requests get it that have nothing to do with that:
 * in the plain form, or with an assistant that does stream.
 */
function isAboutStreaming(docket: Docket, reading: Reading, id: string): boolean {
  const { code } = reading.answer
  if (code === 'engine_does_not_support_streaming') return true
  if (code === 'assistant_not_available' || isRouteMissing(reading)) return false
  const all = docket.of('streamChatCompletion')
  const streaming = new Set(all.filter(isAccepted).map(assistantOf))
  if (streaming.has(assistantOf(reading))) return false
  const plain = docket.of('createChatCompletion').filter((other) => assistantOf(other).endsWith(` ${id}`))
  const others = all.filter((other) => streaming.has(assistantOf(other)))
  return !isRefusedLikeOneOf(reading, [...plain, ...others])
}

/** Whose assistant a completion names, and which. */
const assistantOf = ({ tenant, body }: Reading): string =>
  `${tenant} ${body.kind === 'json' ? textField(body.value, 'assistant_id') : null}`

/** Oracle of streams.run-refused-without-support. */
export const runRefusedWithoutSupport: Oracle = (docket, testify) => {
  for (const [reading] of withSoleFault(docket, ['streamThreadRun'], { 'assistant-without-streaming': null })) {
    const { code } = reading.answer
    if (code === 'engine_does_not_support_streaming') testify.held('streamThreadRun', null, reading.id)
    else if (isRefusedLikeValid(docket, testify, reading)) continue
    else if (isRefusal(reading) || isAccepted(reading)) {
      testify.contradicted('streamThreadRun', null, {
        exchanges: [reading.id],
        expected: 'engine_does_not_support_streaming',
        actual: answerName(reading),
        ...(code === null ? {} : { pointer: '/error_code' }),
        because: `${reading.id} streams a run of an assistant whose record says that it does not stream, and gets ${answerName(reading)}.`,
      })
    } else testify.ambiguous('streamThreadRun', null, reading.id, `${reading.id} got ${answerName(reading)}.`)
  }
}

/** Requests of the same meaning to the two forms, by what they share. */
interface Pair {
  readonly plain: Reading[]
  readonly streamed: Reading[]
}

/** What makes two requests alike. */
type Shared = readonly [string, string]

const shared = (one: string | null, other: string | null): Shared | null =>
  one === null || other === null ? null : [one, other]

/** The pairs of two forms; one of them may be all in one form. */
interface Pairs {
  readonly all: readonly Pair[]
  readonly find: (...by: Shared) => Pair | null
}

/** Oracle of streams.same-acceptance. */
export const sameAcceptance: Oracle = (docket, testify) => {
  const completions = pairsOf(docket, 'createChatCompletion', 'streamChatCompletion', (reading) =>
    reading.body.kind === 'json' ? [reading.body.plain, `${reading.tenant} ${reading.query.join('&')}`] : null,
  )
  for (const pair of completions.all) {
    // With several faults either may be told first, so the codes are compared only when there is one.
    const [first] = pair.plain
    const request = first === undefined ? null : docket.requestOf(first)
    const isPlainCase = request !== null && request.faults.length === 1 && request.doubts.length === 0
    comparePair(testify, 'streamChatCompletion', pair, isPlainCase)
  }
  // Runs change their thread, so the same situation is compared, not the same bytes: what is wrong, or that nothing is.
  const situation = (reading: Reading): string | null => {
    const request = docket.requestOf(reading)
    return request.validity === 'valid' ? 'valid' : (soleFault(request)?.rule ?? null)
  }
  const runs = pairsOf(docket, 'runThread', 'streamThreadRun', (reading) => shared(situation(reading), ''))
  for (const pair of runs.all) comparePair(testify, 'streamThreadRun', pair, false)
  // Where one form answers now so and now otherwise, its threads differ; then the likest are compared.
  const isUnclear = (common: string): boolean => {
    const pair = runs.find(common, '')
    return pair !== null && (isMixed(pair.plain) || isMixed(pair.streamed))
  }
  const alike = pairsOf(docket, 'runThread', 'streamThreadRun', (reading) => {
    const common = situation(reading)
    if (common === null || !isUnclear(common)) return null
    return shared(common, common === 'valid' ? likeThread(docket, reading) : sameThread(docket, reading))
  })
  for (const pair of alike.all) comparePair(testify, 'streamThreadRun', pair, false)
}

/** Refused runs leave the thread as it is: the thread itself and how many messages were added to it so far. */
function sameThread(docket: Docket, { params, sentAtMs }: Reading): string {
  const thread = docket.ledger.thread(params.thread_id ?? '')
  return `${thread?.id} ${thread?.writes.filter((write) => write.sentAtMs < sentAtMs).length}`
}

/** What stands at the end of the thread, and whether anything was answered in it before. */
function likeThread(docket: Docket, reading: Reading): string | null {
  const thread = docket.ledger.thread(reading.params.thread_id ?? '')
  const newest = thread?.timeline.newest(reading, reading)
  if (newest == null || newest === 'none') return null
  const isAnswered = thread?.writes.some(({ role, sentAtMs }) => role === 'assistant' && sentAtMs < reading.sentAtMs)
  return `${newest.role} ${isAnswered}`
}

function pairsOf(
  docket: Docket,
  plain: 'createChatCompletion' | 'runThread',
  streamed: 'streamChatCompletion' | 'streamThreadRun',
  keysOf: (reading: Reading) => Shared | null,
): Pairs {
  const all: Pair[] = []
  const known = new PairMap<Pair>()
  const add = (reading: Reading, side: keyof Pair): undefined => {
    const keys = isComparable(docket, reading) ? keysOf(reading) : null
    if (keys === null) return
    const before = known.find(...keys)
    const pair = before ?? { plain: [], streamed: [] }
    pair[side].push(reading)
    if (before !== undefined) return
    known.set(...keys, pair)
    all.push(pair)
  }
  for (const reading of docket.of(plain)) add(reading, 'plain')
  for (const reading of docket.of(streamed)) add(reading, 'streamed')
  return { all, find: (...by) => known.find(...by) ?? null }
}

/** Decided by the service, and not by its ability to stream or by the key. */
function isComparable(docket: Docket, reading: Reading): boolean {
  const { faults, doubts } = docket.requestOf(reading)
  if (!isAccepted(reading) && !isRefusal(reading)) return false
  if (reading.key !== 'sent' || reading.answer.code === 'engine_does_not_support_streaming') return false
  if (faults.some(({ rule }) => rule === 'assistant-without-streaming' || rule.startsWith('thread-ends-on')))
    return false
  if (reading.operation === 'streamThreadRun' && isRefusal(reading) && !endsOnQuestion(docket, reading)) return false
  return !doubts.some(({ about }) => /stream|meant otherwise|run right after/.test(about))
}

/** Whether a thread ends on a user or a tool message; behind any other a stream is refused for that alone. */
function endsOnQuestion({ ledger }: Docket, reading: Reading): boolean {
  const newest = ledger.thread(reading.params.thread_id ?? '')?.timeline.newest(reading, reading)
  return newest == null || (newest !== 'none' && (newest.role === 'user' || newest.role === 'tool'))
}

function comparePair(
  testify: Testimony,
  operation: 'streamChatCompletion' | 'streamThreadRun',
  { plain, streamed }: Pair,
  withCodes: boolean,
): undefined {
  const [one] = plain
  const [other] = streamed
  if (one === undefined || other === undefined || isMixed(plain) || isMixed(streamed)) return
  const sameCode = !withCodes || one.answer.code === other.answer.code
  if (isAccepted(one) === isAccepted(other) && sameCode) return testify.held(operation, null, one.id, other.id)
  testify.contradicted(operation, null, {
    exchanges: [one.id, other.id],
    expected: `${answerName(one)}, as in the plain form`,
    actual: answerName(other),
    because: `The plain form answers ${one.id} with ${answerName(one)}, and the streamed form answers the same in ${other.id} with ${answerName(other)}.`,
  })
}

/** Whether one form answered the same request in two ways, which is no question of the two forms. */
const isMixed = ([first, ...others]: readonly Reading[]): boolean =>
  first !== undefined && others.some((other) => outcomeOf(other) !== outcomeOf(first))

const outcomeOf = (reading: Reading): string | null => (isAccepted(reading) ? 'accepted' : reading.answer.code)
