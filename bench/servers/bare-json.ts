/**
 * The ceiling: node:http with nothing on it. It reads and parses the JSON that it is sent and answers a fixed body of
 * the size that it is told.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const { bodyBytes } = JSON.parse(process.argv[2] ?? '') as { readonly bodyBytes: number }
const answer = Buffer.from(JSON.stringify({ text: 'x'.repeat(bodyBytes - '{"text":""}'.length) }))
const headers = { 'content-type': 'application/json', 'content-length': answer.length }

const server = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece) => pieces.push(piece))
  request.on('end', () => {
    if (pieces.length > 0) JSON.parse(Buffer.concat(pieces).toString())
    response.writeHead(200, headers)
    response.end(answer)
  })
})
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
