/** A proxy in front of a fetch handler that knows the operation, the caller and the thread. */
import type { FetchHandler } from '../../conformance/index.ts'

export type Json = Record<string, unknown>

export interface Proxied {
  readonly operation: string
  /** Id of the thread in the path, or an empty string. */
  readonly thread: string
  readonly key: string
  readonly body: Json
  readonly request: Request
}

type Serve = (asked: Proxied, pass: () => Promise<Response>) => Promise<Response>

const routes: readonly (readonly [pattern: RegExp, operation: string])[] = [
  [/^POST .*\/chat\/completions$/, 'createChatCompletion'],
  [/^POST .*\/completions\/stream$/, 'streamChatCompletion'],
  [/^POST .*\/events\/stream$/, 'streamChatCompletionEvents'],
  [/^POST .*\/run$/, 'runThread'],
  [/^POST .*\/run\/stream$/, 'streamThreadRun'],
  [/^GET .*\/messages$/, 'listMessages'],
  [/^POST .*\/messages$/, 'createMessage'],
  [/^GET .*\/assistants$/, 'listAssistants'],
  [/^GET .*\/assistants\/[^/]+$/, 'getAssistant'],
  [/^GET .*\/signed-url$/, 'createUploadGrant'],
  [/^GET .*\/my-api-keys$/, 'listMyApiKeys'],
]

/** Serves requests in the place of `handler`, which `pass` asks. */
export function proxied(handler: FetchHandler, serve: Serve): FetchHandler {
  return async (request) => {
    const { pathname } = new URL(request.url)
    const operation = routes.find(([pattern]) => pattern.test(`${request.method} ${pathname}`))?.[1] ?? 'other'
    const thread = /\/threads\/([^/]+)\//.exec(pathname)?.[1] ?? ''
    const key = request.headers.get('api-key') ?? ''
    const body = await bodyOf(request)
    return serve({ operation, thread, key, body, request }, async () => handler(request))
  }
}

async function bodyOf(request: Request): Promise<Json> {
  try {
    const value: unknown = JSON.parse(await request.clone().text())
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** The body of an answer as an object; lists count as one as well. */
export async function jsonOf(response: Response): Promise<Json> {
  return response.clone().json() as Promise<Json>
}

/** The same answer with another body. */
export function withBody(response: Response, body: Json): Response {
  return Response.json(body, { status: response.status })
}

/** The same stream with other chunks. */
export function changedLines(response: Response, lines: readonly Json[]): Response {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  return new Response(text, { status: response.status, headers: response.headers })
}
