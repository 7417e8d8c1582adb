/** What only the deep tier pays for: equal questions, answers at once, streams that many callers left, calls of completions. */
import { expect, test } from 'vitest'
import { trialClient, trialProfile } from '../cli/prove/trial.ts'
import { virtualClock } from '../cli/prove/virtual-time.ts'
import { judge, run } from '../conformance/index.ts'
import { createMock } from '../mock-server/index.ts'

type Fault = (request: Request, body: string, answer: Response) => Response | Promise<Response>

/** The rules that a mock with a fault in front of it breaks in deep. */
const brokenBy = async (fault: Fault, only: string): Promise<readonly string[]> => {
  await using mock = await createMock({ seed: 3, clock: virtualClock })
  const client = trialClient(mock, (answer) => async (request) => {
    const body = request.method === 'POST' ? await request.clone().text() : ''
    return fault(request, body, await answer(request))
  })
  for await (const event of run(trialProfile({}), { tier: 'deep', seed: 3, only, client })) {
    if (event.type !== 'finished') continue
    const violated = judge(event.trace).verdicts.filter(({ outcome }) => outcome === 'violated')
    return [...new Set(violated.map(({ requirement }) => requirement))]
  }
  throw new Error('the run ended without a trace')
}

test('an answer that is kept for a question, whatever the thread', async () => {
  const kept = new Map<string, string>()
  const fault: Fault = async (request, body, answer) => {
    if (!request.url.includes('thread_id=') || !request.url.includes('/completions?') || !answer.ok) return answer
    const text = kept.get(body) ?? (await answer.text())
    kept.set(body, text)
    return new Response(text, answer)
  }
  expect(await brokenBy(fault, 'completions.continues-thread')).toContain('completions.continues-thread')
})

test('an answer that is kept for a question without a history, whatever the assistant', async () => {
  const kept = new Map<string, string>()
  const fault: Fault = async (request, body, answer) => {
    if (!request.url.endsWith('/completions') || !answer.ok) return answer
    const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly content: string }[] }
    const [only, ...others] = messages
    if (only === undefined || others.length > 0) return answer
    const own = (await answer.json()) as Record<string, unknown>
    const metadata = kept.get(only.content) ?? JSON.stringify(own.meta_data)
    kept.set(only.content, metadata)
    return Response.json({ ...own, meta_data: JSON.parse(metadata) }, answer)
  }
  expect(await brokenBy(fault, 'resources.meta-data-fits-schema')).toContain('resources.meta-data-fits-schema')
})

test('a stream that was read to its end before', async () => {
  const read = new Set<string>()
  const fault: Fault = (request, body, answer) => {
    if (!request.url.endsWith('/completions/stream') || !answer.ok) return answer
    const key = `${request.headers.get('api-key')} ${body}`
    if (read.has(key)) return new Response('', answer)
    read.add(key)
    return answer
  }
  expect(await brokenBy(fault, 'streams.not-empty')).toContain('streams.not-empty')
})

test('the result of a call, in the thread of the completion that asked for it', async () => {
  const fault: Fault = async (_request, body, answer) => {
    if (!body.includes('"role":"tool"') || answer.ok) return answer
    const isClosed = (await answer.clone().text()).includes('"bad_request"')
    return isClosed ? new Response(body, { status: 201, headers: answer.headers }) : answer
  }
  expect(await brokenBy(fault, 'threads.completion-thread-closed')).toContain('threads.completion-thread-closed')
})

/** The same answer in pieces of so many characters, without the last one where that is full. */
const inFullPieces = (lines: readonly string[], size: number): string => {
  const chunks = lines.map((line) => JSON.parse(line) as { readonly delta: { readonly content: string } })
  const characters = [...chunks.map(({ delta }) => delta.content).join('')]
  const texts = Array.from({ length: Math.floor(characters.length / size) }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(''),
  )
  const rest = characters.slice(texts.length * size).join('')
  const pieces = rest === '' ? texts.slice(0, -1) : [...texts, rest]
  const written = pieces.map((content, at) => {
    const chunk = chunks.at(at < pieces.length - 1 ? 0 : -1)
    return `${JSON.stringify({ ...chunk, delta: { ...chunk?.delta, content } })}\n`
  })
  return written.join('')
}

test('the last piece of a stream is lost when it is full', async () => {
  const fault: Fault = async (request, _body, answer) => {
    if (!request.url.includes('/completions/stream') || !answer.ok) return answer
    const lines = (await answer.text()).split('\n').filter((line) => line !== '')
    return new Response(inFullPieces(lines, 24), answer)
  }
  expect(await brokenBy(fault, 'streams.joined-equals-stored')).toContain('streams.joined-equals-stored')
})

test('two completions at once share one answer', async () => {
  let running: Promise<string> | null = null
  const fault: Fault = async (request, _body, answer) => {
    if (!request.url.endsWith('/completions') || !answer.ok) return answer
    const shared = running
    running ??= answer.clone().text()
    await new Promise((resolve) => setTimeout(resolve, 5))
    running = null
    return shared === null ? answer : new Response(await shared, answer)
  }
  expect(await brokenBy(fault, 'completions.fresh-thread')).toContain('completions.fresh-thread')
})

test('each caller who leaves a stream takes a place that no later stream gets', async () => {
  let left = 0
  const fault: Fault = (request, _body, answer) => {
    if (!request.url.endsWith('/completions/stream') || !answer.ok) return answer
    if (left >= 4) return new Response('', { status: 503 })
    const reader = answer.body?.getReader()
    const watched = new ReadableStream({
      async pull(controller) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel() {
        left += 1
        return reader?.cancel()
      },
    })
    return new Response(watched, answer)
  }
  expect(await brokenBy(fault, 'streams.*')).toContain('http.operation-served')
})

test('a question that comes again in its thread gets the answer from before', async () => {
  const last = new Map<string, string>()
  const answers = new Map<string, string>()
  const fault: Fault = async (request, body, answer) => {
    const thread = /\/threads\/([^/]+)\/(?:messages|run)$/.exec(request.url)?.[1]
    if (thread === undefined || !answer.ok || request.method !== 'POST') return answer
    if (request.url.endsWith('/messages')) {
      last.set(thread, (JSON.parse(body) as { readonly content: string }).content)
      return answer
    }
    const key = `${thread} ${last.get(thread)}`
    const text = answers.get(key) ?? (await answer.clone().text())
    answers.set(key, text)
    return new Response(text, answer)
  }
  expect(await brokenBy(fault, 'threads.run-appends-answer')).toContain('resources.message-ids-unique')
})

test('the oldest messages of a thread are dropped behind the 250th', async () => {
  const kept = 250
  const posted = new Map<string, string[]>()
  const fault: Fault = async (request, _body, answer) => {
    const thread = /\/threads\/([^/]+)\/messages/.exec(request.url)?.[1]
    if (thread === undefined || !answer.ok) return answer
    const ids = posted.get(thread) ?? []
    posted.set(thread, ids)
    const json = (await answer.clone().json()) as { id: string; items?: readonly { readonly id: string }[] }
    if (request.method === 'POST') ids.push(json.id)
    const dropped = new Set(ids.slice(0, -kept))
    if (json.items === undefined || dropped.size === 0) return answer
    const items = json.items.filter(({ id }) => !dropped.has(id))
    return new Response(JSON.stringify({ ...json, items }), answer)
  }
  expect(await brokenBy(fault, 'pagination.*')).toContain('threads.created-is-listed')
})
