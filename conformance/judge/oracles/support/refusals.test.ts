/** Proves when a refusal counts as evidence of a rule. */
import { expect, test } from 'vitest'
import { outcomeOf, rejectedWith } from '../../../../test/trace-builder/sample-data.ts'
import { type Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'

const badLimit = { query: '?limit=many' }
const goodLimit = { query: '?limit=5' }
const no = rejectedWith('bad_request')
const elsewhere = (location: string): Change => ({ status: 302, text: '', answers: [['location', location]] })
const ofLimit = (trace: TraceBuilder): string | undefined =>
  outcomeOf(trace.judge(), 'pagination.limit-is-integer', 'listMessages')

test.each<readonly [law: string, answer: Change, outcome: string]>([
  ['a refusal upholds what must be refused', no, 'upheld'],
  ['a success contradicts it', {}, 'violated'],
  ['a success of another shape decides nothing', { body: { hello: 'world' } }, 'inconclusive'],
  ['a redirect to a sign-in page of another origin is no success', elsewhere('https://sign-in.example/now'), 'upheld'],
  ['a redirect to a sign-in page of the service is no success', elsewhere('/login?next=/messages'), 'upheld'],
  ['a redirect of the resource decides nothing', elsewhere('/messages?limit=100'), 'inconclusive'],
  ['a redirect to nowhere decides nothing', elsewhere('http://'), 'inconclusive'],
  ['a redirect without an address decides nothing', { status: 302, text: '' }, 'inconclusive'],
])('%s', (_law, answer, outcome) => {
  const trace = new TraceBuilder().assistants()
  const thread = trace.thread()
  trace.list(thread, goodLimit)
  trace.list(thread, { ...badLimit, ...answer })
  expect(ofLimit(trace)).toBe(outcome)
})

test.each<readonly [law: string, control: Change | null, refusal: Change, outcome: string]>([
  ['without a control a refusal decides nothing', null, no, 'inconclusive'],
  ['a control without the parameter is none', {}, no, 'inconclusive'],
  [
    'a refused control decides nothing when the faulty request is refused alike',
    { ...goodLimit, ...no },
    no,
    'inconclusive',
  ],
  [
    'a refusal that differs from that of the control shows the fault',
    { ...goodLimit, ...no },
    rejectedWith('validation_error', 422),
    'upheld',
  ],
])('%s', (_law, control, refusal, outcome) => {
  const trace = new TraceBuilder().assistants()
  const thread = trace.thread()
  if (control !== null) trace.list(thread, control)
  trace.list(thread, { ...badLimit, ...refusal })
  expect(ofLimit(trace)).toBe(outcome)
})

const keyless = { as: null, ...rejectedWith('unauthorized', 401) }
const runOfKey = (trace: TraceBuilder): string | undefined => outcomeOf(trace.judge(), 'auth.key-required', 'runThread')

test('a run without a key in a thread that cannot be run is no evidence that the key is needed', () => {
  const trace = new TraceBuilder().assistants()
  const empty = trace.thread()
  trace.run(empty, '', keyless)
  expect(runOfKey(trace)).not.toBe('upheld')
  trace.run(empty, '', rejectedWith('unauthorized', 401))
  expect(runOfKey(trace)).not.toBe('upheld')
})

test('a run without a key shows that the key is needed where the same run with a key is refused in another way', () => {
  const trace = new TraceBuilder().assistants()
  const empty = trace.thread()
  trace.run(empty, '', no)
  trace.run(empty, '', keyless)
  expect(runOfKey(trace)).toBe('upheld')
})

test('a run without a key shows that the key is needed where such a run with a key was accepted', () => {
  const trace = new TraceBuilder().assistants()
  const thread = trace.thread()
  trace.add(thread, 'user', 'Hello')
  trace.run(thread)
  trace.add(thread, 'user', 'And now?')
  trace.run(thread, '', keyless)
  expect(runOfKey(trace)).toBe('upheld')
})

test('an accepted request with two faults of one rule breaks that rule', () => {
  const trace = new TraceBuilder().assistants()
  trace.complete({ messages: [{ role: 'user', content: 'Hello' }, {}] })
  const verdicts = trace.judge().verdicts.filter(({ outcome }) => outcome === 'violated')
  expect(verdicts.map(({ requirement }) => requirement)).toEqual(['completions.messages-well-typed'])
})
