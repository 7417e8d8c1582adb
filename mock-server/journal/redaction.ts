/**
 * Replaces keys and upload signatures in everything that leaves the journal by pseudonyms.
 * A pseudonym has the length of its secret and is equal for equal secrets in one process, so that exports stay comparable.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { secretPattern } from './secret-pattern.ts'

/** A header as it stands in an export. */
export type HeaderLine = readonly [name: string, value: string]

export interface Redaction {
  text(text: string): string
  bytes(bytes: Uint8Array): Uint8Array
  header(name: string, value: string): string
}

const processKey = randomBytes(32)
const credentials: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
])
const signature = /(?<=signature=)[0-9a-f]{64}/g
/** A key that was put into a query by mistake, of any owner. */
const keyInQuery = /(?<=[?&](?:api[-_]?key|x-api-key|access[-_]token|token|authorization)=)[^&#\s"'\\]+/gi

/** The redaction of these keys. */
export function createRedaction(secrets: Iterable<string>): Redaction {
  // The longest first: a key may be the beginning of another.
  const keys = [...secrets].filter((key) => key !== '').sort((left, right) => right.length - left.length)
  const disguises = keys.map((key) => ({ key, pattern: secretPattern(key) }))
  const text = (plain: string) => {
    const unsigned = plain.includes('signature=') ? plain.replace(signature, (found) => pseudonymOf(found)) : plain
    const unkeyed = unsigned.includes('=') ? unsigned.replace(keyInQuery, (found) => pseudonymOf(found)) : unsigned
    return disguises.reduce(
      (shown, { key, pattern }) => shown.replace(pattern, (found) => pseudonymOf(key, found.length)),
      unkeyed,
    )
  }
  return {
    text,
    bytes(bytes) {
      const plain = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
      const shown = text(plain)
      return shown === plain ? bytes : Buffer.from(shown, 'latin1')
    },
    header(name, value) {
      if (credentials.has(name)) return pseudonymOf(value)
      if (name !== 'api-key') return text(value)
      const at = value.lastIndexOf('@')
      return at < 0 ? pseudonymOf(value) : pseudonymOf(value.slice(0, at)) + value.slice(at)
    },
  }
}

const made = new WeakMap<ReadonlySet<string>, Redaction>()

/** The redaction of a set that does not change, made once: making it compiles a pattern for each key. */
export function redactionOf(secrets: ReadonlySet<string>): Redaction {
  const known = made.get(secrets) ?? createRedaction(secrets)
  made.set(secrets, known)
  return known
}

/** The pseudonym of a secret: of the same or the given length, in lower-case hexadecimal. */
export function pseudonymOf(secret: string, length = secret.length): string {
  const digest = createHmac('sha256', processKey).update(secret).digest('hex')
  return digest.repeat(Math.ceil(length / digest.length)).slice(0, length)
}
