/**
 * Pieces as the socket delivered them, cut into lines at LF and nowhere else. Done on text where all pieces are text, which is
 * nearly always and costs no copy, and on bytes where a piece ends within a character or is none.
 */
import { Buffer } from 'node:buffer'
import { bytesOf } from '../bytes.ts'
import type { ReceivedPiece } from '../exchange.ts'

/** An undecoded line. */
export interface RawLine<Content extends string | Uint8Array = string | Uint8Array> {
  /** Physical line, counted from 0. */
  readonly index: number
  /** Byte offset of its first byte. */
  readonly offset: number
  readonly byteLength: number
  readonly content: Content
  /** Arrival of the piece that completed it. */
  readonly atMs: number
  /** Whether a line feed ended it. */
  readonly ended: boolean
}

/** The operations on a kind of content that cutting needs. */
interface Kind<Content> {
  readonly endOfLine: (content: Content, from: number) => number
  readonly part: (content: Content, from: number, to: number) => Content
  readonly join: (parts: readonly Content[]) => Content
  readonly byteLength: (content: Content) => number
}

const text: Kind<string> = {
  endOfLine: (content, from) => content.indexOf('\n', from),
  part: (content, from, to) => content.slice(from, to),
  join: (parts) => parts.join(''),
  byteLength: (content) => Buffer.byteLength(content),
}

const LF = 0x0a

const binary: Kind<Uint8Array> = {
  endOfLine: (content, from) => content.indexOf(LF, from),
  part: (content, from, to) => content.subarray(from, to),
  join: (parts) => Buffer.concat(parts),
  byteLength: (content) => content.byteLength,
}

/** All lines of a body, blank ones included; the last one may not be ended. */
export function cutLines(pieces: readonly ReceivedPiece[]): readonly RawLine[] {
  const texts: string[] = []
  for (const { bytes } of pieces) if ('utf8' in bytes && bytes.utf8.isWellFormed()) texts.push(bytes.utf8)
  if (texts.length === pieces.length) return cut(pieces, texts, text)
  const raw = pieces.map(({ bytes }) => bytesOf(bytes))
  return cut(pieces, raw, binary)
}

function cut<Content extends string | Uint8Array>(
  pieces: readonly ReceivedPiece[],
  contents: readonly Content[],
  kind: Kind<Content>,
): readonly RawLine<Content>[] {
  const lines: RawLine<Content>[] = []
  let open: Content[] = []
  let offset = 0
  let atMs = 0
  const close = (last: Content, ended: boolean): void => {
    const content = open.length === 0 ? last : kind.join([...open, last])
    const byteLength = kind.byteLength(content)
    lines.push({ index: lines.length, offset, byteLength, content, atMs, ended })
    offset += byteLength + 1
    open = []
  }
  for (const [index, content] of contents.entries()) {
    if (content.length > 0) atMs = pieces[index]?.atMs ?? atMs
    let from = 0
    for (let at = kind.endOfLine(content, 0); at >= 0; at = kind.endOfLine(content, from)) {
      close(kind.part(content, from, at), true)
      from = at + 1
    }
    if (from < content.length) open.push(kind.part(content, from, content.length))
  }
  const last = open.pop()
  if (last !== undefined) close(last, false)
  return lines
}
