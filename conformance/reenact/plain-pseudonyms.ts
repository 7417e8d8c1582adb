/** Pseudonyms for a recording, which holds no secrets: every text stays unchanged. */
import type { Pseudonyms } from '../pseudonyms/pseudonyms.ts'

/** Every text stands for itself. */
export const plainPseudonyms: Pseudonyms = {
  pieces: (pieces) => pieces,
  text: (text) => text,
  headers: (headers) => headers,
  of: (secret) => secret,
  reveal: (text) => text,
}
