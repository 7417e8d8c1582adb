/**
 * Reads the target of a redirect. One that keeps the end of the path moves the same resource, and is followed;
 * any other leads away from it, as to a sign-in page.
 */

/** The URL that a location header names, `null` when it is none or leads to another origin or resource. */
export function sameResourceAt(location: string, from: string): URL | null {
  if (!URL.canParse(location, from)) return null
  const [to, asked] = [new URL(location, from), new URL(from)]
  return to.origin === asked.origin && lastSegment(to) === lastSegment(asked) ? to : null
}

/** Whether an answer sends its caller to another place. */
export const isRedirect = ({ status }: { readonly status: number }): boolean => status >= 300 && status < 400

/** Whether clients repeat a redirected request as a GET, without its body. */
export const becomesGet = (status: number, method: string): boolean =>
  (status === 303 && method !== 'GET' && method !== 'HEAD') || ((status === 301 || status === 302) && method === 'POST')

const lastSegment = ({ pathname }: URL): string | undefined => pathname.replace(/\/+$/, '').split('/').at(-1)
