/**
 * A recording of a browser or a proxy (HAR 1.2) as a trace, so that it can be judged. What a HAR does not hold stays out: it
 * has no pieces, so a body is one piece at its end; what an exchange meant is read off its bytes later.
 */
import { Buffer } from 'node:buffer'
import { contractDigest } from '../spec/index.ts'
import { evidenceOf } from './client/evidence.ts'
import type { RawResponse, WireOutcome } from './client/recording.ts'
import type { Exchange, HeaderLines, Trace } from './exchange.ts'
import { type HarContent, type HarEntry, HarError, readHar } from './har/read-har.ts'
import { profileDigest, redactProfile, secretsOf } from './profile/redact-profile.ts'
import type { TargetProfile, TenantName, TenantProfile } from './profile/target-profile.ts'
import { createPseudonyms, type Pseudonyms } from './pseudonyms.ts'
import { suiteVersion } from './trace-header.ts'

export { HarError }

export interface HarOptions {
  /** What is known of the target; by default the base URL and the keys are read off the recording, and nothing is claimed. */
  readonly profile?: TargetProfile
  /** Default: made for this trace. */
  readonly pseudonyms?: Pseudonyms
}

const headerOf = (headers: HeaderLines, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1]

const tenantNames: readonly TenantName[] = ['primary', 'secondary', 'throttled']

/** The longest common beginning of the paths that are the contract's. */
const baseUrlOf = (entries: readonly HarEntry[]): string => {
  const found = entries
    .map(({ url }) => /^(https?:\/\/.*?)\/v1(?:\/|$)/.exec(url)?.[1])
    .find((base) => base !== undefined)
  return found ?? new URL(entries[0]?.url ?? 'http://unknown.invalid').origin
}

const guessProfile = (entries: readonly HarEntry[]): TargetProfile => {
  const keys = new Set(entries.flatMap(({ headers }) => headerOf(headers, 'api-key') ?? []))
  const named = [...keys].slice(0, tenantNames.length).map((key, index) => [tenantNames[index], { key }] as const)
  const primary: TenantProfile = named[0]?.[1] ?? { key: '' }
  return {
    baseUrl: baseUrlOf(entries),
    tenants: { primary, ...Object.fromEntries(named) },
    claims: [],
    threads: null,
    runBody: {},
    assistants: {},
    tools: null,
    throttle: null,
    provoke: {},
    declares: {},
    budget: { timeoutMs: 30_000, maxBodyBytes: 33_554_432 },
  }
}

const credentialOf = (profile: TargetProfile, headers: HeaderLines): string | null => {
  const key = headerOf(headers, 'api-key')
  return tenantNames.find((name) => key !== undefined && profile.tenants[name]?.key === key) ?? null
}

const bodyOf = ({ text, encoding }: HarContent): Uint8Array =>
  Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8')

/** A HAR has its body decoded already. */
const decodedHeaders = (headers: HeaderLines): HeaderLines =>
  headers.filter(([name]) => !/^content-(?:encoding|length)$/i.test(name))

const responseOf = (entry: HarEntry, startMs: number): RawResponse | null => {
  const { response } = entry
  if (response === null) return null
  const bytes = bodyOf(response.content)
  const headAtMs = startMs + Math.max(0, entry.timeMs - entry.receiveMs)
  const pieces = bytes.byteLength === 0 ? [] : [{ atMs: startMs + entry.timeMs, bytes }]
  return { status: response.status, headers: decodedHeaders(response.headers), headAtMs, pieces }
}

const outcomeOf = (entry: HarEntry, originMs: number): WireOutcome => {
  const sentAtMs = entry.startedAtMs - originMs
  const response = responseOf(entry, sentAtMs)
  const times = { sentAtMs, endedAtMs: sentAtMs + entry.timeMs }
  if (response === null)
    return { ...times, response, ending: 'unreachable', failure: entry.failure ?? 'the recording holds no answer' }
  if (entry.isBodyMissing)
    return { ...times, response, ending: 'capped', failure: 'the recording does not hold the body' }
  return { ...times, response, ending: 'complete' }
}

/** Reads the text of a HAR file. Throws HarError with the JSON pointer of what is wrong. */
export const harToTrace = (text: string, options: HarOptions = {}): Trace => {
  const entries = [...readHar(text)].sort((left, right) => left.startedAtMs - right.startedAtMs)
  const profile = options.profile ?? guessProfile(entries)
  const pseudonyms = options.pseudonyms ?? createPseudonyms({ secrets: secretsOf(profile) })
  const originMs = entries[0]?.startedAtMs ?? 0
  const exchanges = entries.map((entry, index): Exchange => {
    const credential = credentialOf(profile, entry.headers)
    const request = { method: entry.method, url: entry.url, headers: entry.headers, body: entry.body }
    return evidenceOf(request, outcomeOf(entry, originMs), {
      id: `E${index + 1}`,
      credential,
      intent: null,
      pseudonyms,
    })
  })
  const durationMs = Math.max(0, ...exchanges.map((exchange) => exchange.endedAtMs))
  return {
    header: {
      kind: 'header',
      format: 'acs-trace/1',
      suiteVersion,
      contractDigest: contractDigest(),
      profileDigest: profileDigest(profile),
      profile: redactProfile(profile, pseudonyms),
      seed: 0,
      startedAt: new Date(originMs).toISOString(),
      target: profile.baseUrl,
      source: 'har',
    },
    exchanges,
    notes: [],
    footer: { kind: 'footer', exchanges: exchanges.length, modelCalls: 0, durationMs, complete: true },
  }
}
