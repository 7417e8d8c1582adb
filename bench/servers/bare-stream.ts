/**
 * The ceiling for streams: parses the JSON of the request and writes prepared lines of the requested size.
 * Each line is its own write, all at once, or stamped and paced by one timer for all streams.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface BareStreamOptions {
  readonly lines: number
  readonly lineBytes: number
  /** Between lines; 0 for none. */
  readonly pauseMs: number
}

interface Paced {
  readonly response: ServerResponse
  readonly startedAt: number
  sent: number
}

const { lines, lineBytes, pauseMs } = JSON.parse(process.argv[2] ?? '') as BareStreamOptions
const line = Buffer.from(`${JSON.stringify({ text: 'x'.repeat(lineBytes - '{"text":""}\n'.length) })}\n`)
const paced = new Set<Paced>()

const server = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece) => pieces.push(piece))
  request.on('end', () => {
    if (pieces.length > 0) JSON.parse(Buffer.concat(pieces).toString())
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    if (pauseMs === 0) writeAll(response)
    else paced.add({ response, startedAt: performance.now(), sent: 0 })
  })
})

const writeAll = (response: ServerResponse) => {
  for (let index = 0; index < lines; index += 1) response.write(line)
  response.end()
}

const stampedText = '{"created_at":"2026-01-01T00:00:00.000000Z","text":""}\n'
const rest = `000Z","text":"${'x'.repeat(Math.max(0, lineBytes - stampedText.length))}"}\n`

/** A line that tells when it was written, as a chunk of ours does. */
const stampedLine = (): string => `{"created_at":"${new Date().toISOString().slice(0, -1)}${rest}`

const tick = () => {
  for (const stream of paced) {
    const due = Math.min(lines, Math.floor((performance.now() - stream.startedAt) / pauseMs))
    for (; stream.sent < due; stream.sent += 1) stream.response.write(stampedLine())
    if (stream.sent < lines) continue
    stream.response.end()
    paced.delete(stream)
  }
}

if (pauseMs > 0) setInterval(tick, 1)
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
