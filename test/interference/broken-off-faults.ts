/**
 * Faults of servers on which a request that its caller gave up leaves something behind. Each is a proxy in front of a faithful server.
 */
import type { FetchHandler } from '../../conformance/index.ts'
import type { FaultyProxy } from './overlap-faults.ts'
import { others } from './overlap-faults.ts'
import { type Proxied, proxied } from './proxied.ts'

const is =
  (...names: readonly string[]) =>
  (asked: Proxied) =>
    names.includes(asked.operation)

/** A request that was given up is answered to the next caller of the operation. */
const answersLate = (applies: (asked: Proxied) => boolean): FaultyProxy => {
  return (handler) => {
    const left = new Map<string, Response>()
    return proxied(handler, async (asked, pass) => {
      if (!applies(asked)) return pass()
      const late = left.get(asked.operation)
      left.delete(asked.operation)
      await others()
      const response = await afterLeaving(handler, asked, pass)
      if (asked.request.signal.aborted) left.set(asked.operation, response)
      return late ?? response
    })
  }
}

/** What a server does that does not notice that nobody waits. */
function afterLeaving(handler: FetchHandler, { request }: Proxied, pass: () => Promise<Response>): Promise<Response> {
  if (!request.signal.aborted) return pass()
  const init = { method: request.method, headers: request.headers }
  return Promise.resolve(handler(new Request(request.url, init)))
}

interface Broken {
  readonly asked: Proxied
  readonly firstLine: string
}

/** Tells of streams that were given up inside; what is asked afterwards goes to `serve`. */
const afterBreak = (
  serve: (broken: Broken, asked: Proxied, pass: () => Promise<Response>) => Promise<Response>,
): FaultyProxy => {
  return (handler) => {
    let broken: Broken | null = null
    return proxied(handler, async (asked, pass) => {
      const response = broken === null ? await pass() : await serve(broken, asked, pass)
      if (!asked.operation.startsWith('stream') || response.status >= 300) return response
      return watched(response, (firstLine) => {
        broken = { asked, firstLine }
      })
    })
  }
}

/** The same answer; calls back when its reader leaves inside. */
function watched(response: Response, onLeft: (firstLine: string) => void): Response {
  const reader = response.body?.getReader()
  if (reader === undefined) return response
  let first = ''
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await reader.read()
      if (done) return controller.close()
      if (first === '') first = new TextDecoder().decode(value)
      controller.enqueue(value)
    },
    async cancel() {
      onLeft(first.split('\n')[0] ?? '')
      await reader.cancel()
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}

const error = (status: number, code: string, detail: string): Response =>
  Response.json({ error_code: code, detail }, { status })

const isRun = is('runThread', 'streamThreadRun')
const busy = (): Response => error(409, 'bad_request', 'Bad request')
const unknown = (): Response => error(404, 'thread_not_found', 'Thread not found')

async function withFirstLine(response: Response, line: string): Promise<Response> {
  const text = `${line}\n${await response.text()}`
  return new Response(text, { status: response.status, headers: response.headers })
}

async function withoutNewestQuestion(response: Response): Promise<Response> {
  const page = (await response.json()) as { items: { role: string }[] }
  const at = page.items.findIndex(({ role }) => role === 'user')
  return Response.json({ ...page, items: page.items.filter((_, index) => index !== at) })
}

/** Faults after a request was broken off, by what is wrong. */
export const brokenOffFaults: Readonly<Record<string, FaultyProxy>> = {
  'keys that nobody waited for go to the next caller': answersLate(is('listMyApiKeys')),
  'a list of assistants that nobody waited for goes to the next caller': answersLate(is('listAssistants')),
  'an assistant that nobody waited for goes to the next caller': answersLate(is('getAssistant')),
  'messages that nobody waited for go to the next caller': answersLate(is('listMessages')),
  'any answer that nobody waited for goes to the next caller': answersLate(() => true),
  'a broken-off stream leaks a line into the next one': afterBreak(async ({ firstLine }, asked, pass) => {
    const response = await pass()
    return asked.operation.startsWith('stream') && response.status < 300 ? withFirstLine(response, firstLine) : response
  }),
  'a broken-off stream locks its thread': afterBreak(async ({ asked: { thread } }, asked, pass) =>
    isRun(asked) && asked.thread === thread ? busy() : pass(),
  ),
  'a broken-off stream drops its thread': afterBreak(async ({ asked: { thread } }, asked, pass) =>
    thread !== '' && asked.thread === thread ? unknown() : pass(),
  ),
  'a broken-off stream takes its question back': afterBreak(async ({ asked: { thread } }, asked, pass) => {
    const response = await pass()
    const isShown = asked.operation === 'listMessages' && asked.thread === thread && response.status < 300
    return isShown ? withoutNewestQuestion(response) : response
  }),
  'a broken-off stream locks every thread': afterBreak(async (_broken, asked, pass) =>
    isRun(asked) ? busy() : pass(),
  ),
  'a broken-off stream makes its thread take no messages': afterBreak(async ({ asked: { thread } }, asked, pass) =>
    asked.operation === 'createMessage' && asked.thread === thread ? busy() : pass(),
  ),
}
