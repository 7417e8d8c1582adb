/** Oracles of chapter files: upload grants, what they promise, and who gets one. */

import type { TestableId } from '../../spec/index.ts'
import { idField } from '../classify/forms.ts'
import { fieldOf, isObject, nameOf, sameJson, textField } from '../classify/json.ts'
import { documentOf, type Reading } from '../classify/reading.ts'
import type { Docket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import { anInteger, anObject, aString, contradict, type FieldRule, isTexts, judgeField } from './field-rules.ts'
import { persistAccepted, userIdAccepted, userIdLength, userIdOf } from './grant-acceptance.ts'
import { judgeRefusal, mustBeRefused, type Oracle, type RefusalRule, withSoleFault } from './oracle.ts'
import { uploadAccepted, uploadNeedsNoKey } from './uploads.ts'

const allowedTypes = [
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'text/csv',
  'text/plain',
] as const
const maxSize = 10_485_760

function* grantsOf(docket: Docket): Generator<{ readonly reading: Reading; readonly grant: unknown }> {
  for (const reading of docket.of('createUploadGrant')) {
    const grant = documentOf(reading)
    if (grant !== undefined) yield { reading, grant }
  }
}

const placeOf = (reading: Reading, at = '') => ({ operation: 'createUploadGrant', exchange: reading.id, at }) as const

const grantFields: Oracle = (docket, testify) => {
  for (const { reading, grant } of grantsOf(docket)) {
    judgeField(testify, placeOf(reading), grant, 'file_id', aString)
    judgeField(testify, placeOf(reading), grant, 'file_url', aString)
    judgeField(testify, placeOf(reading), grant, 'expires_in', anInteger)
    judgeField(testify, placeOf(reading), grant, 'file_limits', anObject)
  }
}

const strings: FieldRule = { expected: 'an array of strings', holds: isTexts }

const limitsFields: Oracle = (docket, testify) => {
  for (const { reading, grant } of grantsOf(docket)) {
    const limits = fieldOf(grant, 'file_limits')
    if (!isObject(limits)) continue
    judgeField(testify, placeOf(reading, '/file_limits'), limits, 'allowed_types', strings)
    judgeField(testify, placeOf(reading, '/file_limits'), limits, 'max_size', anInteger)
  }
}

/** An oracle about one value of a grant, when it has the right type. */
const grantValue =
  (read: (grant: unknown) => unknown, pointer: string, expected: string, holds: (value: never) => boolean): Oracle =>
  (docket, testify) => {
    for (const { reading, grant } of grantsOf(docket)) {
      const value = read(grant)
      if (value === undefined) continue
      if (holds(value as never)) testify.held('createUploadGrant', null, reading.id)
      else contradict(testify, placeOf(reading), pointer, null, expected, value)
    }
  }

const limit = (grant: unknown, name: string): unknown => fieldOf(fieldOf(grant, 'file_limits'), name)

const allowedTypesOracle: Oracle = (docket, testify) => {
  for (const { reading, grant } of grantsOf(docket)) {
    const given = limit(grant, 'allowed_types')
    if (!Array.isArray(given)) continue
    const sorted = [...new Set(given.map((type) => String(type).toLowerCase()))].sort()
    if (sameJson(sorted, allowedTypes)) testify.held('createUploadGrant', null, reading.id)
    else {
      testify.contradicted('createUploadGrant', null, {
        exchanges: [reading.id],
        expected: allowedTypes.join(', '),
        actual: sorted.join(', ').slice(0, 300),
        pointer: '/file_limits/allowed_types',
        because: `The grant in ${reading.id} does not allow exactly the five media types of the contract.`,
      })
    }
  }
}

const isAbsoluteUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+/i.test(text) && URL.canParse(text)

const refusedGrant =
  (what: string, faults: RefusalRule['faults']): Oracle =>
  (docket, testify) =>
    mustBeRefused(docket, testify, { operations: ['createUploadGrant'], faults, what })

const userIdRefused: Oracle = (docket, testify) => {
  const faults = { 'user-id-characters': 'characters', 'user-id-empty': 'empty' }
  for (const [reading, found] of withSoleFault(docket, ['createUploadGrant'], faults)) {
    const facets = found === 'empty' ? ['empty'] : charactersIn(userIdOf(reading))
    for (const facet of facets)
      judgeRefusal(testify, reading, facet, `a grant request with the user-id ${nameOf(userIdOf(reading))}`)
  }
}

function charactersIn(id: string): readonly string[] {
  const facets = { blank: /\s/, slash: /\//, comma: /,/, plus: /\+/, 'non-ascii': /[^\0-\x7f]/ }
  const found = Object.entries(facets).flatMap(([facet, pattern]) => (pattern.test(id) ? [facet] : []))
  return found.length > 0 ? found : ['another character']
}

const fileIdsFresh: Oracle = (docket: Docket, testify: Testimony) => {
  const owners = new Map<string, Reading>()
  for (const { reading, grant } of grantsOf(docket)) {
    const id = idField(grant, 'file_id')
    if (id === null) continue
    const owner = owners.get(id)
    owners.set(id, reading)
    if (owner !== undefined) {
      testify.contradicted('createUploadGrant', null, {
        exchanges: [owner.id, reading.id],
        expected: 'a file_id of its own for every grant',
        actual: id,
        pointer: '/file_id',
        because: `${owner.id} and ${reading.id} ask for two grants, and both get the file_id ${id}.`,
      })
    } else if (owners.size > 1) testify.held('createUploadGrant', null, reading.id)
  }
}

/** The oracles of chapter files. */
export const filesOracles: Readonly<Record<TestableId<'files'>, Oracle>> = {
  'files.grant-fields': grantFields,
  'files.limits-fields': limitsFields,
  'files.url-is-absolute': grantValue(
    (grant) => textField(grant, 'file_url') ?? undefined,
    '/file_url',
    'an absolute URL',
    isAbsoluteUrl,
  ),
  'files.expires-in-future': grantValue(
    (grant) => (Number.isInteger(fieldOf(grant, 'expires_in')) ? fieldOf(grant, 'expires_in') : undefined),
    '/expires_in',
    'more than zero',
    (value: number) => value > 0,
  ),
  'files.allowed-types': allowedTypesOracle,
  'files.max-size': grantValue(
    (grant) => limit(grant, 'max_size'),
    '/file_limits/max_size',
    `${maxSize}`,
    (value: unknown) => value === maxSize,
  ),
  'files.filename-required': refusedGrant('a grant request without filename', { 'filename-missing': null }),
  'files.user-id-required': refusedGrant('a grant request without the user-id header', { 'user-id-missing': null }),
  'files.user-id-accepted': userIdAccepted,
  'files.user-id-refused': userIdRefused,
  'files.user-id-length': userIdLength,
  'files.persist-accepted': persistAccepted,
  'files.persist-is-boolean': refusedGrant('a grant request whose persist is no boolean', {
    'persist-not-boolean': null,
  }),
  'files.file-ids-fresh': fileIdsFresh,
  'files.upload-accepted': uploadAccepted,
  'files.upload-needs-no-key': uploadNeedsNoKey,
}
