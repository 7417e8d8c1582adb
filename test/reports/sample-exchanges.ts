/** Makes exchanges for sample reports: whole answers, streams, rejections, uploads and broken lines. */
import type { Exchange, ReceivedPiece } from '../../conformance/index.ts'
import type { OperationId } from '../../spec/index.ts'

const baseUrl = 'http://127.0.0.1:4010'
const threadId = '0b8f5b1e-6b43-4a1c-9b1f-3f4f0f6c2a10'
const assistantId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const json = ['content-type', 'application/json'] as const

export interface SampleExchange {
  readonly id: string
  readonly operation: OperationId
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  readonly status: number
  readonly answer: unknown
  readonly sentAtMs: number
  readonly tookMs: number
  readonly probe?: string
  readonly purpose?: string
}

/** One exchange with a whole JSON answer. */
export function sampleExchange(sample: SampleExchange): Exchange {
  const { id, operation, path, status, sentAtMs, tookMs } = sample
  const endedAtMs = sentAtMs + tookMs
  return {
    kind: 'exchange',
    id,
    credential: 'primary',
    sentAtMs,
    endedAtMs,
    request: {
      method: sample.method ?? 'GET',
      url: `${baseUrl}${path}`,
      headers: [['api-key', 'pseudonym-7a1c'], ...(sample.body === undefined ? [] : [json])],
      body: sample.body === undefined ? null : { utf8: JSON.stringify(sample.body) },
    },
    response: {
      status,
      headers: [json, ['date', 'Sat, 21 Nov 2026 02:00:00 GMT']],
      headAtMs: endedAtMs - 1,
      pieces: [{ atMs: endedAtMs, bytes: { utf8: JSON.stringify(sample.answer) } }],
    },
    ending: 'complete',
    intent: {
      probe: sample.probe ?? 'everyday',
      operation,
      purpose: sample.purpose ?? 'valid',
      expects: status < 400 ? 'accepted' : 'rejected',
    },
  }
}

/** A streamed answer whose lines arrive one after another, `gapMs` apart. */
export function sampleStream(id: string, sentAtMs: number, lines: number, gapMs: number): Exchange {
  const pieces: ReceivedPiece[] = Array.from({ length: lines }, (_, index) => ({
    atMs: sentAtMs + 20 + index * gapMs,
    bytes: { utf8: `${JSON.stringify(chunkOf(index))}\n` },
  }))
  const whole = sampleExchange({
    id,
    operation: 'streamThreadRun',
    method: 'POST',
    path: `/v1/threads/${threadId}/run/stream`,
    body: {},
    status: 200,
    answer: {},
    sentAtMs,
    tookMs: 25 + lines * gapMs,
    probe: 'run-stream',
  })
  const headers = [['content-type', 'application/x-ndjson']] as const
  return { ...whole, response: { status: 200, headers, headAtMs: sentAtMs + 15, pieces } }
}

function chunkOf(index: number): unknown {
  return {
    created_at: `2026-11-21T02:00:00.${String(index * 1000).padStart(6, '0')}Z`,
    message_id: '5c1a7f0e-0f0d-4b58-8a5e-2a8c8f7f5f01',
    thread_id: threadId,
    delta: { content: `word ${index} `, role: 'assistant', sources: [] },
  }
}

/** The first exchanges of a small run, E1 to E9, one of each kind. */
export function smallRun(text: string): readonly Exchange[] {
  const thread = `/v1/threads/${threadId}`
  const emptyRun = { operation: 'runThread', method: 'POST', path: `${thread}/run`, body: {} } as const
  const message = { role: 'user', content: text }
  const at = (sentAtMs: number, tookMs: number) => ({ sentAtMs, tookMs })
  const upload = sampleExchange({
    id: 'E8',
    operation: 'uploadFile',
    method: 'PUT',
    path: '/upload/a',
    status: 200,
    answer: '',
    ...at(700, 9),
  })
  const broken = sampleExchange({
    id: 'E9',
    operation: 'listMessages',
    path: `${thread}/messages?limit=1`,
    status: 200,
    answer: {},
    ...at(720, 30),
  })
  return [
    sampleExchange({
      id: 'E1',
      operation: 'listAssistants',
      path: '/v1/assistants',
      status: 200,
      answer: [{ id: assistantId, name: text, streaming: true }],
      ...at(0, 12),
    }),
    sampleExchange({
      id: 'E2',
      operation: 'createThread',
      method: 'POST',
      path: '/v1/threads',
      body: {},
      status: 201,
      answer: { id: threadId },
      ...at(15, 8),
    }),
    sampleExchange({
      id: 'E3',
      ...emptyRun,
      status: 200,
      answer: { id: threadId, role: 'assistant', content: text },
      ...at(30, 120),
      probe: 'run-preconditions',
      purpose: 'no-user-message',
    }),
    sampleExchange({
      id: 'E4',
      operation: 'createMessage',
      method: 'POST',
      path: `${thread}/messages`,
      body: message,
      status: 201,
      answer: { ...message, id: threadId },
      ...at(160, 7),
    }),
    sampleStream('E5', 180, 24, 12),
    sampleStream('E6', 480, 3, 1),
    sampleExchange({
      id: 'E7',
      operation: 'createChatCompletion',
      method: 'POST',
      path: '/v1/chat/completions',
      body: { messages: [message] },
      status: 422,
      answer: { error_code: 'validation_error', detail: text },
      ...at(520, 40),
      probe: 'invalid-bodies',
      purpose: 'drop:/body/assistant_id',
    }),
    { ...upload, request: { ...upload.request, body: { base64: Buffer.from([0xff, 0xfe, 0, 1]).toString('base64') } } },
    { ...broken, response: null, ending: 'timed-out', failure: `no answer within 30 ms ${text}` },
  ]
}

/** `count` exchanges as a big run has them. */
export function manyExchanges(count: number): readonly Exchange[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `E${index + 1}`
    const sentAtMs = index * 7
    if (index % 25 === 24) return sampleStream(id, sentAtMs, 20, 5)
    const path = `/v1/threads/${threadId}/messages`
    const content = `message ${index} ${'lorem ipsum dolor sit amet '.repeat(8)}`
    const refused = index % 9 === 8
    return sampleExchange({
      id,
      operation: index % 2 === 0 ? 'createMessage' : 'listMessages',
      method: index % 2 === 0 ? 'POST' : 'GET',
      path,
      ...(index % 2 === 0 ? { body: { role: 'user', content } } : {}),
      status: refused ? 404 : 200,
      answer: refused ? { error_code: 'thread_not_found', detail: 'Thread not found' } : { id: threadId, content },
      sentAtMs,
      tookMs: 4 + (index % 30),
    })
  })
}
