/** Proves when two answers are alike, what says that there is no route, and how an answer reads. */
import { expect, test } from 'vitest'
import { errorBody, rejectedWith } from '../../../../test/trace-builder/sample-data.ts'
import { type Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import type { ParsedExchange } from '../../read/parsed-exchange.ts'
import { analyzeTrace, type TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from './answer-name.ts'
import { acceptsNothing, isRefusedLikeOneOf, isRouteMissing, isSameResponse } from './confounders.ts'

/** Lists with these answers, in their order. */
const lists = (
  ...answers: readonly Change[]
): { readonly analysis: TraceAnalysis; readonly parsedExchanges: readonly ParsedExchange[] } => {
  const trace = new TraceBuilder().assistants()
  const thread = trace.thread()
  for (const answer of answers) trace.list(thread, answer)
  const analysis = analyzeTrace(trace.trace())
  return { analysis, parsedExchanges: analysis.of('listMessages') }
}
const [first, second] = [0, 1]
const at = (parsedExchanges: readonly ParsedExchange[], index: number): ParsedExchange => {
  const parsed = parsedExchanges[index]
  if (parsed === undefined) throw new Error(`no list ${index}`)
  return parsed
}
const told = (detail: unknown, code = 'bad_request', status = 400): Change => ({
  status,
  body: errorBody(code, detail),
})

test.each<readonly [law: string, one: Change, other: Change, alike: boolean]>([
  ['ids in a detail make no difference', told('Thread 0f3a-77 is gone.'), told('Thread 9bc1-02d is gone.'), true],
  ['numbers in a detail make no difference', told('Wait 12 seconds.'), told('Wait 7 seconds.'), true],
  ['hexadecimal letters behind a digit belong to it', told('x 1abc'), told('x 1'), true],
  ['and so do those before it', told('x abc1'), told('x 1'), true],
  ['letters without a digit are words', told('bad face'), told('bad deed'), false],
  ['other letters are words', told('Wait 12 seconds.'), told('Wait 12 minutes.'), false],
  ['codes tell apart', told('x'), told('x', 'resource_not_found'), false],
  ['statuses tell apart', told('x'), told('x', 'bad_request', 409), false],
  ['a text in place of JSON has no detail', { status: 400, text: 'no' }, { status: 400, text: 'never' }, true],
])('%s', (_law, one, other, alike) => {
  const { parsedExchanges } = lists(one, other)
  expect(isSameResponse(at(parsedExchanges, first), at(parsedExchanges, second))).toBe(alike)
})

test('an answer is refused like another one only if both are refusals', () => {
  const { parsedExchanges } = lists(rejectedWith('bad_request'), rejectedWith('bad_request'), {})
  const [one, other, served] = [0, 1, 2].map((index) => at(parsedExchanges, index)) as [
    ParsedExchange,
    ParsedExchange,
    ParsedExchange,
  ]
  expect(isRefusedLikeOneOf(one, [other])).toBe(true)
  expect(isRefusedLikeOneOf(one, [one])).toBe(false)
  expect(isRefusedLikeOneOf(one, [served])).toBe(false)
  expect(isRefusedLikeOneOf(served, [served, one])).toBe(false)
  expect(isRefusedLikeOneOf(one, [at(lists(told('Another word')).parsedExchanges, first)])).toBe(false)
})

test.each<readonly [law: string, answer: Change, missing: boolean]>([
  ['404 without a code is no route', { status: 404, text: 'Not Found' }, true],
  ['405 is no route for the method', { status: 405, body: errorBody('method_not_allowed') }, true],
  ['501 is no route yet', { status: 501, text: '' }, true],
  ['400 is about the request', rejectedWith('bad_request'), false],
  ['a thread that is not found is a thing of the contract', rejectedWith('thread_not_found', 404), false],
  ['an assistant that is not available is one', rejectedWith('assistant_not_available', 404), false],
  ['a tenant that is not found is one', rejectedWith('tenant_not_found', 404), false],
  ['a success is a route', {}, false],
])('%s', (_law, answer, missing) => {
  expect(isRouteMissing(at(lists(answer).parsedExchanges, first))).toBe(missing)
})

test('an operation serves nothing when several sound requests were refused and none was served', () => {
  const no = rejectedWith('bad_request')
  expect(acceptsNothing(lists(no, no).analysis, 'listMessages')).toBe(true)
  expect(acceptsNothing(lists(no).analysis, 'listMessages')).toBe(false)
  expect(acceptsNothing(lists(no, no, {}).analysis, 'listMessages')).toBe(false)
  expect(acceptsNothing(lists(no, no).analysis, 'runThread')).toBe(false)
})

test.each<readonly [name: string, answer: Change]>([
  ['200 success', {}],
  ['400 bad_request', rejectedWith('bad_request')],
  ['418 without error_code', { status: 418, text: 'teapot' }],
  ['no answer (timed-out)', { silent: true }],
  ['an answer that was cut', { ending: 'cut' }],
])('an answer reads as %s', (name, answer) => {
  expect(answerName(at(lists(answer).parsedExchanges, first))).toBe(name)
})
