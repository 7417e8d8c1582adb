/** What only the deep tier pays for: equal questions in several threads, and a call that a completion asked for. */
import { expect, test } from 'vitest'
import { trialProfile } from '../cli/prove/trial.ts'
import { fetchClient, judge, run } from '../conformance/index.ts'
import { createMock } from '../mock-server/index.ts'

type Fault = (request: Request, body: string, answer: Response) => Response | Promise<Response>

/** The rules that a mock with a fault in front of it breaks in deep. */
const brokenBy = async (fault: Fault, only: string): Promise<readonly string[]> => {
  await using mock = await createMock({ seed: 3 })
  const client = fetchClient(async (request) => {
    const body = request.method === 'POST' ? await request.clone().text() : ''
    return fault(request, body, await mock.fetch(request))
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
