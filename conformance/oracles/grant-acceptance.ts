/**
 * Oracles about grants that must be given. A request for a grant says three things at once (a filename, a user-id, persist),
 * so a refusal is held against one of them only when the other two were accepted in other requests.
 */
import { nameOf } from '../classify/json.ts'
import { longestUserId } from '../classify/query-faults.ts'
import { headerValues, isAccepted, isRefusal, queryValues, type Reading } from '../classify/reading.ts'
import { type Docket, oncePerDocket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import { judgeAcceptance, judgeRefusal, type Oracle, withSoleFault } from './oracle.ts'

/** The user-id of a request for a grant. */
export const userIdOf = (reading: Reading): string => headerValues(reading.exchange, 'user-id')[0]?.trim() ?? ''

const persistOf = (reading: Reading): string => queryValues(reading, 'persist')[0] ?? 'absent'
const filenameOf = (reading: Reading): string => queryValues(reading, 'filename')[0] ?? ''

/** Kinds of characters in a user-id: letters of each case, digits, and every other character for itself. */
const kindsIn = (id: string): readonly string[] =>
  [...id].map((character) =>
    /[a-z]/.test(character) ? 'a' : /[A-Z]/.test(character) ? 'A' : /\d/.test(character) ? '0' : character,
  )

/** The first accepted request that said each thing. */
type Shown = ReadonlyMap<string, Reading>

/** Valid requests for a grant, and what of them was accepted somewhere. */
class Grants {
  readonly valid: readonly Reading[]
  readonly #persists: Shown
  readonly #filenames: Shown
  readonly #kinds: Shown

  constructor(docket: Docket) {
    this.valid = docket.of('createUploadGrant').filter((reading) => docket.requestOf(reading).validity === 'valid')
    const accepted = this.valid.filter(isAccepted)
    this.#persists = firstOf(accepted, (reading) => [persistOf(reading)])
    this.#filenames = firstOf(accepted, (reading) => [filenameOf(reading)])
    this.#kinds = firstOf(accepted, (reading) => kindsIn(userIdOf(reading)))
  }

  /** Accepted requests that together say what this one says, as far as any does. */
  alike(reading: Reading): readonly Reading[] {
    const found = [
      this.#persists.get(persistOf(reading)),
      this.#filenames.get(filenameOf(reading)),
      ...kindsIn(userIdOf(reading)).map((kind) => this.#kinds.get(kind)),
    ]
    return [...new Set(found.filter((one) => one !== undefined))]
  }

  isPersistFine = (reading: Reading): boolean => this.#persists.has(persistOf(reading))

  isFilenameFine = (reading: Reading): boolean =>
    /^\w+\.\w+$/.test(filenameOf(reading)) || this.#filenames.has(filenameOf(reading))

  areCharactersFine = (reading: Reading): boolean => kindsIn(userIdOf(reading)).every((kind) => this.#kinds.has(kind))
}

const grantsOf = oncePerDocket((docket) => new Grants(docket))

function firstOf(accepted: readonly Reading[], saidBy: (reading: Reading) => readonly string[]): Shown {
  const shown = new Map<string, Reading>()
  for (const reading of accepted) for (const said of saidBy(reading)) if (!shown.has(said)) shown.set(said, reading)
  return shown
}

/** Judges a request by one of the things that it says; `isSuspect` tells whether that thing may be why it was refused. */
function judgeThing(
  testify: Testimony,
  grants: Grants,
  reading: Reading,
  facet: string,
  what: string,
  isSuspect: boolean,
): undefined {
  if (!isRefusal(reading)) return judgeAcceptance(testify, reading, facet, what)
  if (isSuspect) return judgeAcceptance(testify, reading, facet, what, grants.alike(reading))
  testify.ambiguous('createUploadGrant', facet, reading.id, `${reading.id} may be refused for something else it says.`)
}

const isLongest = (reading: Reading): boolean => userIdOf(reading).length === longestUserId

/** Oracle of files.user-id-accepted. */
export const userIdAccepted: Oracle = (docket, testify) => {
  const grants = grantsOf(docket)
  const facets = { letters: /[A-Za-z]/, digits: /\d/, punctuation: /[._\-@:]/, 'one-character': /^.$/ }
  for (const reading of grants.valid) {
    const id = userIdOf(reading)
    const isForLength = isLongest(reading) && grants.areCharactersFine(reading)
    const isSuspect = grants.isPersistFine(reading) && grants.isFilenameFine(reading) && !isForLength
    for (const [facet, pattern] of Object.entries(facets)) {
      if (pattern.test(id))
        judgeThing(testify, grants, reading, facet, `a grant request with the legal user-id ${nameOf(id)}`, isSuspect)
    }
  }
}

/** Oracle of files.user-id-length. */
export const userIdLength: Oracle = (docket, testify) => {
  const grants = grantsOf(docket)
  for (const reading of grants.valid.filter(isLongest)) {
    const isSuspect =
      grants.isPersistFine(reading) && grants.isFilenameFine(reading) && grants.areCharactersFine(reading)
    judgeThing(testify, grants, reading, '255-accepted', 'a grant request with a user-id of 255 characters', isSuspect)
  }
  for (const [reading, facet] of withSoleFault(docket, ['createUploadGrant'], { 'user-id-too-long': '256-refused' })) {
    judgeRefusal(testify, reading, facet, `a grant request with a user-id of ${userIdOf(reading).length} characters`)
  }
}

/** Oracle of files.persist-accepted. */
export const persistAccepted: Oracle = (docket, testify) => {
  const grants = grantsOf(docket)
  for (const reading of grants.valid) {
    const persist = persistOf(reading)
    const isSuspect =
      !grants.isPersistFine(reading) && grants.areCharactersFine(reading) && grants.isFilenameFine(reading)
    const what = `a grant request with persist ${persist === 'absent' ? 'left out' : persist}`
    judgeThing(testify, grants, reading, persist, what, isSuspect)
  }
}
