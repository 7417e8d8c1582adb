/** Answers fetch requests of the same process to the admin API. */
import type { Admin } from './admin.ts'

/** Answers a fetch request of the same process with the admin API. */
export async function fetchAdmin(admin: Admin, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const { status, headers, body } = await admin.handle(
    {
      method: request.method,
      target: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: new Uint8Array(await request.arrayBuffer()),
      remoteAddress: null,
      signal: request.signal,
    },
    null,
  )
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  return new Response(typeof body === 'string' ? body : streamOf(body), { status, headers })
}

function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
}
