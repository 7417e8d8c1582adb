/**
 * Receives an upload and computes its digest without holding it in memory.
 * Size, type and digest are kept; no operation of the contract returns a file.
 */
import { createHash } from 'node:crypto'
import { headerOf, type RequestBody } from '../exchange/request.ts'
import type { ServedRequest } from '../exchange/served-request.ts'
import type { Sink } from '../exchange/sink.ts'
import { fileLimits } from '../machine/file-limits.ts'
import type { BreakOff } from './execute-request.ts'
import { sendRejection, sendReply } from './write-response.ts'

interface UploadTarget {
  readonly fileId: string
  readonly query: URLSearchParams | null
}

/** Receives an upload and answers it. */
export function receiveUpload(exchange: ServedRequest, sink: Sink, target: UploadTarget, breakOff: BreakOff): void {
  const store = ({ sizeBytes, sha256 }: Measure) => {
    const command = {
      operation: 'uploadFile',
      fileId: target.fileId,
      expires: target.query?.get('expires') ?? '',
      signature: target.query?.get('signature') ?? '',
      mediaType: mediaTypeOf(headerOf(exchange.request.headers, 'content-type') ?? ''),
      sizeBytes,
      sha256,
    } as const
    exchange.command = command
    const reply = exchange.world.apply(command)
    if (reply.kind === 'rejected') sendRejection(exchange, sink, reply.rejection)
    else if (reply.kind !== 'run') sendReply(exchange, sink, reply)
  }
  const { held, journal } = exchange.world
  let isClosed = false
  held.set(exchange, () => {
    isClosed = true
    exchange.outcome = 'broken-off'
    journal.record(exchange)
    sink.reset()
  })
  measure(exchange.request.body)
    .finally(() => held.delete(exchange))
    .then((measured) => (isClosed ? undefined : store(measured)))
    .catch((cause: unknown) => (isClosed ? undefined : breakOff(exchange, sink, cause)))
}

interface Measure {
  readonly sizeBytes: number
  readonly sha256: string
}

/** The multiple of the largest size that is read before a client that is still sending gets its answer. */
const patience = 2

async function measure(body: RequestBody): Promise<Measure> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  if (body.kind === 'bytes') {
    hash.update(body.bytes)
    sizeBytes = body.bytes.length
  } else if (body.kind === 'too-large') {
    sizeBytes = fileLimits.maxSizeBytes + 1
  } else if (body.kind === 'stream') {
    for await (const piece of body.pieces) {
      sizeBytes += piece.length
      if (sizeBytes <= fileLimits.maxSizeBytes) hash.update(piece)
      // Most clients read an answer only after sending their body.
      if (sizeBytes > patience * fileLimits.maxSizeBytes) break
    }
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}

function mediaTypeOf(header: string): string {
  return (header.split(';')[0] ?? '').trim().toLowerCase()
}
