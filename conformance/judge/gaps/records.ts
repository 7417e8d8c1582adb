/** Observers of the gaps in chapters assistants, files and tenancy: what records and uploads look like. */
import { type GapId, operations } from '../../../spec/index.ts'
import { withSoleFault } from '../oracles/support/refusals.ts'
import { fieldOf, sameJson, textField } from '../read/json.ts'
import { documentOf, headerValues, isAccepted, isRefusal, type ParsedExchange } from '../read/parsed-exchange.ts'
import { datedStamp, zoneHours } from '../read/zone-offset.ts'
import { acceptance, codeOf, type GapObserver, statusAndCode, withOnlyAmbiguity } from './gap-observer.ts'
import { faultAnswer } from './requests.ts'

const grantFaults = {
  'filename-missing': null,
  'persist-not-boolean': null,
  'user-id-missing': null,
  'user-id-empty': null,
  'user-id-characters': null,
  'user-id-too-long': null,
} as const

/** The signed URL itself may tell: its own expiry parameter, next to expires_in. */
function unitOf(grant: ParsedExchange): string | null {
  const url = textField(documentOf(grant), 'file_url')
  const value = fieldOf(documentOf(grant), 'expires_in')
  if (url === null || typeof value !== 'number' || !URL.canParse(url)) return null
  const signedForSeconds = Number(new URL(url).searchParams.get('X-Amz-Expires') ?? Number.NaN)
  if (signedForSeconds === value) return 'seconds'
  if (signedForSeconds * 1000 === value) return 'milliseconds'
  return signedForSeconds === value * 60 ? 'minutes' : null
}

const minuteMs = 60_000

/** Less than 25 minutes is a clock that goes wrong; zones differ by quarters of an hour, and by 14 hours at most. */
function offsetText(offsetMs: number): string {
  if (Math.abs(offsetMs) < 25 * minuteMs) return 'the same time'
  const hours = zoneHours(offsetMs, 2 * minuteMs)
  return hours === null ? 'another time' : `${Math.abs(hours)} h ${hours > 0 ? 'ahead' : 'behind'}`
}

export const recordObservers = {
  'assistants.unknown-error': faultAnswer(
    ['getAssistant'],
    { 'assistant-unknown': null, 'assistant-foreign': null },
    codeOf,
  ),

  'assistants.list-order': function* (analysis) {
    const first = new Map<string | null, readonly unknown[]>()
    for (const parsed of analysis.of('listAssistants')) {
      const records = documentOf(parsed)
      if (!Array.isArray(records)) continue
      const ids = records.map((record) => textField(record, 'id'))
      const before = first.get(parsed.tenant)
      first.set(parsed.tenant, before ?? ids)
      if (before !== undefined) yield { value: sameJson(before, ids) ? 'stable' : 'not stable', exchange: parsed.id }
    }
  },

  'assistants.required-field-paths': function* (analysis) {
    for (const parsed of analysis.of('listAssistants')) {
      const records = documentOf(parsed)
      if (!Array.isArray(records)) continue
      const paths = records.flatMap((record) => Object.keys(Object(fieldOf(record, 'request_required_fields'))))
      const others = [...new Set(paths)].filter((path) => path !== '__root__' && path !== 'user_data').sort()
      yield { value: others.length === 0 ? 'none' : others.join(', '), exchange: parsed.id }
    }
  },

  'files.filename-extension': acceptance(['createUploadGrant'], 'an unusual filename'),
  'files.persist-spelling': acceptance(['createUploadGrant'], 'another spelling of a boolean'),
  'files.refusal-error': faultAnswer(['createUploadGrant'], grantFaults, codeOf),

  /** A refused upload, whatever was wrong with it. */
  'files.upload-refusal': function* (analysis) {
    for (const parsed of analysis.of('uploadFile')) {
      if (isRefusal(parsed)) yield { value: statusAndCode(parsed), exchange: parsed.id }
    }
  },

  /** Which of its headers an upload could leave out. */
  'files.upload-headers': function* (analysis) {
    for (const parsed of analysis.of('uploadFile')) {
      const hasType = headerValues(parsed.exchange, 'content-type').length > 0
      if (isAccepted(parsed) && !hasType) yield { value: 'none', exchange: parsed.id }
      else if (isRefusal(parsed) && !hasType) yield { value: 'content-type', exchange: parsed.id }
    }
  },

  /** A lifetime that a number of seconds fits, and one that only milliseconds would fit. */
  'files.expires-in-unit': function* (analysis) {
    for (const grant of analysis.of('createUploadGrant')) {
      const unit = unitOf(grant)
      if (unit !== null) yield { value: unit, exchange: grant.id }
    }
  },

  'tenancy.key-shown': function* (analysis) {
    for (const parsed of analysis.of('listMyApiKeys')) {
      const keys = fieldOf(documentOf(parsed), 'api_keys')
      for (const key of Array.isArray(keys) ? keys : []) {
        const value = textField(key, 'api_key')
        if (value !== null) yield { value: /[*•…]|^x{4,}|\.{3}/i.test(value) ? 'masked' : 'whole', exchange: parsed.id }
      }
    }
  },

  'resources.thread-record': function* (analysis) {
    for (const parsed of analysis.of('createThread')) {
      const record = documentOf(parsed)
      const names = Object.keys(Object(record))
      if (isAccepted(parsed) && names.length > 0) yield { value: names.join(', '), exchange: parsed.id }
    }
  },

  'threads.creation': function* (analysis) {
    for (const parsed of analysis.of('createThread')) {
      if (isAccepted(parsed)) yield { value: 'POST /v1/threads', exchange: parsed.id }
    }
  },

  'threads.created-by-message': function* (analysis) {
    const made = withOnlyAmbiguity(analysis, ['createMessage'], 'a message to a thread that was never created')
    for (const parsed of made) yield { value: 'accepted', exchange: parsed.id }
    for (const [parsed] of withSoleFault(analysis, ['createMessage'], { 'thread-unknown': null }))
      if (isRefusal(parsed)) yield { value: 'rejected', exchange: parsed.id }
  },

  'files.status-endpoint': function* (analysis) {
    const { path } = analysis.profile.files.status ?? operations.getFileStatus
    for (const parsed of analysis.of('getFileStatus')) {
      const names = Object.keys(Object(documentOf(parsed)))
      if (isAccepted(parsed)) yield { value: `GET ${path} with ${names.join(', ')}`, exchange: parsed.id }
    }
  },

  /**
   * How far the stamp of a new message is from the Date of its answer; clocks of worlds and tests may differ, so there
   * is no violation.
   */
  'resources.stamps-and-date': function* (analysis) {
    for (const operation of ['createMessage', 'createChatCompletion', 'runThread'] as const) {
      for (const parsed of analysis.of(operation)) {
        const stamped = datedStamp(parsed)
        if (stamped !== null) yield { value: offsetText(stamped.apartMs), exchange: parsed.id }
      }
    }
  },
} satisfies Partial<Record<GapId, GapObserver>>
