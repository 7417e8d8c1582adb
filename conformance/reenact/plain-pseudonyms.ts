/** Pseudonyms for a world without secrets: a recording has none left, so everything stays as it is. */
import type { Pseudonyms } from '../pseudonyms/pseudonyms.ts'

/** Every text stands for itself. */
export const plainPseudonyms: Pseudonyms = {
  pieces: (pieces) => pieces,
  text: (text) => text,
  headers: (headers) => headers,
  of: (secret) => secret,
  reveal: (text) => text,
}
