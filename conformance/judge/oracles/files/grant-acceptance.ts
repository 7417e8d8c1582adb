/**
 * Oracles about grants that must be given. A request for a grant says three things at once (a filename, a user-id, persist),
 * so a refusal is held against one of them only when the other two were accepted in other requests.
 */

import { longestUserId } from '../../classify/query-faults.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { nameOf } from '../../read/json.ts'
import { headerValues, isAccepted, isRefusal, type ParsedExchange, queryValues } from '../../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'
import { judgeAcceptance } from '../support/acceptance.ts'
import type { Oracle } from '../support/oracle.ts'
import { judgeRefusal, withSoleFault } from '../support/refusals.ts'

/** The user-id of a request for a grant. */
export const userIdOf = (parsed: ParsedExchange): string => headerValues(parsed.exchange, 'user-id')[0]?.trim() ?? ''

const persistOf = (parsed: ParsedExchange): string => queryValues(parsed, 'persist')[0] ?? 'absent'
const filenameOf = (parsed: ParsedExchange): string => queryValues(parsed, 'filename')[0] ?? ''

/** Kinds of characters in a user-id: letters of each case, digits, and every other character for itself. */
const kindsIn = (id: string): readonly string[] =>
  [...id].map((character) =>
    /[a-z]/.test(character) ? 'a' : /[A-Z]/.test(character) ? 'A' : /\d/.test(character) ? '0' : character,
  )

/** The first accepted request that said each thing. */
type Shown = ReadonlyMap<string, ParsedExchange>

/** Valid requests for a grant, and what of them was accepted somewhere. */
class Grants {
  readonly valid: readonly ParsedExchange[]
  readonly #persists: Shown
  readonly #filenames: Shown
  readonly #kinds: Shown

  constructor(analysis: TraceAnalysis) {
    this.valid = analysis.of('createUploadGrant').filter((parsed) => analysis.requestOf(parsed).validity === 'valid')
    const accepted = this.valid.filter(isAccepted)
    this.#persists = firstOf(accepted, (parsed) => [persistOf(parsed)])
    this.#filenames = firstOf(accepted, (parsed) => [filenameOf(parsed)])
    this.#kinds = firstOf(accepted, (parsed) => kindsIn(userIdOf(parsed)))
  }

  /** Accepted requests that together say what this one says, as far as any does. */
  alike(parsed: ParsedExchange): readonly ParsedExchange[] {
    const found = [
      this.#persists.get(persistOf(parsed)),
      this.#filenames.get(filenameOf(parsed)),
      ...kindsIn(userIdOf(parsed)).map((kind) => this.#kinds.get(kind)),
    ]
    return [...new Set(found.filter((one) => one !== undefined))]
  }

  isPersistFine = (parsed: ParsedExchange): boolean => this.#persists.has(persistOf(parsed))

  isFilenameFine = (parsed: ParsedExchange): boolean =>
    /^\w+\.\w+$/.test(filenameOf(parsed)) || this.#filenames.has(filenameOf(parsed))

  areCharactersFine = (parsed: ParsedExchange): boolean =>
    kindsIn(userIdOf(parsed)).every((kind) => this.#kinds.has(kind))
}

const grantsOf = memoPerTrace((analysis) => new Grants(analysis))

function firstOf(accepted: readonly ParsedExchange[], saidBy: (parsed: ParsedExchange) => readonly string[]): Shown {
  const shown = new Map<string, ParsedExchange>()
  for (const parsed of accepted) for (const said of saidBy(parsed)) if (!shown.has(said)) shown.set(said, parsed)
  return shown
}

/** Judges a request by one of the things that it says; `isSuspect` tells whether that thing may be why it was refused. */
function judgeThing(
  observe: ObservationLog,
  grants: Grants,
  parsed: ParsedExchange,
  facet: string,
  what: string,
  isSuspect: boolean,
): undefined {
  if (!isRefusal(parsed)) return judgeAcceptance(observe, parsed, facet, what)
  if (isSuspect) return judgeAcceptance(observe, parsed, facet, what, grants.alike(parsed))
  observe.ambiguous('createUploadGrant', facet, parsed.id, `${parsed.id} may be refused for something else it says.`)
}

const isLongest = (parsed: ParsedExchange): boolean => userIdOf(parsed).length === longestUserId

/** Oracle of files.user-id-accepted. */
export const userIdAccepted: Oracle = (analysis, observe) => {
  const grants = grantsOf(analysis)
  const facets = { letters: /[A-Za-z]/, digits: /\d/, punctuation: /[._\-@:]/, 'one-character': /^.$/ }
  for (const parsed of grants.valid) {
    const id = userIdOf(parsed)
    const isForLength = isLongest(parsed) && grants.areCharactersFine(parsed)
    const isSuspect = grants.isPersistFine(parsed) && grants.isFilenameFine(parsed) && !isForLength
    for (const [facet, pattern] of Object.entries(facets)) {
      // A single character says nothing of its class: it may be refused for the length.
      if (pattern.test(id) && (id.length > 1 || facet === 'one-character'))
        judgeThing(observe, grants, parsed, facet, `a grant request with the legal user-id ${nameOf(id)}`, isSuspect)
    }
  }
}

const tooLong = { 'user-id-too-long': '256-refused' } as const

/** Oracle of files.user-id-length. */
export const userIdLength: Oracle = (analysis, observe) => {
  const grants = grantsOf(analysis)
  for (const parsed of grants.valid.filter(isLongest)) {
    const isSuspect = grants.isPersistFine(parsed) && grants.isFilenameFine(parsed) && grants.areCharactersFine(parsed)
    judgeThing(observe, grants, parsed, '255-accepted', 'a grant request with a user-id of 255 characters', isSuspect)
  }
  for (const [parsed, facet, fault] of withSoleFault(analysis, ['createUploadGrant'], tooLong)) {
    const what = `a grant request with a user-id of ${userIdOf(parsed).length} characters`
    judgeRefusal(analysis, observe, parsed, { fault, facet, what })
  }
}

/** Oracle of files.persist-accepted. */
export const persistAccepted: Oracle = (analysis, observe) => {
  const grants = grantsOf(analysis)
  const isLengthFine = grants.valid.some((parsed) => isLongest(parsed) && isAccepted(parsed))
  for (const parsed of grants.valid) {
    const persist = persistOf(parsed)
    const isUserFine = grants.areCharactersFine(parsed) && (!isLongest(parsed) || isLengthFine)
    const isSuspect = !grants.isPersistFine(parsed) && isUserFine && grants.isFilenameFine(parsed)
    const what = `a grant request with persist ${persist === 'absent' ? 'left out' : persist}`
    judgeThing(observe, grants, parsed, persist, what, isSuspect)
  }
}
