/**
 * Finds the place where a byte sequence stops being valid UTF-8. The platform's strict decoder reports only the failure; a
 * report needs the place.
 */

/** Lowest and highest second byte and number of bytes that follow, by lead byte (Unicode, table 3-7). */
const sequenceOf = (lead: number): readonly [follow: number, low: number, high: number] | null => {
  if (lead < 0x80) return [0, 0, 0]
  if (lead >= 0xc2 && lead <= 0xdf) return [1, 0x80, 0xbf]
  if (lead === 0xe0) return [2, 0xa0, 0xbf]
  if (lead === 0xed) return [2, 0x80, 0x9f]
  if (lead >= 0xe1 && lead <= 0xef) return [2, 0x80, 0xbf]
  if (lead === 0xf0) return [3, 0x90, 0xbf]
  if (lead >= 0xf1 && lead <= 0xf3) return [3, 0x80, 0xbf]
  if (lead === 0xf4) return [3, 0x80, 0x8f]
  return null
}

const isWhole = (bytes: Uint8Array, at: number, sequence: readonly [number, number, number]): boolean => {
  const [follow, low, high] = sequence
  for (let step = 1; step <= follow; step += 1) {
    const byte = bytes[at + step]
    const [from, to] = step === 1 ? [low, high] : [0x80, 0xbf]
    if (byte === undefined || byte < from || byte > to) return false
  }
  return true
}

/** Offset of the first byte of the first sequence that is not UTF-8, or -1. */
export const invalidUtf8At = (bytes: Uint8Array): number => {
  let at = 0
  while (at < bytes.byteLength) {
    const sequence = sequenceOf(bytes[at] ?? 0)
    if (sequence === null || !isWhole(bytes, at, sequence)) return at
    at += 1 + sequence[0]
  }
  return -1
}
