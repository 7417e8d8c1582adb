/**
 * A recording of a browser or a proxy (HAR 1.2) as a trace, so that it can be judged. Data that a HAR does not hold is
 * left out: it has no pieces, so a body is one piece at its end; the intent of an exchange is derived from its bytes
 * later.
 */
import { Buffer } from 'node:buffer'
import { evidenceOf } from '../../client/record-exchange.ts'
import type { RawResponse, WireOutcome } from '../../client/recording.ts'
import { isSuccess, type ObservedRequest, observedProfile, tenantOfKey } from '../../profile/observed-profile.ts'
import { secretsOf } from '../../profile/redact-profile.ts'
import type { TargetProfile } from '../../profile/target-profile.ts'
import { createPseudonyms, type Pseudonyms } from '../../pseudonyms/pseudonyms.ts'
import type { Exchange, HeaderLines, Trace } from '../../trace/exchange.ts'
import { headerIn } from '../../trace/headers.ts'
import { observedTrace } from '../imported-trace.ts'
import { type HarContent, type HarEntry, readHar } from './read-har.ts'

interface HarOptions {
  /** The known facts about the target; default: derived from the recording. */
  readonly profile?: TargetProfile
  /** Default: made for this trace. */
  readonly pseudonyms?: Pseudonyms
}

/** Reads the text of a HAR file. Throws HarError with the JSON pointer of what is wrong. */
export const harToTrace = (text: string, options: HarOptions = {}): Trace => {
  const entries = [...readHar(text)].sort((left, right) => left.startedAtMs - right.startedAtMs)
  const profile = options.profile ?? observedProfile(entries.map(asObserved))
  const pseudonyms = options.pseudonyms ?? createPseudonyms({ secrets: [...secretsOf(profile), ...keysOf(entries)] })
  const originMs = entries[0]?.startedAtMs ?? 0
  const exchanges = entries.map((entry, index): Exchange => {
    const { method, url, headers, body, omittedRequestBytes: omittedBytes } = entry
    const known = { id: `E${index + 1}`, credential: tenantOfKey(profile, keyOf(entry)), intent: null, pseudonyms }
    return evidenceOf({ method, url, headers, body, omittedBytes }, outcomeOf(entry, originMs), known)
  })
  return observedTrace({ source: 'har', exchanges, pseudonyms, profile, startedAt: new Date(originMs) })
}

const keyOf = ({ headers }: HarEntry): string | null => headerIn(headers, 'api-key') ?? null

const keysOf = (entries: readonly HarEntry[]): readonly string[] => [
  ...new Set(entries.flatMap((entry) => keyOf(entry) ?? [])),
]

const asObserved = (entry: HarEntry): ObservedRequest => ({
  method: entry.method,
  url: entry.url,
  key: keyOf(entry),
  succeeded: isSuccess(entry.response?.status),
})

const outcomeOf = (entry: HarEntry, originMs: number): WireOutcome => {
  const sentAtMs = entry.startedAtMs - originMs
  const response = responseOf(entry, sentAtMs)
  // The end may have been later than that: a request that began in the same millisecond may have begun before it.
  const times = { sentAtMs, endedAtMs: sentAtMs + entry.timeMs + entry.precisionMs }
  if (response === null)
    return { ...times, response, ending: 'unreachable', failure: entry.failure ?? 'the recording holds no answer' }
  if (entry.isBodyMissing)
    return { ...times, response, ending: 'capped', failure: 'the recording does not hold the body' }
  const failure = entry.failure === null ? {} : { failure: entry.failure }
  return { ...times, response, ending: entry.ending ?? 'complete', ...failure }
}

const responseOf = (entry: HarEntry, startMs: number): RawResponse | null => {
  const { response } = entry
  if (response === null) return null
  const bytes = bodyOf(response.content)
  const headAtMs = startMs + Math.max(0, entry.timeMs - entry.receiveMs)
  const pieces = bytes.byteLength === 0 ? [] : [{ atMs: startMs + entry.timeMs, bytes }]
  return { status: response.status, headers: decodedHeaders(response.headers), headAtMs, pieces }
}

const bodyOf = ({ text, encoding }: HarContent): Uint8Array =>
  Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8')

/** A HAR has its body decoded already. */
const decodedHeaders = (headers: HeaderLines): HeaderLines =>
  headers.filter(([name]) => !/^content-(?:encoding|length)$/i.test(name))
