/** Tests that the gate tier finds faults with rare triggers. */
import { expect, test } from 'vitest'
import { trialClient } from '../cli/prove/trial.ts'
import { virtualClock } from '../cli/prove/virtual-time.ts'
import { referenceProfile } from '../cli/reference-profile.ts'
import { type FetchHandler, judge, run } from '../conformance/index.ts'
import { createMock } from '../mock-server/index.ts'
import { sampleOf } from './support/samples.ts'

type Json = Record<string, unknown>
type RequestFault = (handler: FetchHandler) => FetchHandler

const profile = referenceProfile('http://acs.test')
const isCreate = (request: Request) => request.method === 'POST' && request.url.endsWith('/messages')
const isList = (request: Request) => request.method === 'GET' && new URL(request.url).pathname.endsWith('/messages')
const queryOf = (request: Request, name: string) => new URL(request.url).searchParams.get(name)

/** Changes the JSON of accepted answers to the requests that `applies` picks. */
const changing =
  (applies: (request: Request) => boolean, change: (body: Json, request: Request) => Json): RequestFault =>
  (handler) =>
  async (request) => {
    const response = await handler(request)
    if (!applies(request) || response.status >= 300) return response
    return Response.json(change((await response.json()) as Json, request), { status: response.status })
  }

/** The 101st message of a thread and all behind it are acknowledged with the wrong role. */
const afterHundred: RequestFault = (handler) => {
  const counts = new Map<string, number>()
  return changing(isCreate, (body, request) => {
    const count = (counts.get(request.url) ?? 0) + 1
    counts.set(request.url, count)
    return count > 100 ? { ...body, role: 'system' } : body
  })(handler)
}

/** A message that arrives while another is being stored is acknowledged, and lost. */
const lostWhenConcurrent: RequestFault = (handler) => {
  let storing = 0
  return async (request) => {
    if (!isCreate(request)) return handler(request)
    storing += 1
    await new Promise((resolve) => setImmediate(resolve))
    const isLost = storing > 1
    const response = isLost ? Response.json(await invented(request), { status: 201 }) : await handler(request)
    storing -= 1
    return response
  }
}
const invented = async (request: Request): Promise<Json> => ({
  id: crypto.randomUUID(),
  thread_id: new URL(request.url).pathname.split('/')[3],
  created_at: '2030-01-01T00:00:00.000000Z',
  ...((await request.json()) as Json),
})

/** Stamps have whole seconds, and a page behind a cursor leaves out what has the stamp of the last page's end. */
const equalStamps: RequestFault = (handler) => {
  const ends = new Map<string, unknown>()
  const coarse = (message: Json): Json => ({
    ...message,
    created_at: String(message.created_at).replace(/\.\d{6}Z$/, '.000000Z'),
  })
  const page = changing(isList, (body, request) => {
    const items = (body.items as Json[]).map(coarse)
    const end = ends.get(queryOf(request, 'cursor') ?? '')
    if (typeof body.cursor === 'string') ends.set(body.cursor, items.at(-1)?.created_at)
    return { ...body, items: items.filter(({ created_at }) => created_at !== end) }
  })
  return changing(isCreate, coarse)(page(handler))
}

/** The last line of a stream has no thread_id. */
const lastChunk: RequestFault = (handler) => async (request) => {
  const response = await handler(request)
  if (!request.url.includes('/stream') || response.status >= 300) return response
  const lines = (await response.text()).trimEnd().split('\n')
  const { thread_id: _lost, ...last } = JSON.parse(lines.at(-1) ?? '{}') as Json
  return new Response(`${[...lines.slice(0, -1), JSON.stringify(last)].join('\n')}\n`, { headers: response.headers })
}

/** A body is decoded in the pieces in which the network brings it. */
const decodedByPiece: RequestFault = (handler) => async (request) => {
  if (request.body === null) return handler(request)
  const pieces: string[] = []
  for await (const piece of request.body) pieces.push(new TextDecoder().decode(piece))
  const { method, headers, signal, url } = request
  return handler(new Request(url, { method, headers, signal, body: pieces.join('') }))
}

/** A list that is read while an answer is streamed shows it with `content`, which is given the first piece of its text. */
const listedWhileStreamed =
  (content: (first: string) => string): RequestFault =>
  (handler) => {
    const onTheirWay = new Map<unknown, Json>()
    const list = changing(isList, (body, request) => {
      const answer = onTheirWay.get(threadOf(request))
      const items = body.items as Json[]
      // The whole one may be there before the stream has ended.
      const isStored = items.some(({ id }) => id === answer?.id)
      return answer === undefined || isStored ? body : { ...body, items: [answer, ...items] }
    })(handler)
    return async (request) => {
      const response = await list(request)
      if (!request.url.endsWith('/run/stream') || response.body === null || response.status >= 300) return response
      const watched = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform: (piece, controller) => {
            const [line = ''] = new TextDecoder().decode(piece).split('\n')
            const { message_id: id, thread_id, created_at, delta } = JSON.parse(line) as Json & { readonly delta: Json }
            const { role, sources } = delta
            const answer = { id, thread_id, role, content: content(String(delta.content)), created_at, sources }
            onTheirWay.set(threadOf(request), { ...answer, meta_data: { turn_kind: 'answer' } })
            controller.enqueue(piece)
          },
          flush: () => void onTheirWay.delete(threadOf(request)),
          cancel: () => void onTheirWay.delete(threadOf(request)),
        }),
      )
      return new Response(watched, response)
    }
  }
const threadOf = (request: Request) => new URL(request.url).pathname.split('/')[3]

const faults: Readonly<Record<string, RequestFault>> = {
  'letters beyond the BMP are lost': changing(isCreate, (body) => ({
    ...body,
    content: String(body.content).replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
  })),
  'content above 4,096 bytes is cut': changing(isCreate, (body) => ({
    ...body,
    content: Buffer.from(String(body.content)).subarray(0, 4096).toString(),
  })),
  'blanks at the end are trimmed when listed': changing(isList, (body) => ({
    ...body,
    items: (body.items as Json[]).map((item) => ({ ...item, content: String(item.content).trimEnd() })),
  })),
  'the second page loses its first message': changing(
    (request) => isList(request) && queryOf(request, 'cursor') !== null,
    (body) => ({ ...body, items: (body.items as Json[]).slice(1) }),
  ),
  'a page of one holds two': changing(
    (request) => isList(request) && queryOf(request, 'limit') === '1',
    (body) => ({ ...body, items: [...(body.items as Json[]), ...(body.items as Json[])] }),
  ),
  'behind a hundred messages the role is wrong': afterHundred,
  'of messages at the same time one is lost': lostWhenConcurrent,
  'equal stamps hide messages from the next page': equalStamps,
  'system messages come back as user messages': changing(isCreate, (body) => ({
    ...body,
    role: body.role === 'system' ? 'user' : body.role,
  })),
  'the last chunk has no thread': lastChunk,
  'characters between two pieces of a body are lost': decodedByPiece,
  'only the second tenant gets short stamps': changing(
    (request) => isCreate(request) && request.headers.get('api-key') === 'acs-demo-secondary',
    (body) => ({ ...body, created_at: String(body.created_at).replace(/\d{3}Z$/, 'Z') }),
  ),
  'an answer is listed as empty while it is streamed': listedWhileStreamed(() => ''),
  'only the second tenant may add empty messages': (handler) => async (request) => {
    const copy = request.clone()
    const response = await handler(request)
    const isSecond = isCreate(request) && request.headers.get('api-key') === 'acs-demo-secondary'
    const isEmpty = isSecond && response.status >= 400 && (await copy.clone().text()).includes('"content":""')
    return isEmpty ? Response.json(await invented(copy), { status: 201 }) : response
  },
}

/**
 * Seeds of the turns in which what they need is sent: the second tenant sends in turn an empty message and a result that nobody
 * asked for, and a client fills a long thread at two seeds of six.
 */
const turns: Readonly<Record<string, number>> = {
  'only the second tenant may add empty messages': 2,
  'behind a hundred messages the role is wrong': 1,
}

test.concurrent.each(sampleOf('faults with rare triggers', Object.keys(faults)))(
  'gate finds a violation when %s',
  async (name) => {
    await using mock = await createMock({ clock: virtualClock })
    const client = trialClient(mock, faults[name])
    for await (const event of run(profile, { tier: 'gate', seed: turns[name] ?? 21, client })) {
      if (event.type !== 'finished') continue
      const { outcome, verdicts } = judge(event.trace)
      expect(verdicts.filter((verdict) => verdict.outcome === 'violated').length).toBeGreaterThan(0)
      expect(outcome).toBe('nonconformant')
    }
  },
)

test('a list may show the beginning of an answer that is streamed', async () => {
  await using mock = await createMock({ clock: virtualClock })
  const client = trialClient(
    mock,
    listedWhileStreamed((first) => first),
  )
  for await (const event of run(profile, { tier: 'gate', seed: 21, client })) {
    if (event.type !== 'finished') continue
    const { outcome, verdicts } = judge(event.trace, { strict: true })
    expect(verdicts.filter((verdict) => verdict.outcome === 'violated')).toEqual([])
    expect(outcome).toBe('conformant')
  }
})
