/**
 * Finds the secrets in pre-signed URLs: the signature in the query grants write access. They are found by the parameter
 * names of common storage services, wherever a URL occurs (request line, Location, a JSON string).
 */
import type { Span } from './api-key-search.ts'
import { unescapedViews } from './readings.ts'
import { settleEdits } from './text-edits.ts'

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

/** An escape of a character that a parameter name may have: any JSON string may be written so. */
const escapedName = /(?:\\+u00|%|&#x0*)(?:2d|[46][1-9a-f]|[57][0-9a]|5f)|&#(?:45|6[5-9]|[789]\d|1[01]\d|12[0-2]);/i

/** The places of the signature values in a text. */
export const signatureSpans = (text: string): readonly Span[] => {
  if (!text.includes('=') && !text.includes('%3') && !text.includes('u003')) return []
  const plain = spansIn(text)
  if (!escapedName.test(text)) return plain
  const inViews = unescapedViews(text).flatMap((view) =>
    spansIn(view.text).map(({ start, end }) => ({ start: view.startOf(start), end: view.endOf(end - 1) })),
  )
  return settleEdits([...plain, ...inViews])
}

const spansIn = (text: string): readonly Span[] =>
  Array.from(text.matchAll(parameter), (match) => {
    const [start, end] = match.indices?.[1] ?? [0, 0]
    return { start, end }
  })
