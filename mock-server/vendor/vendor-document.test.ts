/** Tests that the document of a mock with a vendor's target says what that mock serves. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock } from '../mock.ts'
import { vendorMock } from './vendor.ts'
import type { VendorTarget } from './vendor-target.ts'

const silent: VendorTarget = { declares: {}, threads: null, runBody: {}, tools: null }

async function documented(target: Partial<VendorTarget>) {
  const { problems, ...options } = await vendorMock({ ...silent, ...target })
  expect(problems).toEqual([])
  const mock = await createMock({ clock: { mode: 'frozen' }, ...options })
  const document = JSON.parse(await (await mock.fetch('/openapi.json')).text())
  return { mock, document, schemas: document.components.schemas, client: mockClient(mock.main, mock) }
}

const conversations = {
  kind: 'http',
  method: 'POST',
  path: '/v1/conversations',
  body: { agent: { id: '{{assistant_id}}' }, channel: 'web' },
  pointer: '/data/conversation_id',
} as const

test('threads are made where, how and with the status that the vendor declares', async () => {
  const declares = { 'http.success-status': '200 createThread, createMessage; 202 runThread' }
  const { document, schemas, client } = await documented({ threads: conversations, declares })
  expect(Object.keys(document.paths)).not.toContain('/v1/threads')
  const { requestBody, responses } = document.paths['/v1/conversations'].post
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '403', '422']))
  expect(Object.keys(responses)).not.toContain('201')
  const sent = requestBody.content['application/json'].examples.bound.value
  expect(sent).toEqual({ agent: { id: client.assistant('Legal assistant') }, channel: 'web' })
  const made = await client.post('/v1/conversations', sent)
  expect(made.status).toBe(200)
  expect(made.json.data.assistant_id).toBe(sent.agent.id)
  const shown = responses['200'].content['application/json'].examples.thread.value
  expect(Object.keys(made.json.data).sort()).toEqual(Object.keys(shown.data).sort())
  expect(schemas.Thread).toMatchObject({
    required: ['data'],
    properties: { data: { required: ['assistant_id', 'created_at', 'conversation_id'] } },
  })
  expect(schemas.CreateThreadRequest.properties).toMatchObject({ agent: { properties: { id: {} } } })
  expect(schemas.CreateThreadRequest.required).toBeUndefined()
  expect(Object.keys(document.paths['/v1/threads/{thread_id}/messages'].post.responses)).toContain('200')
  expect(Object.keys(document.paths['/v1/threads/{thread_id}/run'].post.responses)).toContain('202')
})

test('statuses and codes of errors are those that are declared, known or not', async () => {
  const declares = {
    'threads.run-precondition-code': '409 thread_busy',
    'errors.status-of-code': '410 thread_not_found; 500 internal_service_error, api_timeout_error',
    'auth.missing-key': '403',
  }
  const { document, schemas, client } = await documented({ declares })
  const { responses } = document.paths['/v1/threads/{thread_id}/run'].post
  const codes = (status: string) => Object.keys(responses[status].content['application/json'].examples)
  expect(codes('409')).toEqual(['thread_busy'])
  expect(codes('410')).toEqual(['thread_not_found'])
  expect(codes('500')).toEqual(['internal_service_error', 'api_timeout_error'])
  expect(codes('403')).toEqual(['assistant_not_available', 'unauthorized'])
  for (const status of ['404', '503', '504']) expect(responses).not.toHaveProperty(status)
  expect(responses['429']).toMatchObject({ headers: { 'Retry-After': {} } })
  expect(schemas.ErrorCode.enum).toContain('thread_busy')
  expect(schemas.PlainError.properties.error_code.enum).toContain('thread_busy')
  const thread = await client.thread()
  expect((await client.post(`/v1/threads/${thread}/run`, {})).status).toBe(409)
  expect(document.paths['/v1/assistants'].get.responses).not.toHaveProperty('409')
})

test('fields, cursors, media types and required fields are those of the vendor', async () => {
  const { document, schemas } = await documented({
    declares: {
      'pagination.end-signal': 'an empty string',
      'streams.media-type': 'application/jsonl',
      'completions.user-id-required': 'required',
      'threads.run-without-body': 'rejected',
    },
    runBody: { agent: '{{assistant_id}}' },
    tools: {
      callIds: '/tool_requests/*/call_id',
      resultField: 'answers',
      assistantMessage: { tool_requests: [{ call_id: '{{tool_call_id}}', tool_name: 'read', arguments: {} }] },
    },
    files: {
      status: { path: '/v1/files/{file_id}/status', pointer: '/state', complete: ['done'] },
      attachment: { attachments: ['{{file_id}}'] },
    },
  })
  expect(schemas.MessagePage.properties.cursor.type).toBe('string')
  expect(Object.keys(document.components.responses.TextStream.content)).toEqual(['application/jsonl'])
  expect(schemas.CompletionRequest.required).toContain('user_id')
  expect(Object.keys(schemas.RunRequest.properties)).toEqual(['tools', 'tool_choice', 'agent'])
  const sent = Object.keys(schemas.CreateMessageRequest.properties)
  expect(sent).toEqual(expect.arrayContaining(['tool_requests', 'answers', 'attachments']))
  expect(sent).not.toEqual(expect.arrayContaining(['tool_calls']))
  expect(schemas.CreateMessageRequest.required).toEqual(['content', 'role'])
  expect(schemas.ToolCall).toMatchObject({
    required: ['call_id', 'tool_name', 'arguments'],
    properties: { arguments: { type: 'object' } },
  })
  expect(schemas.FileStatus).toMatchObject({ required: ['file_id', 'state'] })
  expect(schemas.FileStatus.properties.state.enum).toContain('done')
})

test('without declared answers the document is that of the reference', async () => {
  const { document } = await documented({})
  expect(document).toEqual(await (await (await createMock()).fetch('/openapi.json')).json())
})
