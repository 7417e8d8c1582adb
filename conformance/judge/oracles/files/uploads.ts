/** Oracles about the upload: a file of allowed type and size goes to the granted URL, without a key. */

import type { ObservationLog } from '../../observation-log.ts'
import { fieldOf } from '../../read/json.ts'
import {
  documentOf,
  headerValues,
  isAccepted,
  isRefusal,
  type ParsedExchange,
  uploadUrl,
} from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from '../support/answer-name.ts'
import type { Oracle } from '../support/oracle.ts'
import { failedInEachAttempt } from '../support/permanent-failure.ts'

const allowedTypes: ReadonlySet<string> = new Set([
  'text/csv',
  'text/plain',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
])
const maxSize = 10_485_760
/** What every grant allows, whatever unit `max_size` counts in: no unit is smaller than a bit. */
const smallBytes = maxSize / 8

interface Upload {
  readonly grant: ParsedExchange
  readonly upload: ParsedExchange
  readonly hasKey: boolean
  /** For a large file the upload that shows that no unit is smaller than a byte, else `null`. */
  readonly above: ParsedExchange | null
}

/** First uploads of files of an allowed type and size, in time whatever the unit of expires_in is. */
function* goodUploads(analysis: TraceAnalysis): Generator<Upload> {
  const grants = new Map<unknown, ParsedExchange>()
  for (const grant of analysis.of('createUploadGrant')) grants.set(uploadUrl(documentOf(grant)), grant)
  const used = new Set<string>()
  // Where more than the largest size in bits was taken, no unit is smaller than a byte.
  const above = analysis.of('uploadFile').find((one) => sizeOf(one) > smallBytes && isAccepted(one)) ?? null
  for (const upload of analysis.of('uploadFile')) {
    const { url, body } = upload.exchange.request
    const grant = grants.get(url)
    const isFirst = !used.has(url)
    used.add(url)
    const size = sizeOf(upload)
    const isLarge = size > smallBytes
    if (grant === undefined || !isFirst || body === null || size === 0) continue
    if (isLarge && (above === null || size > maxSize || largestOf(grant) !== maxSize)) continue
    const expiresIn = fieldOf(documentOf(grant), 'expires_in')
    const ageMs = upload.endedAtMs - grant.endedAtMs
    if (typeof expiresIn !== 'number' || ageMs > expiresIn * shortestUnitMs) continue
    const type = headerValues(upload.exchange, 'content-type')[0]?.split(';')[0]?.trim().toLowerCase()
    if (type !== undefined && allowedTypes.has(type))
      yield { grant, upload, hasKey: upload.key !== 'missing', above: isLarge ? above : null }
  }
}

const largestOf = (grant: ParsedExchange): unknown => fieldOf(fieldOf(documentOf(grant), 'file_limits'), 'max_size')

/** Lifetimes of small numbers are not milliseconds in any unit that is of use to a client. */
const shortestUnitMs = 1000

/** The bytes of what was sent, those that were not kept included. */
const sizeOf = ({ bodyBytes, exchange: { request } }: ParsedExchange): number => bodyBytes + (request.omittedBytes ?? 0)

/** Oracle of files.upload-accepted. */
export const uploadAccepted: Oracle = (analysis, observe) => {
  for (const { grant, upload, above } of goodUploads(analysis)) {
    if (isAccepted(upload)) observe.held('uploadFile', null, grant.id, upload.id)
    else if (isRefusal(upload)) {
      observe.contradicted('uploadFile', null, {
        exchanges: [...(above === null ? [] : [above.id]), grant.id, upload.id],
        expected: 'a success',
        actual: answerName(upload),
        because: `${upload.id} sends a ${above === null ? 'small file' : `file of ${sizeOf(upload)} bytes and`} of an allowed type to the URL of ${grant.id}, and it is refused with ${answerName(upload)}.`,
        headline: `refuses a ${above === null ? 'small file' : `file of ${sizeOf(upload)} bytes`} of an allowed type: ${answerName(upload)}`,
      })
    } else {
      const failed = above === null ? failedInEachAttempt(analysis, upload) : null
      if (failed === null) observe.ambiguous('uploadFile', null, upload.id, `${upload.id} got ${answerName(upload)}.`)
      else contradictFailure(observe, grant, failed)
    }
  }
}

function contradictFailure(observe: ObservationLog, grant: ParsedExchange, failed: readonly ParsedExchange[]): void {
  const ids = failed.slice(0, 3).map(({ id }) => id)
  const [type = ''] = failed.flatMap(({ exchange }) => headerValues(exchange, 'content-type'))
  observe.contradicted('uploadFile', null, {
    exchanges: [grant.id, ...ids],
    expected: 'a success in one of the attempts',
    actual: failed[0] === undefined ? '' : answerName(failed[0]),
    because: `${ids.join(', ')} send a small file of an allowed type (${type}) to the URL of ${grant.id}, and each of ${failed.length} attempts failed, while other files were taken.`,
    headline: `fails on a small file of an allowed type (${type}), in each of ${failed.length} attempts`,
  })
}

/** Oracle of files.upload-needs-no-key. */
export const uploadNeedsNoKey: Oracle = (analysis, observe) => {
  const uploads = [...goodUploads(analysis)]
  const worksWithKey = uploads.some(({ upload, hasKey }) => hasKey && isAccepted(upload))
  for (const { grant, upload, hasKey, above } of uploads) {
    // A large file may be refused for its size.
    if (hasKey || above !== null) continue
    const isAboutKey = upload.answer.status === 401 || upload.answer.status === 403 || worksWithKey
    if (isAccepted(upload)) observe.held('uploadFile', null, grant.id, upload.id)
    else if (isRefusal(upload) && isAboutKey) {
      observe.contradicted('uploadFile', null, {
        exchanges: [grant.id, upload.id],
        expected: 'a success without api-key',
        actual: answerName(upload),
        because: `${upload.id} sends a file to the signed URL of ${grant.id} without a key, and it is refused with ${answerName(upload)}.`,
        headline: `refuses a file because it comes without a key: ${answerName(upload)}`,
      })
    } else observe.ambiguous('uploadFile', null, upload.id, `${upload.id} got ${answerName(upload)}.`)
  }
}
