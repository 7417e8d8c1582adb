/** Serves files of a folder, and some texts, to a page in a test, on a free port. */

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

export interface StaticSite extends AsyncDisposable {
  readonly url: string
}

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html; charset=utf-8' }

/** Serves a folder; `texts` go before its files. Every unknown path without a suffix is the empty page. */
export async function serveFolder(folder: string, texts: Readonly<Record<string, string>> = {}): Promise<StaticSite> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://site').pathname)
    const suffix = extname(path)
    const type = types[suffix] ?? 'text/html; charset=utf-8'
    try {
      const body =
        texts[path] ?? (suffix === '' ? '<!doctype html><title>test</title>' : readFileSync(join(folder, path)))
      response.writeHead(200, { 'content-type': type }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
