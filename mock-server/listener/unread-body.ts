/**
 * Ends answers to requests whose bodies are still arriving, so that their clients get to read them.
 * A connection that is closed, or left unread, with bytes on their way loses the answer, or the next request on it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The number of bytes of a refused body that are discarded; node:http's own time limit for a request bounds the duration. */
const drainedBytes = 268_435_456

/** Connections whose request is answered while its body still arrives. */
const answered = new WeakSet<Socket>()

/** Whether the request that this connection is sending has its answer: nothing else may be sent. */
export function isAnswered(socket: Socket): boolean {
  return answered.has(socket)
}

/** The header of an answer behind which the connection does not go on; none where all that is left will be read. */
export function closingHeader(request: IncomingMessage): { readonly connection?: 'close' } {
  if (request.complete || request.httpVersionMajor > 1) return {}
  const declared = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  return declared > drainedBytes ? { connection: 'close' } : {}
}

/** Sends the last bytes of an answer at once, and ends it when the body of its request has come, or too much of it. */
export function endBehindBody(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Uint8Array | string = '',
  handedOn?: () => void,
): void {
  const { socket } = request
  if (request.complete || request.httpVersionMajor > 1) {
    response.end(bytes, handedOn)
    request.resume()
    return
  }
  if (bytes.length > 0) response.write(bytes, handedOn)
  else response.flushHeaders()
  answered.add(socket)
  let drained = 0
  const end = () => {
    answered.delete(socket)
    request.off('data', count)
    response.end()
  }
  const count = (piece: Uint8Array) => {
    drained += piece.length
    if (drained <= drainedBytes) return
    request.off('end', end)
    response.end(() => socket.destroy())
  }
  request.on('data', count)
  request.once('end', end)
  request.resume()
}
