/** Serves the files of a folder to a page in a test, on a free port. */
import { readFileSync } from 'node:fs'
import { extname, join, normalize } from 'node:path'
import { serveHandler } from './serve-handler.ts'

export interface StaticSite extends AsyncDisposable {
  readonly url: string
}

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript' }

/** Serves a folder. A path without a suffix is an empty page. */
export async function serveFolder(folder: string): Promise<StaticSite> {
  const { url, close } = await serveHandler(async (request) => {
    const path = normalize(new URL(request.url).pathname)
    const suffix = extname(path)
    const headers = { 'content-type': types[suffix] ?? 'text/html; charset=utf-8' }
    try {
      const body = suffix === '' ? '<!doctype html><title>test</title>' : readFileSync(join(folder, path))
      return new Response(body, { headers })
    } catch {
      return new Response(null, { status: 404 })
    }
  })
  return { url, [Symbol.asyncDispose]: close }
}
