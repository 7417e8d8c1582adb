/**
 * Writes responses: JSON, gzipped when asked for, and NDJSON with CRLF between the lines and none after the last.
 * Lines are sent in two halves, cut at any byte, as a busy proxy would pass them on.
 */
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { RequestFault } from './outcome.ts'

const halfPauseMs = 3

/** Sends a JSON document. */
export function sendDocument(response: ServerResponse, status: number, document: unknown, acceptsGzip: boolean): void {
  const bytes = Buffer.from(JSON.stringify(document))
  const headers = { 'content-type': 'application/json;charset=UTF-8', vary: 'accept-encoding' }
  if (acceptsGzip) response.writeHead(status, { ...headers, 'content-encoding': 'gzip' }).end(gzipSync(bytes))
  else response.writeHead(status, headers).end(bytes)
}

/** Sends a fault in the contract's envelope, with a reference for the help desk. */
export function sendFault(response: ServerResponse, fault: RequestFault, acceptsGzip: boolean): void {
  const { status, error_code, detail } = fault
  sendDocument(
    response,
    status,
    { error_code, detail, reference: `B-${process.hrtime.bigint() % 1_000_000n}` },
    acceptsGzip,
  )
}

/** Sends chunks as a stream. */
export async function sendChunks(response: ServerResponse, status: number, chunks: readonly object[]): Promise<void> {
  response.writeHead(status, { 'content-type': 'application/x-ndjson; charset=utf-8' })
  for (const [index, chunk] of chunks.entries()) {
    const line = Buffer.from(`${index === 0 ? '' : '\r\n'}${JSON.stringify(chunk)}`)
    const middle = Math.floor(line.length / 2)
    response.write(line.subarray(0, middle))
    await pause(halfPauseMs)
    response.write(line.subarray(middle))
    await pause(halfPauseMs)
    if (response.destroyed) return
  }
  response.end()
}
