/**
 * Reads one HTTP/1.1 response from a raw socket into a recording. The body ends by its length, with its last chunk or
 * with the connection. The parser is only as strict as needed to find the end of the response.
 */
import { Buffer } from 'node:buffer'
import type { Ending, HeaderLines } from '../../trace/exchange.ts'
import type { Recording } from '../recording.ts'
import { type BodyReader, createBodyReader } from './body-reader.ts'

interface ResponseReader {
  readonly read: (piece: Uint8Array) => void
  /** The other side closed the connection. */
  readonly end: () => void
}

interface ResponseReaderOptions {
  readonly recording: Recording
  readonly maxHeaderBytes: number
  /** The answer to HEAD has no body whatever its headers say. */
  readonly isHead: boolean
}

interface Head {
  readonly status: number
  readonly headers: HeaderLines
}

const headEnd = /\r?\n\r?\n/

const parseHead = (text: string): Head | null => {
  const [first, ...rest] = text.split(/\r?\n/)
  const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first ?? '')
  if (status === null) return null
  const headers = rest.map((line): readonly [string, string] => {
    const colon = line.indexOf(':')
    return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return { status: Number(status[1]), headers }
}

type Step =
  | { readonly kind: 'head'; readonly head: Head; readonly rest: Buffer }
  | { readonly kind: 'more' }
  | { readonly kind: 'fault'; readonly ending: Ending; readonly failure: string }

const fault = (ending: Ending, failure: string): Step => ({ kind: 'fault', ending, failure })

/** The first head that is whole. */
const takeHead = (open: Buffer, maxHeaderBytes: number): Step => {
  const text = open.toString('latin1')
  if (!text.startsWith('HTTP/1.'.slice(0, text.length)))
    return fault('cut', 'not HTTP: the answer opens with something else')
  const end = headEnd.exec(text)
  if ((end?.index ?? text.length) > maxHeaderBytes) return tooLarge
  if (end === null) return { kind: 'more' }
  const head = parseHead(text.slice(0, end.index))
  if (head === null) return fault('cut', 'not HTTP: the status line cannot be read')
  return { kind: 'head', head, rest: open.subarray(end.index + end[0].length) }
}

const tooLarge = fault('capped', 'the headers are larger than the limit')

/** Informational heads before the final one. A service sends one or two; more than these are a flood. */
const mostInformational = 20

/** Makes the reader of one answer. */
export const createResponseReader = (options: ResponseReaderOptions): ResponseReader => {
  const { recording, maxHeaderBytes, isHead } = options
  let open: Buffer = Buffer.alloc(0)
  let body: BodyReader | null = null
  let informational = 0

  /** Reads one head from the open bytes; returns whether another one may follow at once. */
  const step = (): boolean => {
    const taken = takeHead(open, maxHeaderBytes)
    if (taken.kind === 'fault') recording.end(taken.ending, taken.failure)
    if (taken.kind !== 'head') return false
    open = taken.rest
    if (taken.head.status < 200) {
      informational += 1
      if (informational <= mostInformational) return true
      recording.end('cut', `more than ${mostInformational} informational answers before the final one`)
      return false
    }
    recording.head(taken.head.status, taken.head.headers)
    body = createBodyReader({ ...taken.head, isHead, recording })
    body.read(open)
    return false
  }
  const readHead = (piece: Uint8Array): void => {
    open = Buffer.concat([open, piece])
    while (step());
  }
  return {
    read: (piece) => {
      if (recording.hasEnded()) return
      if (body === null) readHead(piece)
      else body.read(piece)
    },
    end: () => {
      if (recording.hasEnded()) return
      if (body === null) recording.end('cut', 'the connection ended before the answer')
      else body.end()
    },
  }
}
