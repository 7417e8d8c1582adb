/**
 * The headers that common HTTP clients send, one set for each run and tenant, chosen by the seed.
 * A suite with headers of its own would be told from customers by them.
 */
import type { Client, SendBase, SendRequest } from '../client/client.ts'
import type { HeaderLines } from '../trace/exchange.ts'
import { seededRandom } from './seeded-random.ts'

const any = ['accept', '*/*'] as const

const clients: readonly [HeaderLines, ...HeaderLines[]] = [
  [['user-agent', 'node'], any],
  [
    ['accept', 'application/json, text/plain, */*'],
    ['user-agent', 'axios/1.7.9'],
  ],
  [['user-agent', 'python-requests/2.32.3'], any],
  [any, ['user-agent', 'python-httpx/0.28.1']],
  [['user-agent', 'curl/8.9.1'], any],
  [any, ['user-agent', 'okhttp/4.12.0']],
  [['user-agent', 'Go-http-client/1.1'], any],
  [['user-agent', 'Java-http-client/21.0.4'], any],
  [
    ['user-agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0'],
    any,
    ['accept-language', 'en-GB,en;q=0.5'],
  ],
  [
    [
      'user-agent',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
    ],
    any,
    ['accept-language', 'de-DE,de;q=0.9,en;q=0.8'],
  ],
]

/** The same client, whose requests carry the headers of a common one; a header that a request sets itself stays. */
export function withCommonHeaders(client: Client, seed: number): Client {
  const dressed = <Request extends SendBase & Pick<SendRequest, 'headers' | 'leaveOut'>>(request: Request): Request => {
    const own = request.headers ?? []
    const fixed = new Set([...own.map(([name]) => name.toLowerCase()), ...(request.leaveOut ?? [])])
    const added = headersFor(seed, request.credential).filter(([name]) => !fixed.has(name))
    return { ...request, headers: [...added, ...own] }
  }
  return {
    ...client,
    send: (request) => client.send(dressed(request)),
    sendRaw: (request) => client.sendRaw(dressed(request)),
  }
}

function headersFor(seed: number, credential: SendBase['credential']): HeaderLines {
  const caller = typeof credential === 'string' ? credential : 'primary'
  return seededRandom(seed, `headers of ${caller}`).pick(clients)
}
