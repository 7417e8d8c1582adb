/** The entry point `acs-kit/msw`: a mock or a world answers what Mock Service Worker intercepts, in Node and in browsers. */
import { type HttpHandler, HttpResponse, http } from 'msw'
import type { AnswersRequests } from './answer-fetch.ts'

/**
 * Handlers for `setupServer` and `setupWorker`: everything below `origin` goes to the mock or world, uploads too.
 * Streams arrive chunk by chunk, a reader who leaves is journaled as `left`, a connection that breaks is a network error.
 */
export const acsHandlers = (origin: string, to: AnswersRequests): readonly HttpHandler[] => [
  http.all(`${origin.replace(/\/$/, '')}/*`, async ({ request }) => {
    try {
      return await to.fetch(request)
    } catch {
      return HttpResponse.error()
    }
  }),
]

/** What `setupWorker` gives, as far as it is needed here. */
export interface WorkerEvents {
  readonly events: {
    on(name: 'response:mocked', listener: (event: { readonly response: Response }) => void): unknown
  }
}

/**
 * Lets the mock see in a browser that a reader leaves a stream. The service worker keeps a copy of each answer for listeners,
 * and a copy that nobody reads would keep the stream going: this gives up the copies of streams. Returns the worker.
 */
export function withLeavers<Worker extends WorkerEvents>(worker: Worker): Worker {
  worker.events.on('response:mocked', ({ response }) => {
    const isStream = response.headers.get('content-type')?.includes('ndjson') === true
    if (isStream && !response.bodyUsed) void response.body?.cancel()
  })
  return worker
}
