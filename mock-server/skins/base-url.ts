/** Reads the base URL that an adapter has to answer; a wrong one would silently match no request. */

export interface BaseUrl {
  readonly origin: string
  /** Without a slash at its end; empty for the whole origin. */
  readonly path: string
}

/** The base URL in an argument. Throws a TypeError that says what to write. */
export function baseUrlOf(argument: string, given: unknown): BaseUrl {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : null
  const isWeb = url !== null && /^https?:$/.test(url.protocol)
  if (url === null || !isWeb || url.search + url.hash + url.username + url.password !== '') {
    const shown = typeof given === 'string' ? JSON.stringify(given) : String(given)
    throw new TypeError(`${argument} must be an origin or a base URL, got ${shown}; write ${exampleFor(given)}`)
  }
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') }
}

/** The intended URL, if only the scheme is missing or text follows the path. */
function exampleFor(given: unknown): string {
  const text = String(given)
  for (const meant of text.includes('://') ? [text] : [text, `https://${text}`]) {
    if (typeof given !== 'string' || !URL.canParse(meant)) continue
    const { protocol, host, pathname } = new URL(meant)
    const scheme = /^(localhost|127\.)/.test(host) && meant !== text ? 'http:' : protocol
    if (/^https?:$/.test(scheme) && host !== '') return `${scheme}//${host}${pathname === '/' ? '' : pathname}`
  }
  return 'one such as https://api.acs.example'
}
