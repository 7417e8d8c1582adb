/**
 * The ceiling: node:http that reads and parses JSON and answers a body of a given size. If told so, it validates with ajv and writes its answer anew, as ours does; it stores and journals nothing.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ajv2020 } from 'ajv/dist/2020.js'

export interface BareJsonOptions {
  readonly bodyBytes: number
  /** Whether bodies are validated, and answers written anew. */
  readonly validates: boolean
}

const { bodyBytes, validates } = JSON.parse(process.argv[2] ?? '') as BareJsonOptions
const value = { text: 'x'.repeat(bodyBytes - '{"text":""}'.length) }
const prepared = Buffer.from(JSON.stringify(value))
const headers = { 'content-type': 'application/json', 'content-length': prepared.length }

const isMessage = new Ajv2020().compile({
  type: 'object',
  required: ['content', 'role'],
  properties: {
    content: { type: 'string', minLength: 1 },
    role: { enum: ['user', 'system', 'tool', 'assistant'] },
    tool_call_id: { type: 'string' },
    file_ids: { type: 'array', items: { type: 'string' } },
  },
})

const server = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece) => pieces.push(piece))
  request.on('end', () => {
    const body: unknown = pieces.length > 0 ? JSON.parse(Buffer.concat(pieces).toString()) : null
    // The request that waits for the server to start has no body.
    if (validates && body !== null && !isMessage(body)) throw new Error('the message is invalid')
    response.writeHead(200, headers)
    response.end(validates ? JSON.stringify(value) : prepared)
  })
})
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
