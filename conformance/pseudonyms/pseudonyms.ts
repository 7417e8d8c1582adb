/**
 * Replaces secrets by pseudonyms before an exchange exists.
 * They are keyed for one run, equal for equal secrets, of the same length and format, so that the live judge, the file and an
 * auditor read the same evidence and no artefact can leak a key.
 */
import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import type { HeaderLines } from '../trace/exchange.ts'
import { apiKeySpans, type Span } from './api-key-search.ts'
import { beginningSearch } from './beginnings.ts'
import { type Dialect, plainOf, respell } from './encodings.ts'
import { pseudonymize } from './pseudonymize.ts'
import { joinedFragments, type Reading, wholeReadings } from './readings.ts'
import { createKnownSecret, hasCodes, type KnownSecret } from './secret-search.ts'
import { signatureSpans } from './signed-urls.ts'
import { applyEdits, type Edit, moveOffsets, settleEdits } from './text-edits.ts'
import { editsInOriginal } from './text-view.ts'

export interface Pseudonyms {
  /** The pieces of one body; a secret that is split over two of them is found, and the borders stay where they were. */
  readonly pieces: (pieces: readonly Uint8Array[]) => readonly Uint8Array[]
  /** Any text (URLs, failure lines, profile values): every secret in it replaced, in any spelling that is known. */
  readonly text: (text: string) => string
  /** Header lines; credential headers and cookies lose their values even when these are unknown. */
  readonly headers: (headers: HeaderLines) => HeaderLines
  /** The pseudonym of one secret, which is searched for from then on if it is long enough to differ from a word. */
  readonly of: (secret: string) => string
  /** Replaces pseudonyms by their secrets, for sending: a key or a signed URL that was read from an answer. */
  readonly reveal: (text: string) => string
}

interface PseudonymOptions {
  /** The keys of the profile and all other secrets. */
  readonly secrets: readonly string[]
  /** Default: random, so that pseudonyms of two runs cannot be linked. */
  readonly key?: Uint8Array
  /** Pseudonyms that secrets have already, from the part of a run that was recorded before. */
  readonly known?: readonly (readonly [secret: string, pseudonym: string])[] | undefined
}

/** A secret that is shorter than this could be a word of the contract; it is replaced only where a credential stands. */
const shortestInText = 6
/** A discovered value is searched for everywhere only if it is unlikely to occur by chance. */
const shortestLearned = 12
const longWord = 16
const mostLearned = 64
/** The number of pseudonyms that are kept; beyond it new ones are still made, but `reveal` does not know them. */
const mostRemembered = 10_000
const mostResults = 1_000

const toLatin = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
const fromLatin = (text: string): string => Buffer.from(text, 'latin1').toString('utf8')

/** The register of one run: which secret has which pseudonym, and which secrets are looked for in texts. */
class Register {
  readonly #key: Uint8Array
  readonly #pseudonyms = new Map<string, string>()
  readonly #originals = new Map<string, string>()
  #known: readonly KnownSecret[] = []
  #mayHold = beginningSearch([])
  #learned = 0
  /** Results of `remembered`, until another secret is known. */
  readonly #results = new Map<string, string>()

  constructor(options: PseudonymOptions) {
    this.#key = options.key ?? randomBytes(32)
    for (const [secret, pseudonym] of options.known ?? []) {
      this.#pseudonyms.set(toLatin(secret), toLatin(pseudonym))
      this.#originals.set(toLatin(pseudonym), toLatin(secret))
    }
    for (const secret of options.secrets) this.#watchFor(toLatin(secret), shortestInText)
  }

  /** Of a Latin-1 text; every text that gets here is a secret. */
  pseudonymOf(secret: string): string {
    const existing = this.#pseudonyms.get(secret) ?? (this.#originals.has(secret) ? secret : undefined)
    if (existing !== undefined) return existing
    let pseudonym = pseudonymize(this.#key, secret)
    for (let attempt = 1; attempt < 8 && this.#isTaken(pseudonym, secret); attempt += 1)
      pseudonym = pseudonymize(this.#key, secret, attempt)
    if (this.#pseudonyms.size >= mostRemembered) return pseudonym
    this.#pseudonyms.set(secret, pseudonym)
    this.#originals.set(pseudonym, secret)
    return pseudonym
  }

  learn(secret: string): void {
    if (this.#learned >= mostLearned || this.#known.some((one) => one.secret === secret)) return
    if (secret.length < longWord && !/\d/.test(secret)) return
    if (this.#watchFor(secret, shortestLearned)) this.#learned += 1
  }

  /** A result that depends on its key and on the known secrets only: header lines repeat. */
  remembered(key: string, make: () => string): string {
    const before = this.#results.get(key)
    if (before !== undefined) return before
    const result = make()
    if (this.#results.size >= mostResults) this.#results.clear()
    this.#results.set(key, result)
    return result
  }

  originalOf(pseudonym: string): string | undefined {
    return this.#originals.get(pseudonym)
  }

  /** The places of all known secrets, as they are or in one of the encodings that need no other reading of the text. */
  editsOf(text: string): readonly Edit[] {
    const lowered = text.toLowerCase()
    const withCodes = hasCodes(text)
    if (!withCodes && !this.#mayHold(lowered)) return []
    return this.#known.flatMap((one) => one.editsIn(text, lowered, withCodes))
  }

  /** The same in another reading of the text; a joined text may end in the middle of a secret. */
  editsIn(text: string, reading: Reading, mayEnd: boolean): readonly Edit[] {
    if (this.#known.length === 0) return []
    return reading(text).flatMap((view) => {
      const found = this.editsOf(view.text)
      const ending = mayEnd ? this.editsAtEnd(view.text) : []
      return settleEdits([...found, ...ending]).flatMap((edit) => editsInOriginal(text, view, edit))
    })
  }

  editsAtEnd(text: string): readonly Edit[] {
    const lowered = text.toLowerCase()
    return this.#known.flatMap((one) => one.editsAtEnd(text, lowered))
  }

  #isTaken(pseudonym: string, secret: string): boolean {
    return pseudonym === secret || this.#originals.has(pseudonym) || this.#pseudonyms.has(pseudonym)
  }

  #watchFor(secret: string, shortest: number): boolean {
    const pseudonym = this.pseudonymOf(secret)
    if (secret.length < shortest || pseudonym === secret) return false
    const known = [...this.#known, createKnownSecret(secret, pseudonym)]
    this.#results.clear()
    this.#known = known.sort((left, right) => right.secret.length - left.secret.length)
    this.#mayHold = beginningSearch(known.flatMap((one) => one.spellings))
    return true
  }
}

/** The searches in sequence, each on the result of the previous one. */
type Search = (text: string) => readonly Edit[]

const searchesOf = (register: Register, first: Search, joined: boolean): readonly Search[] => [
  first,
  ...wholeReadings.map(
    (reading): Search =>
      (text) =>
        register.editsIn(text, reading, false),
  ),
  ...(joined ? [(text: string) => register.editsIn(text, joinedFragments, true)] : []),
]

const searched = (searches: readonly Search[], text: string, moved?: (edits: readonly Edit[]) => void): string =>
  searches.reduce((current, search) => {
    const edits = settleEdits(search(current))
    if (edits.length === 0) return current
    moved?.(edits)
    return applyEdits(current, edits)
  }, text)

const disguisedValue = (register: Register, spelled: string, dialect: Dialect): string => {
  const disguised = searched(
    searchesOf(register, (text) => register.editsOf(text), false),
    spelled,
  )
  if (disguised !== spelled) return disguised
  const plain = plainOf(spelled, dialect)
  const pseudonym = register.pseudonymOf(plain)
  register.learn(plain)
  return respell(spelled, pseudonym, dialect)
}

const editsOf = (register: Register, text: string): readonly Edit[] => {
  const disguiseSpan =
    (dialect: Dialect) =>
    ({ start, end }: Span): Edit => ({ start, end, text: disguisedValue(register, text.slice(start, end), dialect) })
  const found = [...apiKeySpans(text).map(disguiseSpan('json')), ...signatureSpans(text).map(disguiseSpan('url'))]
  return [...found, ...register.editsOf(text)]
}

const disguisedText = (register: Register, text: string): string =>
  searched(
    searchesOf(register, (whole) => editsOf(register, whole), true),
    text,
  )

const disguisedPieces = (register: Register, pieces: readonly Uint8Array[]): readonly Uint8Array[] => {
  const text = Buffer.concat(pieces).toString('latin1')
  let length = 0
  let ends: readonly number[] = pieces.map((piece) => (length += piece.byteLength))
  const first: Search = (whole) => [...editsOf(register, whole), ...register.editsAtEnd(whole)]
  const disguised = searched(searchesOf(register, first, true), text, (edits) => {
    ends = moveOffsets(ends, edits)
  })
  if (disguised === text) return pieces
  const edited = Buffer.from(disguised, 'latin1')
  return ends.map((end, index) => edited.subarray(ends[index - 1] ?? 0, end))
}

const credentialHeaders: ReadonlySet<string> = new Set(['api-key', 'x-api-key', 'authorization', 'proxy-authorization'])

const disguisedHeader = (register: Register, name: string, value: string): string => {
  const lowered = name.toLowerCase()
  if (credentialHeaders.has(lowered)) {
    const scheme = /^(?:basic|bearer|apikey|api-key|token)\s+/i.exec(value)?.[0] ?? ''
    return scheme + disguisedValue(register, value.slice(scheme.length), 'raw')
  }
  if (lowered === 'cookie')
    return value.replace(/=([^;]*)/g, (_, inner: string) => `=${disguisedValue(register, inner, 'raw')}`)
  if (lowered === 'set-cookie')
    return value.replace(
      /^([^=;]*=)([^;]*)/,
      (_, head: string, inner: string) => head + disguisedValue(register, inner, 'raw'),
    )
  return disguisedText(register, value)
}

const revealed = (register: Register, text: string): string => {
  const whole = register.originalOf(text)
  if (whole !== undefined) return whole
  const edits = signatureSpans(text).flatMap(({ start, end }) => {
    const spelled = text.slice(start, end)
    const original = register.originalOf(plainOf(spelled, 'url'))
    return original === undefined ? [] : [{ start, end, text: respell(spelled, original, 'url') }]
  })
  return applyEdits(text, edits)
}

/** Makes the pseudonyms of one run. */
export const createPseudonyms = (options: PseudonymOptions): Pseudonyms => {
  const register = new Register(options)
  return {
    pieces: (pieces) => disguisedPieces(register, pieces),
    text: (text) => fromLatin(disguisedText(register, toLatin(text))),
    headers: (headers) =>
      headers.map(([name, value]) => [
        name,
        register.remembered(`${name}:${value}`, () => disguisedHeader(register, name, value)),
      ]),
    of: (secret) => fromLatin(disguisedValue(register, toLatin(secret), 'raw')),
    reveal: (text) => fromLatin(revealed(register, toLatin(text))),
  }
}
