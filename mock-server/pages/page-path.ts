/** Which requests ask for a page beside the API. Apart from the pages, which are loaded when one is asked for. */

/** Whether a request (path with or without query) asks for a page; the root answers browsers only. */
export function isPageRequest(method: string, target: string, accept: string | undefined): boolean {
  // Asked for every request, so one character settles it for the API: its paths start with /v or /w.
  const letter = target.charCodeAt(1)
  if (letter === 118 || letter === 119 || (method !== 'GET' && method !== 'HEAD')) return false
  const path = pathOf(target)
  return paths.has(path) || (path === '/' && accept?.includes('text/html') === true)
}

/** The path of a target. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?')
  return mark < 0 ? target : target.slice(0, mark)
}

const paths: ReadonlySet<string> = new Set(['/healthz', '/openapi.json', '/openapi.yaml', '/_acs/ui', '/_acs/ui/'])
