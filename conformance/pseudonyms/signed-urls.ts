/**
 * Finds the secrets in pre-signed URLs: the signature in the query grants write access. They are found by the parameter
 * names of common storage services, wherever a URL occurs (request line, Location, a JSON string).
 */
import type { Span } from './api-key-search.ts'

const names = [
  'x-(?:amz|goog)-(?:signature|credential|security-token)',
  'x-ms-signature',
  'awsaccesskeyid',
  'googleaccessid',
  'key-pair-id',
  'policy',
  'signature',
  'sig',
  'access_token',
  'token',
  'api[-_]?key',
].join('|')

const parameter = new RegExp(
  `(?:[?&]|\\\\+u0026|&amp;|&#38;|%26|%3f)(?:${names})(?:=|%3d|\\\\+u003d)((?:[^&"'\\s\\\\<>#]|\\\\+u00(?!26|22|20)[0-9a-f]{2}|\\\\/)+)`,
  'gid',
)

/** The places of the signature values in a text. */
export const signatureSpans = (text: string): readonly Span[] => {
  if (!text.includes('=') && !text.includes('%3') && !text.includes('u003')) return []
  return Array.from(text.matchAll(parameter), (match) => {
    const [start, end] = match.indices?.[1] ?? [0, 0]
    return { start, end }
  })
}
