/** Recognises requests for a page beside the API. It is separate from the pages, which are loaded on demand. */
import { isWorldName } from '../http/world-name.ts'

/** Whether a request (path with or without query) asks for a page; the root answers browsers only. */
export function isPageRequest(method: string, target: string, accept: string | undefined): boolean {
  // Called for every request, so one character decides it for most: the paths of the API start with /v or /w.
  const letter = target.charCodeAt(1)
  if (letter === 118 || (method !== 'GET' && method !== 'HEAD')) return false
  if (letter === 119) return target.includes('/openapi.') && worldDocumentOf(target) !== null
  const path = pathOf(target)
  return paths.has(path) || (path === '/' && accept?.includes('text/html') === true)
}

/** The path of a target. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?')
  return mark < 0 ? target : target.slice(0, mark)
}

/** The world whose document a target names, as clients ask for it whose base URL is that of the world. */
export function worldDocumentOf(target: string): { readonly world: string; readonly path: string } | null {
  const [, world = '', path = ''] = /^\/w\/([^/]+)(\/openapi\.(?:json|yaml))$/.exec(pathOf(target)) ?? []
  return isWorldName(world) ? { world, path } : null
}

const paths: ReadonlySet<string> = new Set(['/healthz', '/openapi.json', '/openapi.yaml', '/_acs/ui', '/_acs/ui/'])
