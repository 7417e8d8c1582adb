/**
 * The destination of a response: a socket or the body of a fetch response.
 * Everything leaves the engine through a sink, so a transport fault is a sink that wraps another.
 */

import type { EngineRequest } from './request.ts'

export interface ResponseHead {
  readonly status: number
  /** Lower-case names. A stream has no content-length. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Sink {
  head(head: ResponseHead): void
  /** Sends bytes now; `false` asks to wait for `whenWritable`. */
  write(bytes: Uint8Array): boolean
  /** The same for bytes that are HTTP chunks already; only a sink straight onto a socket has it. */
  writeFramed?(chunks: Uint8Array): boolean
  /** Ends the response, with last bytes if given; `handedOn` is called when they are no longer needed. */
  end(bytes?: Uint8Array, handedOn?: () => void): void
  /** Breaks the connection off after the written data: closes it, or resets it (RST). Default `close`. */
  reset(how?: 'close' | 'reset'): void
  whenWritable(resume: () => void): void
  /** Calls back once if the client leaves before the end. */
  whenGone(stop: () => void): void
}

/** Answers requests, from sockets and from calls in the process. */
export interface Engine {
  /** Answers a request; never throws. */
  handle(request: EngineRequest, sink: Sink): void
}
