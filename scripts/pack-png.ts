/**
 * Packs a PNG with at most 256 colours, which is all that pages need but for the edges of letters.
 * Flat areas take less room without the filters of browsers.
 */
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

const mostColours = 256

/** The most frequent colours, three bytes each, and for every colour the place of the nearest of them. */
function paletteOf(counts: ReadonlyMap<number, number>): {
  readonly palette: Buffer
  readonly places: Map<number, number>
} {
  const kept = [...counts].sort((one, other) => other[1] - one[1]).slice(0, mostColours)
  const palette = Buffer.alloc(3 * kept.length)
  for (const [place, [colour]] of kept.entries()) palette.writeUIntBE(colour, 3 * place, 3)
  const distance = (colour: number, place: number): number =>
    [0, 1, 2].reduce((sum, at) => sum + ((palette[3 * place + at] ?? 0) - ((colour >> (16 - 8 * at)) & 255)) ** 2, 0)
  const nearest = (colour: number): number =>
    kept.reduce((best, _, place) => (distance(colour, place) < distance(colour, best) ? place : best), 0)
  return { palette, places: new Map([...counts.keys()].map((colour) => [colour, nearest(colour)])) }
}

/** The same picture in fewer bytes; of 8 bits for each of three colours, as browsers make them of opaque pages. */
export function packPng(png: Buffer): Buffer {
  const chunks = chunksOf(png)
  const header = Buffer.from(chunks.find(([type]) => type === 'IHDR')?.[1] ?? Buffer.alloc(13))
  const pixelBytes = header[9] === 6 ? 4 : 3
  const packed = chunks.flatMap(([type, data]) => (type === 'IDAT' ? [data] : []))
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const lines = unfiltered(inflateSync(Buffer.concat(packed)), width * pixelBytes, pixelBytes)
  const colourAt = (x: number, y: number) => lines.readUIntBE(y * (width * pixelBytes + 1) + 1 + x * pixelBytes, 3)
  const counts = new Map<number, number>()
  const each = (visit: (x: number, y: number) => void): void => {
    for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) visit(x, y)
  }
  each((x, y) => counts.set(colourAt(x, y), (counts.get(colourAt(x, y)) ?? 0) + 1))
  const { palette, places } = paletteOf(counts)
  const indexed = Buffer.alloc(height * (width + 1))
  each((x, y) => indexed.writeUInt8(places.get(colourAt(x, y)) ?? 0, y * (width + 1) + 1 + x))
  header.writeUInt8(paletteColours, 9)
  const data = deflateSync(indexed, { level: 9, memLevel: 9 })
  const parts = [chunk('IHDR', header), chunk('PLTE', palette), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([png.subarray(0, headerEnd), ...parts])
}

/** Colour type 3 of PNG: each pixel is a place in the palette. */
const paletteColours = 3
