/**
 * Computes the pseudonym of a secret under a key. A letter stays a letter of the same case, a digit a digit, other
 * characters stay unchanged; a UUID stays a UUID of its version. So length, format, URL safety and JSON validity survive.
 */
import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Version and variant, which determine the kind of a UUID. */
const uuidFixed: ReadonlySet<number> = new Set([14, 19])

const lower = 'abcdefghijklmnopqrstuvwxyz'
const upper = lower.toUpperCase()
const digits = '0123456789'

const classOf = (char: string, isUuid: boolean): string | null => {
  if (char >= '0' && char <= '9') return isUuid ? '0123456789abcdef' : digits
  if (char >= 'a' && char <= 'z') return isUuid ? '0123456789abcdef' : lower
  if (char >= 'A' && char <= 'Z') return isUuid ? '0123456789ABCDEF' : upper
  return null
}

/** Two random bytes for each character, so that the remainder by a class's size is all but even. */
const randomFor = (key: Uint8Array, secret: string, attempt: number): Buffer => {
  const blocks: Buffer[] = []
  for (let block = 0; block * 16 < secret.length; block += 1)
    blocks.push(createHmac('sha256', key).update(`${attempt}:${block}:`).update(secret, 'latin1').digest())
  return Buffer.concat(blocks)
}

/** The pseudonym of `secret` (Latin-1) under `key`; `attempt` gives another one when two secrets collide. */
export const pseudonymize = (key: Uint8Array, secret: string, attempt = 0): string => {
  const isUuid = uuidShape.test(secret)
  const random = randomFor(key, secret, attempt)
  let out = ''
  for (let index = 0; index < secret.length; index += 1) {
    const char = secret.charAt(index)
    const alphabet = isUuid && uuidFixed.has(index) ? null : classOf(char, isUuid)
    out += alphabet === null ? char : alphabet.charAt(random.readUInt16LE(index * 2) % alphabet.length)
  }
  return out
}
