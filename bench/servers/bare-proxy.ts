/** Passes requests to an upstream with nothing else on it: the least that a proxy of node:http costs. */
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

const { upstream } = JSON.parse(process.argv[2] ?? '') as { readonly upstream: string }
const { hostname, port } = new URL(upstream)
const agent = new Agent({ keepAlive: true })

const server = createServer((incoming, response) => {
  const { method, url, headers } = incoming
  const outgoing = request({ hostname, port, method, path: url, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  outgoing.on('error', () => response.destroy())
  incoming.pipe(outgoing)
})
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
