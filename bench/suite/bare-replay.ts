/**
 * The requests of a trace sent again by undici and nothing else: what the same traffic costs without a suite.
 * Requests that an HTTP client refuses to send are left out, and not counted.
 */
import { Pool } from 'undici'
import type { Exchange, HeaderLines, TargetProfile, Trace } from '../../conformance/index.ts'

/** How many requests were answered. */
export const replayBare = async (trace: Trace, profile: TargetProfile): Promise<number> => {
  const { origin } = new URL(profile.baseUrl)
  const pool = new Pool(origin, { connections: 1 })
  const keys = keysBehind(trace, profile)
  let answered = 0
  for (const { request } of trace.exchanges.filter(isPlain)) {
    const { pathname, search } = new URL(request.url)
    try {
      const { body } = await pool.request({
        method: request.method as 'GET',
        path: pathname + search,
        headers: headersOf(request.headers, keys),
        body: request.body === null || !('utf8' in request.body) ? null : request.body.utf8,
      })
      await body.arrayBuffer()
      answered += 1
    } catch {
      // The client will not send it, or the mock ends the connection on purpose.
    }
  }
  await pool.close()
  return answered
}

const isPlain = ({ request, ending }: Exchange): boolean =>
  ending === 'complete' && URL.canParse(request.url) && (request.body === null || 'utf8' in request.body)

/** Pseudonym in the trace → the key that was sent. */
const keysBehind = (trace: Trace, profile: TargetProfile): ReadonlyMap<string, string> => {
  const redacted = trace.header.profile as TargetProfile
  const names = ['primary', 'secondary', 'throttled'] as const
  return new Map(
    names.flatMap((name) => {
      const [pseudonym, key] = [redacted.tenants[name]?.key, profile.tenants[name]?.key]
      return pseudonym === undefined || key === undefined ? [] : [[pseudonym, key]]
    }),
  )
}

const ownToClient = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect', 'keep-alive'])

const headersOf = (lines: HeaderLines, keys: ReadonlyMap<string, string>): string[] =>
  lines
    .filter(([name]) => !ownToClient.has(name.toLowerCase()))
    .flatMap(([name, value]) => [name, keys.get(value) ?? value])
