/**
 * Keyed randomness: every random thing is a pure function of (seed, purpose, ordinal), never of a shared generator.
 * Two threads can thus be interleaved in any way and each still gets its own ids, borders and jitter.
 * The mixing is not cryptographic; no secret depends on it.
 */

/** 128 bits that name one source of randomness. */
export interface Key {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
}

/** The key that everything in a world derives from. */
export function rootKey(seed: number): Key {
  const low = seed | 0
  const high = Math.floor(seed / 0x1_0000_0000) | 0
  return mixed(low ^ 0x9e3779b9, high ^ 0x243f6a88, low ^ 0xb7e15162, high ^ 0xdeadbeef)
}

/** The key of one purpose (and ordinal) below another key. */
export function derive(key: Key, purpose: string, ordinal = 0): Key {
  let { a, b } = key
  for (let index = 0; index < purpose.length; index += 1) {
    const unit = purpose.charCodeAt(index)
    a = Math.imul(a ^ unit, 0x85ebca6b)
    a ^= a >>> 13
    b = Math.imul(b ^ (unit + a), 0xc2b2ae35)
    b ^= b >>> 16
  }
  return mixed(a ^ ordinal, b, key.c ^ Math.imul(ordinal, 0x27d4eb2f), key.d ^ Math.floor(ordinal / 0x1_0000_0000))
}

function mixed(a: number, b: number, c: number, d: number): Key {
  for (let round = 0; round < 4; round += 1) {
    a = Math.imul(a ^ (a >>> 15) ^ d, 0x2c1b3c6d)
    b = Math.imul(b ^ (b >>> 13) ^ a, 0x297a2d39)
    c = Math.imul(c ^ (c >>> 16) ^ b, 0x85ebca6b)
    d = Math.imul(d ^ (d >>> 14) ^ c, 0x9e3779b1)
  }
  return { a: a ^ (d >>> 11), b: b ^ (c >>> 9), c: c ^ (b >>> 7), d: d ^ (a >>> 5) }
}

/** A generator of numbers in [0, 1) that starts at the key. */
export function drawsFrom(key: Key): () => number {
  let { a, b, c, d } = key
  return () => {
    const sum = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 0x1_0000_0000
  }
}
