/**
 * One keep-alive connection that sends prepared bytes and finds the end of each answer, and does nothing else.
 * By hand over node:net, because the generator must cost less than the server that it loads: a round trip costs it
 * about two thirds of the CPU time of a full HTTP client, and it sees every piece when the socket delivers it.
 */
import { connect } from 'node:net'

/** An answer that has ended. */
export interface Answer {
  readonly status: number
  readonly bodyBytes: number
  readonly startedAt: number
}

export interface Connection {
  /** Sends one request; the next one only after its answer. */
  send(request: Uint8Array): void
  close(): void
}

interface ConnectionEvents {
  readonly opened: (connection: Connection) => void
  readonly answered: (answer: Answer) => void
  /** A piece of body as it came, chunk framing included. */
  readonly piece?: (bytes: Buffer) => void
  readonly failed: (error: Error) => void
}

interface Pending {
  startedAt: number
  head: Buffer | null
  status: number
  /** Body bytes still to come, or -1 until the last chunk. */
  missing: number
  bodyBytes: number
  tail: string
}

/** Opens a connection to a loopback server. */
export const openConnection = (port: number, events: ConnectionEvents): Connection => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let pending: Pending | null = null
  let closing = false
  const connection: Connection = {
    send(request) {
      pending = { startedAt: performance.now(), head: null, status: 0, missing: 0, bodyBytes: 0, tail: '' }
      socket.write(request)
    },
    close() {
      closing = true
      socket.destroy()
    },
  }
  const fail = (error: Error) => {
    if (closing) return
    closing = true
    socket.destroy()
    events.failed(error)
  }
  socket.once('connect', () => events.opened(connection))
  socket.once('error', fail)
  socket.once('close', () => fail(new Error('the server closed a connection that was in use')))
  socket.on('data', (piece: Buffer) => {
    if (pending === null) return fail(new Error('bytes that nobody asked for'))
    const body = pending.status === 0 ? readHead(pending, piece) : piece
    if (body === null) return
    if (body.length > 0) events.piece?.(body)
    if (!isEnd(pending, body)) return
    const { status, bodyBytes, startedAt } = pending
    pending = null
    events.answered({ status, bodyBytes, startedAt })
  })
  return connection
}

/** The body bytes behind the head, or `null` while the head is incomplete. */
const readHead = (pending: Pending, piece: Buffer): Buffer | null => {
  const bytes = pending.head === null ? piece : Buffer.concat([pending.head, piece])
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) {
    pending.head = bytes
    return null
  }
  const head = bytes.toString('latin1', 0, end)
  pending.status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  pending.missing = length === undefined ? -1 : Number(length)
  return bytes.subarray(end + 4)
}

const lastChunk = '\r\n0\r\n\r\n'

/** Whether the answer has ended. JSON holds no raw CR, so the last chunk cannot be mistaken. */
const isEnd = (pending: Pending, body: Buffer): boolean => {
  pending.bodyBytes += body.length
  if (pending.missing >= 0) return pending.bodyBytes >= pending.missing
  const end = body.toString('latin1', Math.max(0, body.length - lastChunk.length))
  pending.tail = (pending.tail + end).slice(-lastChunk.length)
  return pending.tail === lastChunk
}
