/**
 * Rewrites a recorded honest run as a server with a defeat device would have answered it.
 * The requests stay as they are: none of them depends on the order in which a list shows its messages.
 */
import type { Exchange, Trace } from '../../conformance/index.ts'
import { seededRandom } from '../../conformance/probe-runtime/seeded-random.ts'
import { type DefeatDevice, operationOf, type Seen } from './defeat-devices.ts'

/** What a real service takes: for an answer of the model, and for anything else. */
const modelMs = { least: 1500, spread: 5000 } as const
const plainMs = { least: 20, spread: 60 } as const
const dayMs = 86_400_000
const models = /\/completions|\/run/

/** The requests of a run as a device on a service with a real model sees them. */
export function seenIn({ exchanges }: Trace, seed: number): readonly Seen[] {
  const random = seededRandom(seed, 'hours and durations')
  let atMs = random.below(dayMs)
  return exchanges.map(({ request, response }) => {
    const { pathname, search } = new URL(request.url)
    const header = (name: string): string => request.headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? ''
    const status = response?.status ?? null
    const seen: Seen = {
      operation: operationOf(request.method, pathname),
      path: pathname,
      query: search,
      key: header('api-key'),
      agent: header('user-agent'),
      accept: header('accept'),
      text: request.body !== null && 'utf8' in request.body ? request.body.utf8 : '',
      atMs,
      status,
    }
    const { least, spread } = models.test(pathname) && status !== null && status < 400 ? modelMs : plainMs
    atMs += least + random.below(spread)
    return seen
  })
}

/** The run as a device would have answered it: lists the other way round while it does not take the caller for the suite. */
export function behindDevice(trace: Trace, seen: readonly Seen[], { takesForSuite }: DefeatDevice): Trace {
  const exchanges = trace.exchanges.map((exchange, index) => {
    const { operation, status } = seen[index] ?? {}
    if (operation !== 'list' || status !== 200 || takesForSuite(seen.slice(0, index + 1))) return exchange
    return turnedRound(exchange)
  })
  return { ...trace, exchanges }
}

function turnedRound(exchange: Exchange): Exchange {
  const { response } = exchange
  const [piece] = response?.pieces ?? []
  if (response === null || piece === undefined || response.pieces.length > 1 || !('utf8' in piece.bytes))
    return exchange
  const page = JSON.parse(piece.bytes.utf8)
  const utf8 = JSON.stringify({ ...page, items: page.items.toReversed() })
  return { ...exchange, response: { ...response, pieces: [{ ...piece, bytes: { utf8 } }] } }
}
