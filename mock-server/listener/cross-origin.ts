/**
 * Makes the CORS headers of answers, and the answer to preflights. Without origins every page may call; otherwise only
 * pages of these, with credentials.
 */
import type { IncomingMessage } from 'node:http'
import cors from 'cors'

const exposedHeaders = 'x-acs-reason, x-acs-fault-missed, x-acs-recording, retry-after'

type Headers = Readonly<Record<string, string>>

interface CrossOrigin {
  /** The headers of the answer to a request. */
  readonly headersFor: (request: Pick<IncomingMessage, 'headers'>) => Headers
  readonly preflight: ReturnType<typeof cors>
}

/** The rules for pages of these origins, or of any. */
export function crossOriginOf(
  origins: readonly string[] | null,
  methods = ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS'],
): CrossOrigin {
  const [first, ...others] = origins ?? []
  const preflight = cors({
    ...(first === undefined ? null : { origin: others.length === 0 ? first : [first, ...others], credentials: true }),
    methods,
    exposedHeaders,
    maxAge: 600,
  })
  return { headersFor: headersOf(origins), preflight }
}

/** The headers are made once, since every answer has them. */
function headersOf(origins: readonly string[] | null): CrossOrigin['headersFor'] {
  const exposed = { 'access-control-expose-headers': exposedHeaders }
  if (origins === null) {
    const open = { 'access-control-allow-origin': '*', ...exposed }
    return () => open
  }
  const allowed = new Map(
    origins.map((origin): [string, Headers] => [
      origin,
      {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        vary: 'origin',
        ...exposed,
      },
    ]),
  )
  // A page of another origin may not read the answer either way; with one origin the answer is the same for all.
  const [only] = origins.length === 1 ? allowed.values() : []
  const foreign = only ?? { vary: 'origin' }
  return ({ headers }) => allowed.get(headers.origin ?? '') ?? foreign
}
