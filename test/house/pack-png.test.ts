/** Tests that a packed PNG shows what it showed before, whatever filters its lines had. */
import { deflateSync, inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packPng } from '../../scripts/pack-png.ts'

const pixels = Array.from({ length: 5 }, (_, y) => Array.from({ length: 9 }, (_, x) => (y * 83 + x * x * 31 + 7) % 256))

/** Line y under filter y, as the standard defines filters for pixels of three bytes. */
const lines = pixels.map((line, filter) => {
  const at = (x: number, y: number) => pixels[y]?.[x] ?? 0
  const filtered = line.map((value, x) => {
    const [left, above, diagonal] = [at(x - 3, filter), at(x, filter - 1), at(x - 3, filter - 1)]
    const near = [left, above, diagonal].map((one) => Math.abs(left + above - diagonal - one))
    const paeth = [left, above, diagonal][near.indexOf(Math.min(...near))] ?? 0
    return (value - ([0, left, above, Math.floor((left + above) / 2), paeth][filter] ?? 0) + 256) % 256
  })
  return [filter, ...filtered]
})

const part = (type: string, data: Uint8Array) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)])
}

test('every filter is undone, and the picture stays the same', () => {
  const header = part('IHDR', Buffer.from([0, 0, 0, 3, 0, 0, 0, 5, 8, 2, 0, 0, 0]))
  const body = part('IDAT', deflateSync(Buffer.from(lines.flat())))
  const png = packPng(Buffer.concat([Buffer.alloc(8), header, body, part('IEND', Buffer.alloc(0))]))
  const from = png.indexOf('IDAT')
  const data = inflateSync(png.subarray(from + 4, from + 4 + png.readUInt32BE(from - 4)))
  const palette = png.subarray(png.indexOf('PLTE') + 4)
  const shown = [0, 1, 2, 3, 4].map((y) =>
    [0, 1, 2].flatMap((x) => [...palette.subarray(3 * (data[4 * y + 1 + x] ?? 0)).subarray(0, 3)]),
  )
  expect(shown).toEqual(pixels)
})
