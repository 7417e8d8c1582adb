/**
 * The headers that common HTTP clients send, one set for each run and tenant, chosen by the seed.
 * A suite with its own headers could be distinguished from customers.
 */
import type { Client } from '../client/client.ts'
import { extraHeaders } from '../client/destination.ts'
import type { SendBase, SendRequest } from '../client/send-request.ts'
import type { TransportProfile } from '../profile/target-profile.ts'
import type { HeaderLines } from '../trace/exchange.ts'
import { seededRandom } from './seeded-random.ts'

const any = ['accept', '*/*'] as const

const encodings = (value: string) => ['accept-encoding', value] as const

const clients: readonly [HeaderLines, ...HeaderLines[]] = [
  [['user-agent', 'node'], any, encodings('gzip, deflate')],
  [
    ['accept', 'application/json, text/plain, */*'],
    ['user-agent', 'axios/1.7.9'],
    encodings('gzip, compress, deflate, br'),
  ],
  [['user-agent', 'python-requests/2.32.3'], encodings('gzip, deflate'), any],
  [any, encodings('gzip, deflate'), ['user-agent', 'python-httpx/0.28.1']],
  [['user-agent', 'curl/8.9.1'], any],
  [any, encodings('gzip'), ['user-agent', 'okhttp/4.12.0']],
  [['user-agent', 'Go-http-client/1.1'], any, encodings('gzip')],
  [['user-agent', 'Java-http-client/21.0.4'], any],
  [
    ['user-agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0'],
    any,
    ['accept-language', 'en-GB,en;q=0.5'],
    encodings('gzip, deflate, br'),
  ],
  [
    [
      'user-agent',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
    ],
    any,
    ['accept-language', 'de-DE,de;q=0.9,en;q=0.8'],
    encodings('gzip, deflate, br'),
  ],
]

/** The Accept header of a client that reads streams and whole answers: the forms that do not stream answer it whole. */
export const readingLines: HeaderLines = [['accept', 'application/x-ndjson, application/json;q=0.9, */*;q=0.8']]

/** The same client, whose requests carry the headers of a common one; headers set by a request or the profile stay. */
export function withCommonHeaders(client: Client, seed: number, transport?: TransportProfile): Client {
  const headers = new Map<string, HeaderLines>()
  const added = extraHeaders(transport).map(([name]) => name.toLowerCase())
  const dressed = <Request extends SendBase & Pick<SendRequest, 'headers' | 'leaveOut'>>(request: Request): Request => {
    const own = request.headers ?? []
    const fixed = new Set([...added, ...own.map(([name]) => name.toLowerCase()), ...(request.leaveOut ?? [])])
    const caller = typeof request.credential === 'string' ? request.credential : 'primary'
    const chosen = headers.get(caller) ?? headersFor(seed, caller)
    headers.set(caller, chosen)
    const common = chosen.filter(([name]) => !fixed.has(name))
    return { ...request, headers: [...common, ...own] }
  }
  return {
    ...client,
    send: (request) => client.send(dressed(request)),
    sendRaw: (request) => client.sendRaw(dressed(request)),
  }
}

function headersFor(seed: number, caller: string): HeaderLines {
  return seededRandom(seed, `headers of ${caller}`).pick(clients)
}
