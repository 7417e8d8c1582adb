/** Laws of answers: when two are alike, what says that there is no route, and how an answer reads. */
import { expect, test } from 'vitest'
import type { Reading } from '../classify/reading.ts'
import { buildDocket, type Docket } from '../judging/docket.ts'
import { error, refused } from '../trace-notation/material.ts'
import { type Change, Story } from '../trace-notation.ts'
import { isAnsweredAlike, isRefusedLikeOneOf, isRouteMissing, servesNothing } from './alike.ts'
import { answerName, judgeRefusal } from './oracle.ts'

/** Lists with these answers, in their order. */
const lists = (...answers: readonly Change[]): { readonly docket: Docket; readonly readings: readonly Reading[] } => {
  const story = new Story().assistants()
  const thread = story.thread()
  for (const answer of answers) story.list(thread, answer)
  const docket = buildDocket(story.trace())
  return { docket, readings: docket.of('listMessages') }
}
const [first, second] = [0, 1]
const at = (readings: readonly Reading[], index: number): Reading => {
  const reading = readings[index]
  if (reading === undefined) throw new Error(`no list ${index}`)
  return reading
}
const told = (detail: unknown, code = 'bad_request', status = 400): Change => ({ status, body: error(code, detail) })

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
  const { readings } = lists(one, other)
  expect(isAnsweredAlike(at(readings, first), at(readings, second))).toBe(alike)
})

test('an answer is refused like another one only if both are refusals', () => {
  const { readings } = lists(refused('bad_request'), refused('bad_request'), {})
  const [one, other, served] = [0, 1, 2].map((index) => at(readings, index)) as [Reading, Reading, Reading]
  expect(isRefusedLikeOneOf(one, [other])).toBe(true)
  expect(isRefusedLikeOneOf(one, [one])).toBe(false)
  expect(isRefusedLikeOneOf(one, [served])).toBe(false)
  expect(isRefusedLikeOneOf(served, [served, one])).toBe(false)
  expect(isRefusedLikeOneOf(one, [at(lists(told('Another word')).readings, first)])).toBe(false)
})

test.each<readonly [law: string, answer: Change, missing: boolean]>([
  ['404 without a code is no route', { status: 404, text: 'Not Found' }, true],
  ['405 is no route for the method', { status: 405, body: error('method_not_allowed') }, true],
  ['501 is no route yet', { status: 501, text: '' }, true],
  ['400 is about the request', refused('bad_request'), false],
  ['a thread that is not found is a thing of the contract', refused('thread_not_found', 404), false],
  ['an assistant that is not available is one', refused('assistant_not_available', 404), false],
  ['a tenant that is not found is one', refused('tenant_not_found', 404), false],
  ['a success is a route', {}, false],
])('%s', (_law, answer, missing) => {
  expect(isRouteMissing(at(lists(answer).readings, first))).toBe(missing)
})

test('an operation serves nothing when several sound requests were refused and none was served', () => {
  const no = refused('bad_request')
  expect(servesNothing(lists(no, no).docket, 'listMessages')).toBe(true)
  expect(servesNothing(lists(no).docket, 'listMessages')).toBe(false)
  expect(servesNothing(lists(no, no, {}).docket, 'listMessages')).toBe(false)
  expect(servesNothing(lists(no, no).docket, 'runThread')).toBe(false)
})

test.each<readonly [name: string, answer: Change]>([
  ['200 success', {}],
  ['400 bad_request', refused('bad_request')],
  ['418 without error_code', { status: 418, text: 'teapot' }],
  ['no answer (timed-out)', { silent: true }],
  ['an answer that was cut', { ending: 'cut' }],
])('an answer reads as %s', (name, answer) => {
  expect(answerName(at(lists(answer).readings, first))).toBe(name)
})

const elsewhere = (location: string): Change => ({ status: 302, text: '', answers: [['location', location]] })

test.each<readonly [law: string, answer: Change, outcome: 'held' | 'contradicted' | 'ambiguous']>([
  ['a refusal upholds what must be refused', refused('bad_request'), 'held'],
  ['a success contradicts it', {}, 'contradicted'],
  ['a success of another shape decides nothing', { body: { hello: 'world' } }, 'ambiguous'],
  ['a redirect to a sign-in page of another origin is no success', elsewhere('https://sign-in.example/now'), 'held'],
  ['a redirect within the service decides nothing', elsewhere('/elsewhere'), 'ambiguous'],
  ['a redirect to nowhere decides nothing', elsewhere('http://'), 'ambiguous'],
  ['a redirect without an address decides nothing', { status: 302, text: '' }, 'ambiguous'],
])('%s', (_law, answer, outcome) => {
  const said: string[] = []
  const witness = (what: string) => () => void said.push(what)
  const testify = { held: witness('held'), contradicted: witness('contradicted'), ambiguous: witness('ambiguous') }
  judgeRefusal(testify as unknown as Parameters<typeof judgeRefusal>[0], at(lists(answer).readings, first), null, 'it')
  expect(said).toEqual([outcome])
})
