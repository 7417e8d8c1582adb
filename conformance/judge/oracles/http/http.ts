/** Oracles of chapter http: operations are served under /v1, documents are JSON, any legal JSON text is read. */
import { documentOperations, everyOperation, type OperationId, type TestableId } from '../../../../spec/index.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { isObject, textField } from '../../read/json.ts'
import { formattingOf, hasUniqueKeys } from '../../read/json-formatting.ts'
import { documentOf, isAccepted, isRefusal, isTurnedIntoGet, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'
import { judgeAcceptance } from '../support/acceptance.ts'
import { answerName } from '../support/answer-name.ts'
import { isRefusedLikeOneOf, isRouteMissing } from '../support/confounders.ts'
import { type FailuresBehind, failuresBehindRefusals } from '../support/failures-behind.ts'
import { failuresBehindProvoked } from '../support/failures-behind-provoked.ts'
import { type HangingRequests, hangingRequests, isLeftRun } from '../support/hanging-requests.ts'
import { type Oracle, perExchange, perTrace, type ScopedOracle } from '../support/oracle.ts'
import { permanentFailure } from '../support/permanent-failure.ts'

/** Every request that meets every rule is served, as long as its key is not over its quota. */
const operationServed: Oracle = (analysis, observe) => {
  for (const operation of everyOperation) {
    for (const parsed of analysis.of(operation)) {
      const { validity } = analysis.requestOf(parsed)
      if (isRefusal(parsed) && parsed.tenant === 'throttled') continue
      if (validity === 'valid')
        judgeAcceptance(observe, parsed, null, 'a request that meets every rule', [], 'a correct request')
      else if (validity === 'unsure' && isAccepted(parsed)) observe.held(operation, null, parsed.id)
    }
    const failures = permanentFailure(analysis, operation)
    if (failures !== null) contradictFailure(analysis, observe, operation, failures)
    const hanging = hangingRequests(analysis, operation)
    if (hanging !== null) contradictHanging(observe, operation, hanging)
  }
  const behind = failuresBehindRefusals(analysis)
  if (behind !== null) contradictBehind(analysis, observe, behind)
  contradictBehindProvoked(analysis, observe)
}

function contradictBehindProvoked(analysis: TraceAnalysis, observe: ObservationLog): void {
  const all = failuresBehindProvoked(analysis)
  const [first] = all
  if (first === undefined) return
  const operation = failingOperation(
    analysis,
    all.map(({ failure }) => failure),
  )
  if (operation === null) return
  observe.contradicted(operation, null, {
    exchanges: [first.provoked.id, ...all.slice(0, 3).map(({ failure }) => failure.id)],
    expected: 'an answer that does not depend on an earlier error',
    actual: `a server error at the first write after each of ${all.length} provoked errors`,
    because: `Each of ${all.length} server errors is the first write after a provoked error, as ${first.failure.id} is after ${first.provoked.id}, and there are no others.`,
    headline: 'fails once after each provoked error',
  })
}

function contradictBehind(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  { code, refusals, failures, first }: FailuresBehind,
): void {
  const operation = failingOperation(analysis, failures)
  if (operation === null) return
  observe.contradicted(operation, null, {
    exchanges: [first.id, ...failures.slice(0, 3).map(({ id }) => id)],
    expected: 'an answer that does not depend on the request before it',
    actual: `a server error behind ${failures.length} of ${refusals} refusals with ${code}`,
    because: `${failures.length} server errors came right behind a refusal with ${code}, as ${failures[0]?.id} did behind ${first.id}, and hardly any elsewhere.`,
    headline: `fails when the request before it was refused with ${code}`,
  })
}

/** The operation of the first failure of a correct request, or of the first failure at all. */
function failingOperation(analysis: TraceAnalysis, failures: readonly ParsedExchange[]): OperationId | null {
  const legal = failures.find((parsed) => analysis.requestOf(parsed).validity === 'valid')
  return (legal ?? failures[0])?.operation ?? null
}

function contradictFailure(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  operation: OperationId,
  failures: readonly ParsedExchange[],
): void {
  const [first] = failures
  if (first === undefined) return
  const ids = failures.slice(0, 3).map(({ id }) => id)
  const isSure = failures.every((parsed) => analysis.requestOf(parsed).validity === 'valid')
  const why = isSure ? 'meet every rule' : 'may be rejected, but not fail'
  observe.contradicted(operation, null, {
    exchanges: ids,
    expected: 'the success response in one of the attempts',
    actual: answerName(first),
    because: `${ids.join(', ')} ${why}, and each of ${failures.length} attempts failed, while the service served other requests.`,
    headline: `fails on a correct request, in each of ${failures.length} attempts`,
  })
}

function contradictHanging(
  observe: ObservationLog,
  operation: OperationId,
  { ended, attempts, waitedMs, slowestMs }: HangingRequests,
): void {
  const isTold = attempts.some(({ answer }) => answer.code !== null)
  const isLeft = isLeftRun(ended)
  const kind = ended.operation === 'streamThreadRun' ? 'stream' : 'run'
  const cause = isLeft ? `The caller of ${ended.id} disconnected` : `${ended.id} failed`
  observe.contradicted(operation, null, {
    exchanges: [ended.id, ...attempts.slice(0, 3).map(({ id }) => id)],
    expected: `an answer, as in other threads, where the slowest took ${secondsOf(slowestMs)}`,
    actual: isTold ? `api_timeout_error after ${secondsOf(waitedMs)}` : `none within ${secondsOf(waitedMs)}`,
    because: `${cause}, and none of ${attempts.length} later requests to threads with such a ${kind} was answered${isTold ? ' in time' : ''}.`,
    headline: `does not answer in a thread after ${isLeft ? `a caller left its ${kind}` : `a ${kind} failed there`}, in any of ${attempts.length} attempts`,
  })
}

const secondsOf = (ms: number): string => `${Number((ms / 1000).toPrecision(2))} s`

/**
 * An operation is not there when every valid request to it meets a route that the service does not know, or is redirected in a
 * way that turns a POST into a GET.
 */
const versionedPath: Oracle = (analysis, observe) => {
  for (const operation of everyOperation) {
    const valid = analysis.of(operation).filter((parsed) => analysis.requestOf(parsed).validity !== 'invalid')
    const served = valid.filter(isAccepted)
    for (const parsed of served) observe.held(operation, null, parsed.id)
    const isLost = (parsed: ParsedExchange) => isRouteMissing(parsed) || isTurnedIntoGet(parsed)
    const lost = valid.find((parsed) => analysis.requestOf(parsed).validity === 'valid' && isLost(parsed))
    if (served.length > 0 || lost === undefined) continue
    const [why, headline] = isTurnedIntoGet(lost)
      ? ['clients follow its redirect by GET, without the body', 'redirects every request as a GET']
      : ['the service knows no such route', 'the service knows no such route']
    observe.contradicted(operation, null, {
      exchanges: [lost.id],
      expected: `${lost.exchange.request.method} ${lost.path} leads to the operation`,
      actual: answerName(lost),
      because: `${lost.id} asks for ${operation} at its path below /v1, and ${why}.`,
      headline,
    })
  }
}

const jsonResponse: Oracle = (analysis, observe) => {
  for (const operation of documentOperations) {
    for (const parsed of analysis.of(operation)) {
      if (!isAccepted(parsed)) continue
      const { body } = parsed.answer
      if (body.kind === 'json') observe.held(operation, null, parsed.id)
      else {
        observe.contradicted(operation, null, {
          exchanges: [parsed.id],
          expected: 'one JSON document in UTF-8',
          actual:
            body.kind === 'none'
              ? 'an empty body'
              : body.fault === 'utf-8'
                ? 'bytes that are not UTF-8'
                : 'text that is not one JSON document',
          pointer: '',
          because: `${parsed.id} succeeds, and its body is not one JSON document.`,
          headline: 'the body is not one JSON document',
        })
      }
    }
  }
}

/** Messages whose JSON is spelled unusually are created like others. */
const jsonRequest: Oracle = (analysis, observe) => {
  const usual = analysis.of('createMessage').find(isAccepted)
  for (const parsed of analysis.of('createMessage')) {
    const { body } = parsed
    if (analysis.requestOf(parsed).validity !== 'valid' || body.kind !== 'json') continue
    const spelling = formattingOf(body)
    const judge = (facet: string, beside?: ParsedExchange): undefined =>
      judgeSpelling(analysis, observe, parsed, facet, beside)
    if (spelling.whitespace) judge('whitespace')
    if (spelling.escapes && hasUniqueKeys(body)) judge('escapes')
    if (usual !== undefined && firstKey(parsed) !== firstKey(usual)) judge('key-order', usual)
  }
}

const firstKey = ({ body }: ParsedExchange): string | undefined =>
  body.kind === 'json' && isObject(body.value) ? Object.keys(body.value)[0] : undefined

/** `usual` is the message that shows that this one is spelled unusually. */
function judgeSpelling(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  parsed: ParsedExchange,
  facet: string,
  usual?: ParsedExchange,
): undefined {
  const beside = usual === undefined ? [] : [usual]
  const stored = textField(documentOf(parsed), 'content')
  if (isRefusedLikeOneOf(parsed, usuallySpelled(analysis))) {
    const why = `${parsed.id} is refused as messages in plain spelling are.`
    return observe.ambiguous('createMessage', facet, parsed.id, why)
  }
  if (!isAccepted(parsed) || stored === null || contentOf(parsed) === stored) {
    return judgeAcceptance(observe, parsed, facet, `a message in legal JSON of another spelling (${facet})`, beside)
  }
  const plain = plainMessages(analysis).filter((other) => other !== parsed)
  const twins = plain.filter((other) => contentOf(other) === contentOf(parsed))
  if ((twins.length > 0 ? twins : plain).some(isMangled)) {
    const why = `${parsed.id} came back with another content, and so do messages in plain spelling.`
    return observe.ambiguous('createMessage', facet, parsed.id, why)
  }
  observe.contradicted('createMessage', facet, {
    exchanges: [...beside.map(({ id }) => id), parsed.id],
    expected: 'the content that the JSON text means',
    actual: 'another content',
    pointer: '/content',
    because: `${parsed.id} is a valid representation of the same JSON, and the service read different content.`,
    headline: 'reads another representation of the same JSON as different content',
  })
}

const contentOf = ({ body }: ParsedExchange): string | null =>
  body.kind === 'json' ? textField(body.value, 'content') : null

/** Accepted messages whose JSON is spelled as most clients do. */
const plainMessages = memoPerTrace((analysis): readonly ParsedExchange[] =>
  analysis.of('createMessage').filter(isAccepted).filter(isPlain),
)

function isPlain({ body }: ParsedExchange): boolean {
  if (body.kind !== 'json') return false
  const { whitespace, escapes } = formattingOf(body)
  return !whitespace && !escapes
}

/** Valid messages in plain spelling with their fields in the usual order. */
const usuallySpelled = memoPerTrace((analysis): readonly ParsedExchange[] => {
  const valid = analysis.of('createMessage').filter((parsed) => analysis.requestOf(parsed).validity === 'valid')
  const usual = valid.find(isAccepted)
  return valid.filter((parsed) => isPlain(parsed) && (usual === undefined || firstKey(parsed) === firstKey(usual)))
})

/** Whether a message came back with another content than it was sent with. */
function isMangled(parsed: ParsedExchange): boolean {
  const stored = textField(documentOf(parsed), 'content')
  return stored !== null && stored !== contentOf(parsed)
}

/** The oracles of chapter http. */
export const httpOracles: Readonly<Record<TestableId<'http'>, ScopedOracle>> = {
  'http.operation-served': perTrace(operationServed),
  'http.versioned-path': perTrace(versionedPath),
  'http.json-response': perExchange(jsonResponse),
  'http.json-request': perTrace(jsonRequest),
}
