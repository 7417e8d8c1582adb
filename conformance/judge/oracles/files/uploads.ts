/** Oracles about the upload: a small file goes to the granted URL and needs no key. */
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

const allowedTypes: ReadonlySet<string> = new Set([
  'text/csv',
  'text/plain',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
])
/** What every grant allows, whatever unit `max_size` counts in: no unit is smaller than a bit. */
const smallBytes = 10_485_760 / 8

interface Upload {
  readonly grant: ParsedExchange
  readonly upload: ParsedExchange
  readonly hasKey: boolean
}

/** First uploads of small files of an allowed type, in time whatever the unit of expires_in is. */
function* goodUploads(analysis: TraceAnalysis): Generator<Upload> {
  const grants = new Map<unknown, ParsedExchange>()
  for (const grant of analysis.of('createUploadGrant')) grants.set(uploadUrl(documentOf(grant)), grant)
  const used = new Set<string>()
  for (const upload of analysis.of('uploadFile')) {
    const { url, body } = upload.exchange.request
    const grant = grants.get(url)
    const isFirst = !used.has(url)
    used.add(url)
    if (grant === undefined || !isFirst || body === null || lengthOf(body) > smallBytes || lengthOf(body) === 0)
      continue
    const expiresIn = fieldOf(documentOf(grant), 'expires_in')
    const ageMs = upload.endedAtMs - grant.endedAtMs
    if (typeof expiresIn !== 'number' || ageMs > expiresIn * shortestUnitMs) continue
    const type = headerValues(upload.exchange, 'content-type')[0]?.split(';')[0]?.trim().toLowerCase()
    if (type !== undefined && allowedTypes.has(type)) yield { grant, upload, hasKey: upload.key !== 'missing' }
  }
}

/** Lifetimes of small numbers are not milliseconds in any unit that is of use to a client. */
const shortestUnitMs = 1000

const lengthOf = (body: NonNullable<ParsedExchange['exchange']['request']['body']>): number =>
  'utf8' in body ? body.utf8.length : body.base64.length

/** Oracle of files.upload-accepted. */
export const uploadAccepted: Oracle = (analysis, observe) => {
  for (const { grant, upload } of goodUploads(analysis)) {
    if (isAccepted(upload)) observe.held('uploadFile', null, grant.id, upload.id)
    else if (isRefusal(upload)) {
      observe.contradicted('uploadFile', null, {
        exchanges: [grant.id, upload.id],
        expected: 'a success',
        actual: answerName(upload),
        because: `${upload.id} sends a small file of an allowed type to the URL of ${grant.id}, and it is refused with ${answerName(upload)}.`,
      })
    } else observe.ambiguous('uploadFile', null, upload.id, `${upload.id} got ${answerName(upload)}.`)
  }
}

/** Oracle of files.upload-needs-no-key. */
export const uploadNeedsNoKey: Oracle = (analysis, observe) => {
  const uploads = [...goodUploads(analysis)]
  const worksWithKey = uploads.some(({ upload, hasKey }) => hasKey && isAccepted(upload))
  for (const { grant, upload, hasKey } of uploads) {
    if (hasKey) continue
    const isAboutKey = upload.answer.status === 401 || upload.answer.status === 403 || worksWithKey
    if (isAccepted(upload)) observe.held('uploadFile', null, grant.id, upload.id)
    else if (isRefusal(upload) && isAboutKey) {
      observe.contradicted('uploadFile', null, {
        exchanges: [grant.id, upload.id],
        expected: 'a success without api-key',
        actual: answerName(upload),
        because: `${upload.id} sends a file to the signed URL of ${grant.id} without a key, and it is refused with ${answerName(upload)}.`,
      })
    } else observe.ambiguous('uploadFile', null, upload.id, `${upload.id} got ${answerName(upload)}.`)
  }
}
