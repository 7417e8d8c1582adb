/** Laws of the judge as a whole: outcomes, exit codes, purity, and what a run may never look like. */
import { expect, test } from 'vitest'
import { assistant, assistantIds, rejectedWith, violatedIn } from '../../test/trace-builder/sample-data.ts'
import { TraceBuilder } from '../../test/trace-builder/trace-builder.ts'
import { judge } from './judge.ts'

const intent = { probe: 'a.probe', operation: 'listAssistants', purpose: 'valid', expects: 'accepted' } as const

test('a trace without a footer is no run', () => {
  const story = new TraceBuilder({ footer: null }).assistants()
  expect(story.judge()).toMatchObject({ outcome: 'invalid', exitCode: 3, reason: 'the trace has no footer' })
})

test('a run that sent nothing judges nothing', () => {
  expect(new TraceBuilder().judge()).toMatchObject({ outcome: 'invalid', exitCode: 3 })
})

test('a target that never answers is not reached, and not violated', () => {
  const story = new TraceBuilder().assistants([], { silent: true })
  expect(story.judge()).toMatchObject({ exitCode: 3, reason: 'the target could not be reached' })
})

test('keys that are refused everywhere are a wrong profile, not a wrong target', () => {
  const story = new TraceBuilder().assistants([], { status: 401, text: 'Who are you?' })
  expect(story.judge()).toMatchObject({ exitCode: 3, reason: 'the target refused the keys of the profile' })
})

test('a target that answers 500 to everything is nonconformant', () => {
  expect(new TraceBuilder().assistants([], { status: 500, text: 'Oops' }).judge()).toMatchObject({ exitCode: 1 })
})

test('a target that is only unavailable is incomplete, never conformant', () => {
  const story = new TraceBuilder({ profile: { claims: [] } }).assistants(
    [],
    rejectedWith('internal_service_error', 503),
  )
  expect(story.judge().exitCode).toBeGreaterThan(1)
})

test('what is owed and was not exercised leaves a run incomplete', () => {
  const judgement = new TraceBuilder({ profile: { claims: ['core'] } }).assistants().judge()
  expect(judgement).toMatchObject({ outcome: 'incomplete', exitCode: 2 })
  expect(judgement.reason).toMatch(/^\d+ required obligations were not decided$/)
})

test('a level that is not claimed is inapplicable, and what breaks there is a notice', () => {
  const story = new TraceBuilder({ profile: { claims: ['core'] } })
  story.assistants().add(story.thread(), 'user', 'Hello', { with: { content: 'Other' } })
  const judgement = story.judge()
  expect(judgement.verdicts.find(({ requirement }) => requirement === 'threads.create-echoes')).toMatchObject({
    outcome: 'inapplicable',
    reason: 'not claimed: threads',
  })
  expect(judgement.notices.map(({ code }) => code)).toContain('unclaimed-violation')
})

test('a gateway that fails takes back nothing of what a service always refuses', () => {
  const story = new TraceBuilder().assistants()
  const doubted = story.thread()
  story.add(doubted, 'system', 'Answer in English.', { status: 502, text: '<h1>502</h1>' })
  story.add(doubted, 'system', 'Answer in English.')
  const thread = story.thread()
  story.add(thread, 'user', 'Hello')
  story.add(thread, 'system', 'Be brief.', rejectedWith('validation_error'))
  story.add(thread, 'system', 'Be brief.', { status: 503, text: '<h1>503</h1>' })
  const behindSystem = story
    .judge()
    .verdicts.find((one) => one.requirement === 'threads.stream-ends-on-user-or-tool' && one.facet === 'system')
  expect(behindSystem?.outcome).toBe('inapplicable')
})

test('only what the contract states makes a run nonconformant, unless the judge is strict', () => {
  const story = new TraceBuilder().assistants([assistant(assistantIds.plain), assistant(assistantIds.plain)])
  expect(violatedIn(story.judge())).toEqual(['assistants.ids-unique'])
  expect(story.judge().exitCode).toBe(2)
  expect(story.judge({ strict: true }).exitCode).toBe(1)
})

test('bytes that are not what the probe meant are the fault of the suite', () => {
  const story = new TraceBuilder().assistants()
  story.complete(
    { user_id: 'ann' },
    { intent: { ...intent, operation: 'createChatCompletion' }, ...rejectedWith('bad_request') },
  )
  const judgement = story.judge()
  expect(judgement).toMatchObject({ outcome: 'invalid', exitCode: 3 })
  expect(judgement.verdicts.find(({ outcome }) => outcome === 'suite-fault')?.reason).toContain('user_id-not-uuid')
})

test('a situation that went otherwise than the probe meant decides nothing', () => {
  const story = new TraceBuilder().assistants()
  const thread = story.thread()
  story.add(thread, 'user', 'A question, please.')
  story.run(thread, '', {
    intent: { ...intent, operation: 'runThread', expects: 'rejected' },
    ...rejectedWith('bad_request'),
  })
  const judgement = story.judge()
  expect(violatedIn(judgement)).toEqual([])
  expect(judgement.notices.map(({ code }) => code)).toContain('unexpected-situation')
})

test('intent plays no part in recorded traffic', () => {
  const story = new TraceBuilder({ source: 'proxy' }).assistants()
  story.assistants([], { intent, ...rejectedWith('bad_request') })
  expect(violatedIn(story.judge())).toEqual(['http.operation-served'])
})

test('a note of a probe is the reason why something was not exercised', () => {
  const story = new TraceBuilder().assistants()
  story.notes.push({
    kind: 'note',
    probe: 'p',
    requirements: ['files.*'],
    operation: null,
    reason: 'budget',
    text: 'Too dear.',
  })
  expect(story.judge().verdicts.find(({ requirement }) => requirement === 'files.max-size')).toMatchObject({
    outcome: 'unexercised',
    reason: 'budget: Too dear.',
  })
})

test('only the verdicts that a glob asks for are given', () => {
  const judgement = new TraceBuilder().assistants().judge({ only: 'assistants.list*' })
  expect(new Set(judgement.verdicts.map(({ requirement }) => requirement))).toEqual(
    new Set([
      'assistants.list-is-array',
      'assistants.list-is-complete',
      'assistants.listed-can-be-read',
      'assistants.list-and-get-agree',
    ]),
  )
})

test('judging twice gives the same bytes, and leaves the trace as it was', () => {
  const story = new TraceBuilder().assistants()
  const thread = story.thread()
  story.add(thread, 'user', 'A question, please.')
  story.run(thread, 'The answer.', { with: { role: 'bot' } })
  story.list(thread)
  const trace = story.trace()
  const before = JSON.stringify(trace)
  const first = JSON.stringify(judge(trace))
  expect(JSON.stringify(judge(JSON.parse(before)))).toBe(first)
  expect(JSON.stringify(trace)).toBe(before)
})

test('nothing that a target sends makes the judge throw', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const hostile = [
    'null',
    '7',
    '""',
    '[]',
    '{}',
    deep,
    '{"items":[null,7,{"id":{}}],"cursor":[]}',
    '{"error_code":{}}',
    '[null,{"id":7}]',
    '{"__proto__":{"id":1},"api_keys":[null]}',
  ]
  for (const text of hostile) {
    const story = new TraceBuilder().assistants([], { text })
    const thread = story.thread()
    story.send('getAssistant', { in: { assistant_id: assistantIds.plain } }, null, { text })
    story.send('createUploadGrant', {}, null, { text, query: '?filename=a.csv', headers: [['user-id', 'ann']] })
    story.send('listMyApiKeys', {}, null, { text })
    story.send('createMessage', { in: { thread_id: thread }, json: { role: 'user', content: 'x' } }, null, { text })
    story.send('listMessages', { in: { thread_id: thread } }, null, { text })
    story.send('runThread', { in: { thread_id: thread }, json: {} }, null, { text })
    story.send('streamThreadRun', { in: { thread_id: thread }, json: {} }, null, { text })
    story.send('createChatCompletion', { json: story.body() }, null, { text })
    const judgement = story.judge()
    expect(judgement.verdicts.filter(({ outcome }) => outcome === 'suite-fault')).toEqual([])
  }
})
