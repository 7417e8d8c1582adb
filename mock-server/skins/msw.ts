/** The entry point `acs-kit/msw`: a mock or a world answers what Mock Service Worker intercepts, in Node and in browsers. */
import { type HttpHandler, HttpResponse, http } from 'msw'
import type { AnswersRequests } from './answer-fetch.ts'
import { type BaseUrl, baseUrlOf } from './base-url.ts'

/**
 * Handlers for `setupServer` and `setupWorker`: everything below `origin` goes to the mock or world, uploads too. The path
 * of a base URL is left out on the way. Streams arrive chunk by chunk, a reader that disconnects is journaled as `left`, a
 * connection that breaks is a network error. Throws a TypeError for what is no base URL, mock or world.
 */
export function acsHandlers(origin: string, to: AnswersRequests | Promise<AnswersRequests>): readonly HttpHandler[] {
  const base = baseUrlOf('acsHandlers: origin', origin)
  if (!(to instanceof Promise)) checkAnswering(to)
  const answer = async (request: Request) => {
    // A mock that could not be created is not a broken connection: MSW reports the reason.
    const mock = checkAnswering(await to)
    try {
      return await mock.fetch(await belowOrigin(request, base))
    } catch {
      return HttpResponse.error()
    }
  }
  return [http.all(patternOf(base), ({ request }) => answer(request))]
}

function checkAnswering(to: AnswersRequests): AnswersRequests {
  if (typeof (to as Partial<AnswersRequests> | undefined | null)?.fetch === 'function') return to
  throw new TypeError(
    `acsHandlers: to must be a mock, a world or a promise of one, got ${String(to)}; write createMock()`,
  )
}

/** All below the base; the mock grants uploads at the origin, so they are beside a path. */
function patternOf({ origin, path }: BaseUrl): RegExp {
  const plain = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const uploads = path === '' ? '' : '|(?:/w/[^/]+)?/v1/uploads/'
  return new RegExp(`^${plain(origin)}(?:${plain(path)}/${uploads})`)
}

/** The request without the path of the base. Its body is read whole: Firefox could not hand it on otherwise. */
async function belowOrigin(request: Request, { path }: BaseUrl): Promise<Request> {
  const url = new URL(request.url)
  if (path === '' || !url.pathname.startsWith(`${path}/`)) return request
  url.pathname = url.pathname.slice(path.length)
  const { headers, method, signal } = request
  const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer()
  return new Request(url, { method, headers, signal, body })
}

/** The part of the `setupWorker` result that is needed here. */
export interface WorkerEvents {
  readonly events: {
    on(name: 'response:mocked', listener: (event: { readonly response: Response }) => void): unknown
  }
}

/**
 * Lets the mock detect in a browser that a reader cancels a stream. The service worker keeps a copy of each answer for
 * listeners, and an unread copy would keep the stream open: this discards the copies of streams. Returns the worker.
 */
export function withLeavers<Worker extends WorkerEvents>(worker: Worker): Worker {
  worker.events.on('response:mocked', ({ response }) => {
    const isStream = response.headers.get('content-type')?.includes('ndjson') === true
    if (isStream && !response.bodyUsed) void response.body?.cancel()
  })
  return worker
}
