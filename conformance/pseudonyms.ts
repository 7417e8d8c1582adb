/**
 * Secrets become pseudonyms before an exchange exists: keyed for one run, equal for equal secrets, of the same length and
 * format, so that the live judge, the file and an auditor read the same evidence and no artefact can leak a key.
 */
import type { HeaderLines } from './exchange.ts'

export interface Pseudonyms {
  /** A body or any text in bytes; every secret in it replaced, in any encoding that is known. */
  readonly bytes: (raw: Uint8Array) => Uint8Array
  /** The same for text (URLs, failure lines, profile values). */
  readonly text: (text: string) => string
  /** Header lines; credential headers and cookies lose their values even when these are unknown. */
  readonly headers: (headers: HeaderLines) => HeaderLines
  /** The pseudonym of one secret, which is known from then on. */
  readonly of: (secret: string) => string
  /** Back to what a pseudonym stands for, for what is sent: a signed URL or a key that was read from an answer. */
  readonly reveal: (text: string) => string
}
