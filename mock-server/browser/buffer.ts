/**
 * Replaces node:buffer in a browser: the part that the engine uses, on plain typed arrays.
 * Only the browser build takes it; the same requests give the same bytes on both sides, which a test compares.
 */

type Encoding = 'utf8' | 'latin1' | 'hex' | 'base64' | 'base64url'

/** Bytes that read like a Buffer of Node. */
class Bytes extends Uint8Array<ArrayBuffer> {
  // TypeScript lets a subclass see one form of the constructor only.
  constructor(...given: readonly unknown[]) {
    super(...(given as readonly [ArrayBuffer]))
  }

  override toString(encoding: Encoding = 'utf8'): string {
    if (encoding === 'utf8') return lenient.decode(this)
    if (encoding === 'hex') return Array.from(this, (byte) => byte.toString(16).padStart(2, '0')).join('')
    const latin = latinOf(this)
    if (encoding === 'latin1') return latin
    return encoding === 'base64'
      ? btoa(latin)
      : btoa(latin).replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, index) => byte === other[index])
  }
}

const lenient = new TextDecoder('utf-8', { ignoreBOM: true })
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })
const utf8 = new TextEncoder()
/** A call takes only a limited number of arguments. */
const atOnce = 8192

function latinOf(bytes: Uint8Array): string {
  let text = ''
  for (let from = 0; from < bytes.length; from += atOnce) {
    text += String.fromCharCode(...bytes.subarray(from, from + atOnce))
  }
  return text
}

function encoded(text: string, encoding: Encoding): Bytes {
  if (encoding === 'utf8') return new Bytes(utf8.encode(text))
  if (encoding === 'latin1') return Bytes.from(text, (character) => character.charCodeAt(0)) as Bytes
  if (encoding === 'hex') return Bytes.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)) as Bytes
  return encoded(atob(text.replaceAll('-', '+').replaceAll('_', '/')), 'latin1')
}

function concat(pieces: readonly Uint8Array[]): Bytes {
  const whole = new Bytes(pieces.reduce((length, piece) => length + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.length
  }
  return whole
}

type Source = string | ArrayBuffer | readonly number[] | Uint8Array

function from(source: Source, second?: Encoding | number, length?: number): Bytes {
  if (typeof source === 'string') return encoded(source, typeof second === 'string' ? second : 'utf8')
  if (source instanceof ArrayBuffer) return new Bytes(source, typeof second === 'number' ? second : 0, length)
  return new Bytes(source)
}

/** The part of Node's Buffer that the engine uses. */
export const Buffer = {
  from,
  concat,
  alloc: (length: number) => new Bytes(length),
  allocUnsafeSlow: (length: number) => new Bytes(length),
  byteLength: (text: string) => utf8.encode(text).length,
}

/** Whether bytes are UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes)
    return true
  } catch {
    return false
  }
}
