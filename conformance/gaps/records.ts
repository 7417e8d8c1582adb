/** Observers of the gaps in chapters assistants, files and tenancy: what records and uploads look like. */
import { fieldOf, sameJson, textField } from '../classify/json.ts'
import { documentOf, headerValues, isAccepted, isRefusal, type Reading } from '../classify/reading.ts'
import { acceptance, codeOf, type GapObserver, statusAndCode } from './observer.ts'
import { faultAnswer } from './requests.ts'

export const unknownAssistantError = faultAnswer(
  ['getAssistant'],
  { 'assistant-unknown': null, 'assistant-foreign': null },
  codeOf,
)

export const listOrder: GapObserver = function* (docket) {
  const first = new Map<string | null, readonly unknown[]>()
  for (const reading of docket.of('listAssistants')) {
    const records = documentOf(reading)
    if (!Array.isArray(records)) continue
    const ids = records.map((record) => textField(record, 'id'))
    const before = first.get(reading.tenant)
    first.set(reading.tenant, before ?? ids)
    if (before !== undefined) yield { value: sameJson(before, ids) ? 'stable' : 'not stable', exchange: reading.id }
  }
}

export const requiredFieldPaths: GapObserver = function* (docket) {
  for (const reading of docket.of('listAssistants')) {
    const records = documentOf(reading)
    if (!Array.isArray(records)) continue
    const paths = records.flatMap((record) => Object.keys(Object(fieldOf(record, 'request_required_fields'))))
    const others = [...new Set(paths)].filter((path) => path !== '__root__' && path !== 'user_data').sort()
    yield { value: others.length === 0 ? 'none' : others.join(', '), exchange: reading.id }
  }
}

export const filenameExtension = acceptance(['createUploadGrant'], 'an unusual filename')
export const persistSpelling = acceptance(['createUploadGrant'], 'another spelling of a boolean')

const grantFaults = {
  'filename-missing': null,
  'persist-not-boolean': null,
  'user-id-missing': null,
  'user-id-empty': null,
  'user-id-characters': null,
  'user-id-too-long': null,
} as const
export const grantRefusal = faultAnswer(['createUploadGrant'], grantFaults, codeOf)

/** A refused upload, whatever was wrong with it. */
export const uploadRefusal: GapObserver = function* (docket) {
  for (const reading of docket.of('uploadFile')) {
    if (isRefusal(reading)) yield { value: statusAndCode(reading), exchange: reading.id }
  }
}

/** Which of its headers an upload could leave out. */
export const uploadHeaders: GapObserver = function* (docket) {
  for (const reading of docket.of('uploadFile')) {
    const hasType = headerValues(reading.exchange, 'content-type').length > 0
    if (isAccepted(reading) && !hasType) yield { value: 'none', exchange: reading.id }
    else if (isRefusal(reading) && !hasType) yield { value: 'content-type', exchange: reading.id }
  }
}

/** A lifetime that a number of seconds fits, and one that only milliseconds would fit. */
export const expiresInUnit: GapObserver = function* (docket) {
  for (const grant of docket.of('createUploadGrant')) {
    const unit = unitOf(grant)
    if (unit !== null) yield { value: unit, exchange: grant.id }
  }
}

/** The signed URL itself may tell: its own expiry parameter, next to expires_in. */
function unitOf(grant: Reading): string | null {
  const url = textField(documentOf(grant), 'file_url')
  const value = fieldOf(documentOf(grant), 'expires_in')
  if (url === null || typeof value !== 'number' || !URL.canParse(url)) return null
  const signedForSeconds = Number(new URL(url).searchParams.get('X-Amz-Expires') ?? Number.NaN)
  if (signedForSeconds === value) return 'seconds'
  if (signedForSeconds * 1000 === value) return 'milliseconds'
  return signedForSeconds === value * 60 ? 'minutes' : null
}

export const keyShown: GapObserver = function* (docket) {
  for (const reading of docket.of('listMyApiKeys')) {
    const keys = fieldOf(documentOf(reading), 'api_keys')
    for (const key of Array.isArray(keys) ? keys : []) {
      const value = textField(key, 'api_key')
      if (value !== null) yield { value: /[*•…]|^x{4,}|\.{3}/i.test(value) ? 'masked' : 'whole', exchange: reading.id }
    }
  }
}

export const threadRecord: GapObserver = function* (docket) {
  for (const reading of docket.of('createThread')) {
    const record = documentOf(reading)
    const names = Object.keys(Object(record))
    if (isAccepted(reading) && names.length > 0) yield { value: names.join(', '), exchange: reading.id }
  }
}

export const threadCreation: GapObserver = function* (docket) {
  for (const reading of docket.of('createThread')) {
    if (isAccepted(reading)) yield { value: 'POST /v1/threads', exchange: reading.id }
  }
}

export const fileStatus: GapObserver = function* (docket) {
  for (const reading of docket.of('getFileStatus')) {
    const names = Object.keys(Object(documentOf(reading)))
    if (isAccepted(reading))
      yield { value: `GET /v1/files/{file_id}/status with ${names.join(', ')}`, exchange: reading.id }
  }
}
