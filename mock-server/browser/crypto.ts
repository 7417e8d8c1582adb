/** Replaces node:crypto in a browser, whose own digests are asynchronous. */
import { hmac } from '@noble/hashes/hmac.js'
import { sha1 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { Buffer } from './buffer.ts'
import { onlyInNode } from './only-in-node.ts'

const digests = { sha1, sha256 }

type Algorithm = keyof typeof digests
type Encoding = 'hex' | 'base64url'

/** The common interface of an incremental digest in noble and the engine. */
interface Digester {
  update(bytes: Uint8Array): unknown
  digest(): Uint8Array
}

interface Hash {
  update(piece: string | Uint8Array): Hash
  digest(): Uint8Array
  digest(encoding: Encoding): string
}

const bytesOf = (piece: string | Uint8Array): Uint8Array => (typeof piece === 'string' ? Buffer.from(piece) : piece)

function hashWith(digester: Digester): Hash {
  function digest(): Uint8Array
  function digest(encoding: Encoding): string
  function digest(encoding?: Encoding): Uint8Array | string {
    const bytes = Buffer.from(digester.digest())
    return encoding === undefined ? bytes : bytes.toString(encoding)
  }
  const made: Hash = {
    update(piece) {
      digester.update(bytesOf(piece))
      return made
    },
    digest,
  }
  return made
}

/** As in Node: a digest at once. */
export const hash = (algorithm: Algorithm, data: string | Uint8Array, encoding: Encoding = 'hex'): string =>
  createHash(algorithm).update(data).digest(encoding)

/** As in Node: a digest of pieces. */
export const createHash = (algorithm: Algorithm): Hash => hashWith(digests[algorithm].create())

/** As in Node: a digest with a key. */
export const createHmac = (algorithm: Algorithm, key: string | Uint8Array): Hash =>
  hashWith(hmac.create(digests[algorithm], bytesOf(key)))

/** As in Node. */
export const randomBytes = (length: number): Uint8Array => crypto.getRandomValues(Buffer.alloc(length))

/** Compares without stopping at the first difference. */
export const timingSafeEqual = (left: Uint8Array, right: Uint8Array): boolean =>
  left.reduce((difference, byte, index) => difference | (byte ^ (right[index] ?? 0)), 0) === 0

/** Only one variant encrypts; a browser encrypts only asynchronously. */
export const createCipheriv = onlyInNode('a cursor that is encrypted')
export const createDecipheriv = createCipheriv
