/** The opposite of an answer: a refusal for a success, and for a refusal the success response of its operation. */
import type { Exchange } from '../../conformance/index.ts'

type Response = NonNullable<Exchange['response']>

const uuid = '9b2f1c7e-3d4a-4e5b-8c6d-7e8f9a0b1c2d'
const createdAt = '2099-01-01T00:00:00.000000Z'

const refusal = { error_code: 'bad_request', detail: 'Bad request' }

/** The same exchange with the opposite answer; the request stays as it is. */
export function withOppositeAnswer(exchange: Exchange): Exchange {
  const { response } = exchange
  if (response === null) throw new Error(`${exchange.id} has no answer`)
  if (response.status < 300) return { ...exchange, response: answering(response, 400, JSON.stringify(refusal)) }
  const { url, body } = exchange.request
  const thread = /threads\/([^/]+)\//.exec(url)?.[1] ?? uuid
  const sent = body !== null && 'utf8' in body ? (JSON.parse(body.utf8) as object) : {}
  return { ...exchange, response: successOf(response, exchange.request.method, new URL(url).pathname, thread, sent) }
}

function successOf(response: Response, method: string, path: string, thread: string, sent: object): Response {
  const base = { id: uuid, thread_id: thread, role: 'assistant', content: 'Made up.', created_at: createdAt }
  if (path.endsWith('/stream')) {
    const text = path.includes('events')
      ? { content_blocks: [{ type: 'reasoning', reasoning: 'So.' }] }
      : { content: 'Made up.' }
    const delta = { ...text, role: 'assistant', sources: [] }
    const chunk = { created_at: createdAt, message_id: uuid, thread_id: thread, delta }
    return answering(response, 200, `${JSON.stringify(chunk)}\n`, 'application/x-ndjson')
  }
  if (method === 'GET') return answering(response, 200, JSON.stringify({ cursor: null, items: [] }))
  if (path.endsWith('/messages')) return answering(response, 201, JSON.stringify({ ...base, ...sent }))
  return answering(response, 200, JSON.stringify({ ...base, meta_data: { turn_kind: 'answer' }, sources: [] }))
}

const answering = (response: Response, status: number, utf8: string, type = 'application/json'): Response => ({
  ...response,
  status,
  headers: [['content-type', type]],
  pieces: [{ atMs: response.headAtMs, bytes: { utf8 } }],
})
