/**
 * Decodes gzip, deflate and brotli piece by piece, so that every piece keeps its arrival time. It stops at a size
 * limit, since a few bytes may decompress to gigabytes.
 */
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import type { HeaderLines } from '../trace/exchange.ts'
import { isHeaderNamed } from '../trace/headers.ts'
import type { RawPiece, WireOutcome } from './recording.ts'

type Decoder = ReturnType<typeof createGunzip>
type Decode = { pieces: RawPiece[]; fault: 'broken' | 'too-large' | null; reason: string }

/** The first two bytes tell whether deflate is wrapped; a piece may hold one of them. */
const beginningOf = (pieces: readonly RawPiece[]): readonly number[] => {
  const first: number[] = []
  for (const { bytes } of pieces) {
    first.push(...bytes.subarray(0, 2 - first.length))
    if (first.length === 2) break
  }
  return first
}

const isZlibWrapped = ([first = 0, second = 0]: readonly number[]): boolean =>
  (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0

/** A truncated body is unpacked as far as possible; a complete body must also end as its coding requires. */
const decoderFor = (coding: string, first: readonly number[], isWhole: boolean): Decoder | null => {
  const zlib = isWhole ? {} : { finishFlush: constants.Z_SYNC_FLUSH }
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip(zlib)
  if (coding === 'deflate') return isZlibWrapped(first) ? createInflate(zlib) : createInflateRaw(zlib)
  if (coding === 'br') return createBrotliDecompress(isWhole ? {} : { finishFlush: constants.BROTLI_OPERATION_FLUSH })
  return null
}

const write = (decoder: Decoder, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => decoder.write(bytes, (error) => (error ? reject(error) : resolve())))

const finish = (decoder: Decoder): Promise<void> =>
  new Promise((resolve) => {
    decoder.once('end', resolve)
    decoder.end()
  })

const decode = async (pieces: readonly RawPiece[], decoder: Decoder, maxBytes: number): Promise<Decode> => {
  const out: RawPiece[] = []
  let atMs = 0
  let size = 0
  let stop: (result: Omit<Decode, 'pieces'>) => void = () => {}
  const stopped = new Promise<Omit<Decode, 'pieces'>>((resolve) => {
    stop = resolve
  })
  decoder.on('data', (bytes: Buffer) => {
    const room = maxBytes - size
    size += bytes.byteLength
    if (room > 0) out.push({ atMs, bytes: bytes.subarray(0, room) })
    if (size > maxBytes) stop({ fault: 'too-large', reason: `the body unpacks to more than ${maxBytes} bytes` })
  })
  decoder.on('error', (error) => stop({ fault: 'broken', reason: error.message }))
  const run = async (): Promise<Omit<Decode, 'pieces'>> => {
    for (const piece of pieces) {
      atMs = piece.atMs
      await write(decoder, piece.bytes)
    }
    await finish(decoder)
    return { fault: null, reason: '' }
  }
  const result = await Promise.race([stopped, run().catch(() => stopped)])
  decoder.destroy()
  return { pieces: [...out], ...result }
}

const codingsOf = (headers: HeaderLines): readonly string[] =>
  headers
    .filter(([name]) => isHeaderNamed(name, 'content-encoding'))
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')

/** The outcome with its content coding undone; a body in an unknown coding stays as received. */
export const undoContentCoding = async (outcome: WireOutcome, maxBytes: number): Promise<WireOutcome> => {
  let current = outcome
  for (const coding of outcome.response === null ? [] : codingsOf(outcome.response.headers).toReversed()) {
    const { response } = current
    const first = beginningOf(response?.pieces ?? [])
    const decoder = first.length === 0 ? null : decoderFor(coding, first, current.ending === 'complete')
    if (response === null || decoder === null) return current
    const { pieces, fault, reason } = await decode(response.pieces, decoder, maxBytes)
    current = { ...current, response: { ...response, pieces } }
    if (fault === 'too-large') return { ...current, ending: 'capped', failure: reason }
    if (fault === 'broken' && current.ending === 'complete')
      return { ...current, ending: 'cut', failure: `the content coding ${coding} is broken: ${reason}` }
  }
  return current
}
