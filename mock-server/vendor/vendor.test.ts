/** Tests that the mock answers the gaps of the contract as a target file says. */
import { expect, test } from 'vitest'
import { gapOf } from '../../spec/index.ts'
import { mockClient } from '../../test/support/mock-client.ts'
import { loadVariants } from '../catalogue.ts'
import { createMock } from '../mock.ts'
import { vendorMock } from './vendor.ts'
import { vendorAnswers } from './vendor-answers.ts'
import type { VendorTarget } from './vendor-target.ts'

const silent: VendorTarget = { declares: {}, threads: null, runBody: {}, tools: null }

async function speaking(target: Partial<VendorTarget>) {
  const { problems, ...options } = await vendorMock({ ...silent, ...target })
  expect(problems).toEqual([])
  const mock = await createMock({ clock: { mode: 'frozen' }, ...options })
  return { mock, client: mockClient(mock.main, mock) }
}

test('each answer in the table is one of a gap, and each variant that it names exists for that gap', async () => {
  const variants = await loadVariants()
  for (const [gap, answers] of Object.entries(vendorAnswers)) {
    const { answers: known = [], mockAnswer = '' } = gapOf(gap) ?? {}
    for (const [answer, ids] of Object.entries(answers)) {
      const isKnown = known.some((one) => one.toLowerCase() === answer)
      expect(isKnown || mockAnswer.includes(answer), `${gap}: ${answer}`).toBe(true)
      for (const id of ids) expect(variants.map((variant) => variant.id)).toContain(id)
    }
  }
})

test('statuses of successes and errors, and the end of a list, are those of the vendor', async () => {
  const declares = {
    'http.success-status': '200 createThread, createMessage; 202 runThread',
    'errors.status-of-code': '410 thread_not_found; 409 bad_request',
    'pagination.end-signal': 'An empty string',
  }
  const { client } = await speaking({ declares })
  const made = await client.post('/v1/threads', {})
  const thread = made.json.id
  const early = await client.post(`/v1/threads/${thread}/run`, {})
  const said = await client.say(thread, { role: 'user', content: 'x' })
  const run = await client.post(`/v1/threads/${thread}/run`, {})
  expect([made, early, said, run].map(({ status }) => status)).toEqual([200, 409, 200, 202])
  expect((await client.get('/v1/threads/none/messages')).status).toBe(410)
  expect((await client.get(`/v1/threads/${thread}/messages`)).json.cursor).toBe('')
})

test.each([
  ['http.success-status', '200 listMessages; 500 createThread', '500 is not the status of a success'],
  ['http.success-status', '302', '302 is not the status of a success'],
  ['http.success-status', '204 listAssistants', 'a response with status 204 has no body'],
  ['http.success-status', '205', 'a response with status 205 has no body'],
  ['errors.status-of-code', '404 thread_not_found; 304 bad_request', 'a response with status 304 has no body'],
  ['errors.status-of-code', '101', '101 is not the status of an answer'],
  ['auth.missing-key', '999 unauthorized', '999 is not the status of an answer'],
])('the status that %s "%s" declares is refused, since %s', async (gap, declared, why) => {
  const { problems, deviations } = await vendorMock({ ...silent, declares: { [gap]: declared } })
  const fix = expect.stringMatching(/^the mock can do .+; change it, or leave it out$/)
  expect(problems).toEqual([{ place: `declares.${gap}`, problem: `the mock cannot answer "${declared}": ${why}`, fix }])
  expect(deviations).toEqual([])
})

test('an upload, which has no body in its answer, may succeed with 204', async () => {
  await speaking({ declares: { 'http.success-status': '200 createThread; 204 uploadFile' } })
})

test('a refusal has the code of the vendor, known or its own, with a status', async () => {
  const declares = {
    'threads.run-precondition-code': '409 thread_busy',
    'threads.completion-thread-code': 'thread_not_found',
    'http.malformed-json': '400 bad_request',
    'auth.missing-key': '403',
  }
  const { mock, client } = await speaking({ declares })
  const thread = await client.thread()
  const early = await client.post(`/v1/threads/${thread}/run`, {})
  expect([early.status, early.json.error_code]).toEqual([409, 'thread_busy'])
  const body = { assistant_id: client.assistant('Echo'), messages: [{ role: 'user', content: 'x' }] }
  const closed = (await client.post('/v1/chat/completions', body)).json.thread_id
  const refused = await client.say(closed, { role: 'user', content: 'x' })
  expect([refused.status, refused.json]).toEqual([404, { error_code: 'thread_not_found', detail: 'Thread not found' }])
  const broken = await client.post('/v1/chat/completions', '{')
  expect([broken.status, broken.json]).toEqual([400, { error_code: 'bad_request', detail: 'Bad request' }])
  expect((await mock.fetch('/v1/assistants')).status).toBe(403)
})

test('tool calls are read and written in the shape of the vendor, in documents, pages and streams', async () => {
  const tools = {
    callIds: '/tool_requests/*/call_id',
    resultField: 'answers',
    assistantMessage: { tool_requests: [{ call_id: '{{tool_call_id}}', tool_name: 'read', arguments: {} }] },
  }
  const { client } = await speaking({ tools })
  const thread = await client.thread('Weather desk')
  await client.say(thread, { role: 'user', content: 'The weather?' })
  const asked = (await client.post(`/v1/threads/${thread}/run`, {})).json
  expect(asked).toMatchObject({ tool_requests: [{ tool_name: 'get_weather', arguments: { place: 'Vienna' } }] })
  expect(asked).not.toHaveProperty('tool_calls')
  const result = { role: 'tool', content: 'sun', answers: asked.tool_requests[0].call_id }
  const told = await client.post(`/v1/threads/${thread}/messages`, result)
  expect([told.status, told.json.answers, told.json.tool_call_id]).toEqual([201, result.answers, undefined])
  expect((await client.post(`/v1/threads/${thread}/run`, {})).json.content).toBe('The tool says: sun')
  const posted = {
    role: 'assistant',
    content: 'a',
    tool_requests: [{ call_id: 'c1', tool_name: 'f', arguments: { a: 1 } }],
  }
  await client.post(`/v1/threads/${thread}/messages`, posted)
  const { items } = (await client.get(`/v1/threads/${thread}/messages`)).json
  expect(items[0].tool_requests).toEqual(posted.tool_requests)
  const body = { assistant_id: client.assistant('Weather desk'), messages: [{ role: 'user', content: 'weather' }] }
  const chunks = await client.stream('/v1/chat/completions/stream', body)
  expect(chunks.at(-1).delta.tool_requests[0].tool_name).toBe('get_weather')
  const round = [{ role: 'user', content: 'weather' }, posted, { role: 'tool', content: 'rain', answers: 'c1' }]
  const answer = await client.post('/v1/chat/completions', { ...body, messages: round })
  expect(answer.json.content).toBe('The tool says: rain')
})

test('threads are made by the request of the vendor, in every world, and runs name the assistant where it does', async () => {
  const threads = {
    kind: 'http',
    method: 'POST',
    path: '/v2/conversations',
    body: { agent: { id: '{{assistant_id}}' } },
    pointer: '/conversation/key',
  }
  const { mock, client } = await speaking({ threads, runBody: { agent: '{{assistant_id}}' } })
  const agent = client.assistant('Weather desk')
  const { conversation } = (await client.post('/v2/conversations?x=1', { agent: { id: agent } })).json
  expect(conversation).toMatchObject({ key: expect.stringMatching(/^[0-9a-f-]{36}$/), assistant_id: agent })
  await client.say(conversation.key, { role: 'user', content: 'hello' })
  const run = await client.post(`/v1/threads/${conversation.key}/run`, { agent: client.assistant('Echo') })
  expect(run.json.content).toBe('You said: hello')
  expect((await client.post('/w/other/v2/conversations', {})).status).toBe(201)
  expect(mock.find('other')?.export().threads).toHaveLength(1)
})

test('files are attached in the field of the vendor', async () => {
  const { mock, client } = await speaking({ declares: { 'files.attachment-field': 'attachments' } })
  const { id } = mock.main.seedFile({ filename: 'a.txt' })
  const thread = await client.thread()
  const said = await client.post(`/v1/threads/${thread}/messages`, { role: 'user', content: 'x', attachments: [id] })
  expect([said.json.attachments, said.json.file_ids]).toEqual([[id], undefined])
})

test('a mapping of files is followed as far as the mock can, and the rest is told', async () => {
  const { mock, client } = await speaking({ files: { attachment: { documents: ['{{file_id}}'] } } })
  const { id } = mock.main.seedFile({ filename: 'a.txt' })
  const said = await client.post(`/v1/threads/${await client.thread()}/messages`, {
    role: 'user',
    content: 'x',
    documents: [id],
  })
  expect(said.json.documents).toEqual([id])
  const own = { path: '/v1/files/{file_id}/status', pointer: '/status', complete: ['ready'] }
  const placesOf = async (files: VendorTarget['files']) =>
    (await vendorMock({ ...silent, ...(files === undefined ? {} : { files }) })).problems.map(({ place }) => place)
  expect(await placesOf({ status: own, attachment: { file_ids: ['{{file_id}}'] } })).toEqual([])
  expect(await placesOf({ status: { ...own, pointer: '/a/state' }, attachment: { file: '{{file_id}}' } })).toEqual([
    'files.attachment',
    'files.status',
  ])
})

test('a complete file has the field and the word of the vendor', async () => {
  const status = { path: '/v1/files/{file_id}/status', pointer: '/state', complete: ['DONE'] }
  const { mock, client } = await speaking({ files: { status } })
  const { id } = mock.main.seedFile({ filename: 'a.txt' })
  expect((await client.get(`/v1/files/${id}/status`)).json).toMatchObject({ state: 'DONE' })
})

test('what the mock cannot do is told with its place and what it can do', async () => {
  const { problems } = await vendorMock({
    ...silent,
    declares: {
      'pagination.end-signal': 'a number',
      'threads.overlapping-runs': 'rejected',
      'http.success-status': 'ok',
    },
    threads: { kind: 'command' },
    tools: { callIds: '/call_id', resultField: 'x' },
  })
  expect(problems.map(({ place, problem, fix }) => `${place}: ${problem}; ${fix}`)).toEqual([
    'declares.pagination.end-signal: the mock cannot answer "a number"; the mock can do "null", "absent", "an empty string", "a cursor to an empty page"; change it, or leave it out',
    'declares.threads.overlapping-runs: the mock cannot answer "rejected"; the mock can do "accepted"; change it, or leave it out',
    'declares.http.success-status: the mock cannot answer "ok"; the mock can do "200, and 201 for created messages and threads", <a status for each operation>; change it, or leave it out',
    'threads: the mock makes threads on request, not by the source "command"; describe the request with kind http, or leave threads out',
    'tools: the mock cannot write calls to /call_id; write a pointer such as /tool_calls/*/id, and an assistantMessage with the name and arguments of a call',
  ])
})
