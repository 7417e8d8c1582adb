/** Answers every request with the right shape and remembers nothing; schema checks alone would accept it. */
import { randomUUID } from 'node:crypto'
import { type OperationId, operationIds, operations } from '../../spec/index.ts'

const assistantId = '5d0c9a52-8f3e-4c1b-8a77-1f6d2f0b9c01'
const now = (): string => new Date().toISOString().replace('Z', '000Z')

const assistant = {
  id: assistantId,
  name: 'Parrot',
  streaming: true,
  meta_data_response_schema: { type: 'object', title: 'Parrot', properties: {}, required: [] },
  request_required_fields: {},
}

const message = (role: string, content = 'Pieces of eight.') => ({
  id: randomUUID(),
  thread_id: randomUUID(),
  role,
  content,
  created_at: now(),
})

const answer = () => ({ ...message('assistant'), meta_data: {}, sources: [] })

const chunk = (delta: object): string => {
  const { id, thread_id, created_at } = message('assistant')
  return `${JSON.stringify({ created_at, message_id: id, thread_id, delta: { role: 'assistant', sources: [], ...delta } })}\n`
}

const textChunk = (): string => chunk({ content: 'Pieces of eight.' })
const blockChunk = (): string => chunk({ content_blocks: [{ type: 'reasoning', reasoning: 'Polly.' }] })

const bodies: Readonly<Record<OperationId, () => object | string>> = {
  createChatCompletion: answer,
  streamChatCompletion: textChunk,
  streamChatCompletionEvents: blockChunk,
  runThread: answer,
  streamThreadRun: textChunk,
  listMessages: () => ({ cursor: null, items: [message('user'), answer()] }),
  createMessage: () => message('user'),
  listAssistants: () => [assistant],
  getAssistant: () => assistant,
  createUploadGrant: () => ({
    file_id: randomUUID(),
    file_url: 'http://stateless.test/upload',
    expires_in: 900,
    file_limits: { allowed_types: ['text/plain'], max_size: 10_485_760 },
  }),
  uploadFile: () => ({}),
  listMyApiKeys: () => ({
    id: randomUUID(),
    name: 'Parrot',
    api_keys: [{ id: randomUUID(), api_key: 'acs-demo-primary', created_at: now(), last_updated_at: now() }],
  }),
  createThread: () => ({ id: randomUUID(), assistant_id: assistantId, created_at: now() }),
  getFileStatus: () => ({ file_id: randomUUID(), status: 'ready' }),
}

/** Answers any request of the contract with a document of the right shape. */
export function statelessAnswer(request: Request): Response {
  const { pathname } = new URL(request.url)
  const operation = operationIds.find((id) => {
    const { method, path } = operations[id]
    return path === null
      ? request.method === 'PUT'
      : method === request.method && new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname)
  })
  if (operation === undefined) return new Response('Not found', { status: 404 })
  const body = bodies[operation]()
  const isStream = typeof body === 'string'
  const type = isStream ? 'application/x-ndjson' : 'application/json'
  return new Response(isStream ? body : JSON.stringify(body), { headers: { 'content-type': type } })
}
