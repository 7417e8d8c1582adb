/** One request of node:http for a page beside the API, answered whole and with CORS headers. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Page } from '../pages/pages.ts'

/** Makes the page of a target. */
export type PageSource = (target: string, origin: string) => Promise<Page>

/** Answers with a page. */
export async function servePage(
  pages: PageSource,
  { method }: IncomingMessage,
  { target, origin }: { readonly target: string; readonly origin: string },
  response: ServerResponse,
  extraHeaders: Readonly<Record<string, string>>,
): Promise<void> {
  const { headers, body } = await pages(target, origin)
  response.writeHead(200, { ...extraHeaders, ...headers, 'content-length': String(Buffer.byteLength(body)) })
  response.end(method === 'HEAD' ? undefined : body)
}
