/** Oracles of chapter files: upload grants, what they promise, and who gets one. */

import type { TestableId } from '../../../../spec/index.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { idField } from '../../read/formats.ts'
import { fieldOf, isObject, nameOf, sameJson, textField } from '../../read/json.ts'
import { documentOf, type ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import {
  anInteger,
  anObject,
  aString,
  contradict,
  type FieldRule,
  isTexts,
  judgeField,
} from '../support/field-checks.ts'
import { type Oracle, perExchange, perThread, perTrace, type ScopedOracle } from '../support/oracle.ts'
import { judgeRefusal, type RefusalRule, refusalOf, withSoleFault } from '../support/refusals.ts'
import { attachedToMessage, keptForReuse } from './attachments.ts'
import { persistAccepted, userIdAccepted, userIdLength, userIdOf } from './grant-acceptance.ts'
import { keptForADay, statusPolled } from './status.ts'
import { uploadAccepted, uploadNeedsNoKey } from './uploads.ts'

const allowedTypes = [
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'text/csv',
  'text/plain',
] as const
const maxSize = 10_485_760

function* grantsOf(analysis: TraceAnalysis): Generator<{ readonly parsed: ParsedExchange; readonly grant: unknown }> {
  for (const parsed of analysis.of('createUploadGrant')) {
    const grant = documentOf(parsed)
    if (grant !== undefined) yield { parsed, grant }
  }
}

const placeOf = (parsed: ParsedExchange, at = '') =>
  ({ operation: 'createUploadGrant', exchange: parsed.id, at }) as const

const grantFields: Oracle = (analysis, observe) => {
  for (const { parsed, grant } of grantsOf(analysis)) {
    judgeField(observe, placeOf(parsed), grant, 'file_id', aString)
    judgeField(observe, placeOf(parsed), grant, 'file_url', aString)
    judgeField(observe, placeOf(parsed), grant, 'expires_in', anInteger)
    judgeField(observe, placeOf(parsed), grant, 'file_limits', anObject)
  }
}

const strings: FieldRule = { expected: 'an array of strings', holds: isTexts }

const limitsFields: Oracle = (analysis, observe) => {
  for (const { parsed, grant } of grantsOf(analysis)) {
    const limits = fieldOf(grant, 'file_limits')
    if (!isObject(limits)) continue
    judgeField(observe, placeOf(parsed, '/file_limits'), limits, 'allowed_types', strings)
    judgeField(observe, placeOf(parsed, '/file_limits'), limits, 'max_size', anInteger)
  }
}

/** An oracle about one value of a grant, when it has the right type. */
const grantValue = (
  read: (grant: unknown) => unknown,
  pointer: string,
  expected: string,
  holds: (value: never) => boolean,
): ScopedOracle =>
  perExchange((analysis, observe) => {
    for (const { parsed, grant } of grantsOf(analysis)) {
      const value = read(grant)
      if (value === undefined) continue
      if (holds(value as never)) observe.held('createUploadGrant', null, parsed.id)
      else contradict(observe, placeOf(parsed), pointer, null, expected, value)
    }
  })

const limit = (grant: unknown, name: string): unknown => fieldOf(fieldOf(grant, 'file_limits'), name)

const allowedTypesOracle: Oracle = (analysis, observe) => {
  for (const { parsed, grant } of grantsOf(analysis)) {
    const given = limit(grant, 'allowed_types')
    if (!Array.isArray(given)) continue
    const sorted = given.map((type) => String(type).toLowerCase()).sort()
    if (sameJson(sorted, allowedTypes)) observe.held('createUploadGrant', null, parsed.id)
    else {
      observe.contradicted('createUploadGrant', null, {
        exchanges: [parsed.id],
        expected: allowedTypes.join(', '),
        actual: sorted.join(', ').slice(0, 300),
        pointer: '/file_limits/allowed_types',
        because: `The grant in ${parsed.id} does not allow exactly the five media types of the contract.`,
        headline: 'the grant does not allow exactly the five media types of the contract',
      })
    }
  }
}

/** One that a file can be sent to with PUT: http or https, and no character that must not stand in a URL as it is. */
const isAbsoluteUrl = (text: string): boolean =>
  /^https?:\/\/[^/?#]+/i.test(text) && !/[\s\p{Cc}\p{Cs}]/u.test(text) && URL.canParse(text)

const refusedGrant = (what: string, faults: RefusalRule['faults']): ScopedOracle =>
  refusalOf(['createUploadGrant'], what, faults)

const userIdRefused: Oracle = (analysis, observe) => {
  const faults = { 'user-id-characters': 'characters', 'user-id-empty': 'empty' }
  for (const [parsed, found, fault] of withSoleFault(analysis, ['createUploadGrant'], faults)) {
    const facets = found === 'empty' ? ['empty'] : charactersIn(userIdOf(parsed))
    const what = `a grant request with the user-id ${nameOf(userIdOf(parsed))}`
    for (const facet of facets) judgeRefusal(analysis, observe, parsed, { fault, facet, what })
  }
}

function charactersIn(id: string): readonly string[] {
  const facets = { blank: /\s/, slash: /\//, comma: /,/, plus: /\+/, 'non-ascii': /[^\0-\x7f]/ }
  const found = Object.entries(facets).flatMap(([facet, pattern]) => (pattern.test(id) ? [facet] : []))
  return found.length > 0 ? found : ['another character']
}

/** What of a grant no other one may have: which file it is, and where that is sent to, since nothing else of a PUT names the file. */
const ownParts = {
  file_id: (grant: unknown) => idField(grant, 'file_id'),
  file_url: (grant: unknown) => {
    const url = textField(grant, 'file_url')
    return url !== null && isAbsoluteUrl(url) ? url : null
  },
} as const

const fileIdsFresh: Oracle = (analysis: TraceAnalysis, observe: ObservationLog) => {
  for (const [name, read] of Object.entries(ownParts)) {
    const owners = new Map<string, ParsedExchange>()
    for (const { parsed, grant } of grantsOf(analysis)) {
      const value = read(grant)
      if (value === null) continue
      const owner = owners.get(value)
      owners.set(value, parsed)
      if (owner !== undefined) {
        observe.contradicted('createUploadGrant', null, {
          exchanges: [owner.id, parsed.id],
          expected: `a ${name} of its own for every grant`,
          actual: value,
          pointer: `/${name}`,
          because: `${owner.id} and ${parsed.id} ask for two grants, and both get the ${name} ${value}.`,
          headline: `two grants get the same ${name}`,
        })
      } else if (owners.size > 1) observe.held('createUploadGrant', null, parsed.id)
    }
  }
}

/** The oracles about grants and uploads. */
export const grantOracles = {
  'files.grant-fields': perExchange(grantFields),
  'files.limits-fields': perExchange(limitsFields),
  'files.url-is-absolute': grantValue(
    (grant) => textField(grant, 'file_url') ?? undefined,
    '/file_url',
    'an absolute http or https URL',
    isAbsoluteUrl,
  ),
  'files.expires-in-future': grantValue(
    (grant) => (Number.isInteger(fieldOf(grant, 'expires_in')) ? fieldOf(grant, 'expires_in') : undefined),
    '/expires_in',
    'more than zero',
    (value: number) => value > 0,
  ),
  'files.allowed-types': perExchange(allowedTypesOracle),
  'files.max-size': grantValue(
    (grant) => limit(grant, 'max_size'),
    '/file_limits/max_size',
    `${maxSize}`,
    (value: unknown) => value === maxSize,
  ),
  'files.filename-required': refusedGrant('a grant request without filename', { 'filename-missing': null }),
  'files.user-id-required': refusedGrant('a grant request without the user-id header', { 'user-id-missing': null }),
  'files.user-id-accepted': perTrace(userIdAccepted),
  'files.user-id-refused': perTrace(userIdRefused),
  'files.user-id-length': perTrace(userIdLength),
  'files.persist-accepted': perTrace(persistAccepted),
  'files.persist-is-boolean': refusedGrant('a grant request whose persist is no boolean', {
    'persist-not-boolean': null,
  }),
  'files.file-ids-fresh': perTrace(fileIdsFresh),
  'files.upload-accepted': perTrace(uploadAccepted),
  'files.upload-needs-no-key': perTrace(uploadNeedsNoKey),
} satisfies Partial<Record<TestableId<'files'>, ScopedOracle>>

/** Of what follows an upload, where the profile maps it. */
const attachedFileOracles = {
  'files.kept-for-reuse': perThread(keptForReuse),
  'files.kept-for-a-day': perTrace(keptForADay),
  'files.status-polled': perTrace(statusPolled),
  'files.attached-to-message': perThread(attachedToMessage),
} satisfies Partial<Record<TestableId<'files'>, ScopedOracle>>

/** The oracles of chapter files. */
export const filesOracles: Readonly<Record<TestableId<'files'>, ScopedOracle>> = {
  ...grantOracles,
  ...attachedFileOracles,
}
