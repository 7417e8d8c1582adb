/**
 * Compares a request that the suite makes again with the recorded one. The recording holds pseudonyms under a key that no
 * longer exists, so credentials count as equal only if the same value always has the same pseudonym.
 */

import type { RawRequest } from '../client/record-exchange.ts'
import { bytesOf } from '../trace/bytes.ts'
import type { HeaderLines, RecordedRequest } from '../trace/exchange.ts'

/** Value of a credential in the new request → its pseudonym in the recording. */
export type Aliases = ReadonlyMap<string, string>

/** The aliases that this request adds, or the place of the first difference. */
type Compared = { readonly alreadyCovered: Aliases } | { readonly difference: string }

const credentialHeaders: ReadonlySet<string> = new Set([
  'api-key',
  'x-api-key',
  'authorization',
  'proxy-authorization',
  'cookie',
])

/** Compares method, URL, request line, every header line and the bytes of the body. */
export function compareRequest(made: RawRequest, recorded: RecordedRequest, aliases: Aliases): Compared {
  const alreadyCovered = learnAliases(traceless(made.headers), traceless(recorded.headers), aliases)
  if (alreadyCovered === null) return { difference: 'its credential is not the one that stands there elsewhere' }
  const matches = matcherOf(alreadyCovered.size === 0 ? aliases : new Map([...aliases, ...alreadyCovered]))
  const place = firstDifference(made, recorded, matches)
  return place === null ? { alreadyCovered } : { difference: place }
}

type Matches = (made: string, recorded: string) => boolean

/** Most requests bring no new credential, so the matcher of the ones before serves them, too. */
const matchers = new WeakMap<Aliases, Matches>()

function matcherOf(aliases: Aliases): Matches {
  const known = matchers.get(aliases) ?? matcher(aliases)
  matchers.set(aliases, known)
  return known
}

/** Texts are the same as they are, or once every credential in them has its alias; the longest one counts. */
function matcher(aliases: Aliases): Matches {
  const longestFirst = [...aliases.keys()].sort((left, right) => right.length - left.length)
  const pattern = new RegExp(longestFirst.map((value) => value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'g')
  const disguised = (text: string): string =>
    aliases.size === 0 ? text : text.replace(pattern, (value) => aliases.get(value) ?? value)
  return (made, recorded) => made === recorded || disguised(made) === recorded
}

function learnAliases(made: HeaderLines, recorded: HeaderLines, aliases: Aliases): Aliases | null {
  const alreadyCovered = new Map<string, string>()
  for (const [index, [name, value]] of made.entries()) {
    const alias = recorded[index]?.[1]
    if (!credentialHeaders.has(name.toLowerCase()) || alias === undefined || value === '') continue
    const known = aliases.get(value) ?? alreadyCovered.get(value)
    if (known === alias) continue
    const isTaken = [...aliases.values(), ...alreadyCovered.values()].includes(alias)
    if (known !== undefined || isTaken || alias.length !== value.length) return null
    alreadyCovered.set(value, alias)
  }
  return alreadyCovered
}

function firstDifference(made: RawRequest, recorded: RecordedRequest, matches: Matches): string | null {
  if (made.method !== recorded.method) return `its method is ${recorded.method}, not ${made.method}`
  if (!matches(made.url, recorded.url)) return `its URL is ${recorded.url}, not ${made.url}`
  const [line, recordedLine] = [made.line ?? null, recorded.line ?? null]
  if (line !== recordedLine && !matches(line ?? '', recordedLine ?? '')) return 'its request line differs'
  if ((made.omittedBytes ?? 0) !== (recorded.omittedBytes ?? 0)) return 'its body has another length'
  return (
    headerDifference(traceless(made.headers), traceless(recorded.headers), matches) ??
    bodyDifference(made.body, recorded.body, matches)
  )
}

/** A `traceparent` is random for each request, and is not compared. */
function traceless(lines: HeaderLines): HeaderLines {
  return lines.filter(([name]) => name !== 'traceparent')
}

function headerDifference(made: HeaderLines, recorded: HeaderLines, matches: Matches): string | null {
  const differs = ([name, value]: readonly [string, string], index: number): boolean => {
    const [recordedName, recordedValue = ''] = recorded[index] ?? []
    return recordedName !== name || !matches(value, recordedValue)
  }
  const at = made.findIndex(differs)
  if (at !== -1) return `its header ${made[at]?.[0] ?? ''} differs`
  return made.length === recorded.length ? null : `it has the further header ${recorded[made.length]?.[0] ?? ''}`
}

function bodyDifference(made: Uint8Array | null, recorded: RecordedRequest['body'], matches: Matches): string | null {
  const [madeBytes, recordedBytes] = [
    made ?? new Uint8Array(),
    recorded === null ? new Uint8Array() : bytesOf(recorded),
  ]
  if (Buffer.compare(madeBytes, recordedBytes) === 0) return null
  const [expected, found] = [latin(madeBytes), latin(recordedBytes)]
  if (matches(expected, found)) return null
  const at = [...expected].findIndex((char, index) => char !== found[index])
  return `its body differs from byte ${at === -1 ? expected.length : at} on`
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
