/** Proof of the oracles of chapter files. */

import {
  inconclusive,
  notBlamed,
  noViolation,
  proveOracles,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { type Fields, rejectedWith } from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { grantOracles } from './files.ts'

const types = [
  'text/csv',
  'text/plain',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]
const limits = { allowed_types: types, max_size: 10_485_760 }
const url = (id: string): string => `https://store.test/${id}?signature=s`
/** Asks for a grant with this user-id (`null`: no header). */
const grant = (
  s: TraceBuilder,
  change: Change = {},
  userId: string | null = 'ann',
  query = '?filename=report.pdf',
): Fields => {
  const file_id = s.id()
  const answer = { file_id, file_url: url(file_id), expires_in: 900, file_limits: limits }
  const headers = userId === null ? [] : [['user-id', userId] as const]
  return s.send('createUploadGrant', {}, answer, { query, headers, ...change }) as Fields
}
const wrong = rejectedWith('validation_error_of_mine', 422)
/** Sends a small file to the URL of a fresh grant. */
const upload = (s: TraceBuilder, change: Change = {}): void => {
  const { file_url } = grant(s)
  s.send('uploadFile', {}, '', {
    as: null,
    path: String(file_url),
    sends: 'a,b',
    leaveOut: ['content-type'],
    headers: [['content-type', 'text/csv']],
    text: '',
    ...change,
  })
}

/** Three attempts at one upload. */
function uploadInThree(s: TraceBuilder, status: number): void {
  const headers = [['content-type', 'application/pdf']] as const
  upload(s, { status, headers })
  const { url: path } = s.last.request
  const again = { as: null, path, sends: 'a,b', leaveOut: ['content-type'], headers, text: '', status }
  for (let attempt = 1; attempt < 3; attempt += 1) s.send('uploadFile', {}, '', again)
}

proveOracles(grantOracles, [
  upholds('files.grant-fields', 'createUploadGrant expires_in', 'all four fields', (s) => grant(s)),
  violates('files.grant-fields', 'createUploadGrant expires_in', 'a lifetime as text', (s) =>
    grant(s, { with: { expires_in: '900' } }),
  ),
  violates('files.grant-fields', 'createUploadGrant file_limits', 'a word is no limits, kept or broken', (s) =>
    grant(s, { with: { file_limits: 'none' } }),
  ),
  violates('files.grant-fields', 'createUploadGrant file_id', 'two grants without an id have no id in common', (s) => {
    grant(s, { with: { file_id: undefined } })
    grant(s, { with: { file_id: undefined } })
  }),
  upholds('files.limits-fields', 'createUploadGrant max_size', 'both limits', (s) => grant(s)),
  violates('files.limits-fields', 'createUploadGrant max_size', 'no maximum', (s) =>
    grant(s, { with: { file_limits: { allowed_types: types } } }),
  ),
  violates('files.limits-fields', 'createUploadGrant allowed_types', 'one type as a word', (s) =>
    grant(s, { with: { file_limits: { ...limits, allowed_types: 'text/csv' } } }),
  ),
  violates('files.limits-fields', 'createUploadGrant allowed_types', 'a number among the types', (s) =>
    grant(s, { with: { file_limits: { ...limits, allowed_types: [...types, 7] } } }),
  ),
  upholds('files.url-is-absolute', 'createUploadGrant', 'scheme and host', (s) => grant(s)),
  violates('files.url-is-absolute', 'createUploadGrant', 'a path', (s) =>
    grant(s, { with: { file_url: '/upload/1' } }),
  ),
  ...[' https://store.test/1', 'https://[', 'mailto:store@acs.test'].map((file_url) =>
    violates('files.url-is-absolute', 'createUploadGrant', `no place to send a file to: ${file_url}`, (s) =>
      grant(s, { with: { file_url } }),
    ),
  ),
  upholds('files.expires-in-future', 'createUploadGrant', 'some time is left', (s) => grant(s)),
  violates('files.expires-in-future', 'createUploadGrant', 'no time is left', (s) =>
    grant(s, { with: { expires_in: 0 } }),
  ),
  upholds('files.allowed-types', 'createUploadGrant', 'the five types in another order', (s) =>
    grant(s, { with: { file_limits: { ...limits, allowed_types: [...types].reverse() } } }),
  ),
  violates('files.allowed-types', 'createUploadGrant', 'a sixth type', (s) =>
    grant(s, { with: { file_limits: { ...limits, allowed_types: [...types, 'image/png'] } } }),
  ),
  violates('files.allowed-types', 'createUploadGrant', 'the five types twice', (s) =>
    grant(s, { with: { file_limits: { ...limits, allowed_types: [...types, ...types] } } }),
  ),
  upholds('files.max-size', 'createUploadGrant', 'ten mebi', (s) => grant(s)),
  violates('files.max-size', 'createUploadGrant', 'ten mega', (s) =>
    grant(s, { with: { file_limits: { ...limits, max_size: 10_000_000 } } }),
  ),
  upholds('files.filename-required', 'createUploadGrant', 'without filename it is refused', (s) => {
    grant(s)
    grant(s, wrong, 'ann', '')
  }),
  violates('files.filename-required', 'createUploadGrant', 'without filename it is granted', (s) =>
    grant(s, {}, 'ann', ''),
  ),
  upholds('files.user-id-required', 'createUploadGrant', 'without user-id it is refused', (s) => {
    grant(s)
    grant(s, wrong, null)
  }),
  violates('files.user-id-required', 'createUploadGrant', 'without user-id it is granted', (s) => grant(s, {}, null)),
  upholds('files.user-id-accepted', 'createUploadGrant punctuation', 'all the characters', (s) =>
    grant(s, {}, 'a.b_c-d@e:9'),
  ),
  violates('files.user-id-accepted', 'createUploadGrant punctuation', 'a colon is refused', (s) => {
    grant(s)
    grant(s, wrong, 'tenant:ann')
  }),
  violates('files.user-id-accepted', 'createUploadGrant one-character', 'one character is refused', (s) => {
    grant(s)
    grant(s, wrong, 'a')
  }),
  upholds('files.user-id-refused', 'createUploadGrant comma', 'a comma is refused', (s) => {
    grant(s)
    grant(s, wrong, 'a,b')
  }),
  violates('files.user-id-refused', 'createUploadGrant comma', 'a range of characters lets the comma in', (s) =>
    grant(s, {}, 'a,b'),
  ),
  violates('files.user-id-refused', 'createUploadGrant blank', 'only the beginning is matched', (s) =>
    grant(s, {}, 'ann b'),
  ),
  violates('files.user-id-refused', 'createUploadGrant another character', 'a star is let in', (s) =>
    grant(s, {}, 'a*b'),
  ),
  violates('files.user-id-refused', 'createUploadGrant empty', 'an empty header is enough', (s) => grant(s, {}, '')),
  noViolation('files.user-id-refused', '', 'blanks around a value are not part of it', (s) => grant(s, {}, ' ann ')),
  upholds('files.user-id-length', 'createUploadGrant 255-accepted', '255 characters', (s) =>
    grant(s, {}, 'a'.repeat(255)),
  ),
  violates('files.user-id-length', 'createUploadGrant 255-accepted', '255 characters are too many', (s) => {
    grant(s, {}, 'aaa')
    grant(s, wrong, 'a'.repeat(255))
  }),
  violates('files.user-id-length', 'createUploadGrant 256-refused', '256 characters are fine', (s) =>
    grant(s, {}, 'a'.repeat(256)),
  ),
  upholds('files.persist-accepted', 'createUploadGrant false', 'persist may be false', (s) =>
    grant(s, {}, 'ann', '?filename=a.csv&persist=false'),
  ),
  violates('files.persist-accepted', 'createUploadGrant absent', 'persist is demanded', (s) => {
    grant(s, {}, 'ann', '?filename=a.csv&persist=true')
    grant(s, wrong)
  }),
  notBlamed('files.persist-accepted', 'createUploadGrant true', 'the longest user-id may be what is refused', (s) => {
    grant(s, {}, 'aa', '?filename=a.csv&persist=false')
    grant(s, wrong, 'a'.repeat(255), '?filename=a.csv&persist=true')
  }),
  noViolation('files.persist-accepted', '', 'other spellings of a boolean go either way', (s) => {
    grant(s, wrong, 'ann', '?filename=a.csv&persist=1')
    grant(s, {}, 'ann', '?filename=a.csv&persist=yes')
  }),
  upholds('files.persist-is-boolean', 'createUploadGrant', 'a word is refused', (s) => {
    grant(s, {}, 'ann', '?filename=a.csv&persist=true')
    grant(s, wrong, 'ann', '?filename=a.csv&persist=maybe')
  }),
  violates('files.persist-is-boolean', 'createUploadGrant', 'a word is passed over', (s) =>
    grant(s, {}, 'ann', '?filename=a.csv&persist=maybe'),
  ),
  upholds('files.file-ids-fresh', 'createUploadGrant', 'two grants, two ids', (s) => {
    grant(s)
    grant(s)
  }),
  violates('files.file-ids-fresh', 'createUploadGrant', 'one id for one name', (s) => {
    const { file_id } = grant(s)
    grant(s, { with: { file_id } })
  }),
  violates('files.file-ids-fresh', 'createUploadGrant', 'one id in two spellings', (s) => {
    const file_id = s.id().replace('8000', '8abc')
    grant(s, { with: { file_id } })
    grant(s, { with: { file_id: file_id.toUpperCase() } })
  }),
  violates('files.file-ids-fresh', 'createUploadGrant', 'one URL for two files', (s) => {
    grant(s, { with: { file_url: url('ann/report.pdf') } })
    grant(s, { with: { file_url: url('ann/report.pdf') } })
  }),
  upholds('files.upload-accepted', 'uploadFile', 'the file is taken', (s) => upload(s)),
  violates('files.upload-accepted', 'uploadFile', 'the method is not allowed', (s) => upload(s, { status: 405 })),
  violates('files.upload-accepted', 'uploadFile', 'one type fails in each attempt', (s) => {
    uploadInThree(s, 503)
    upload(s)
  }),
  noViolation('files.upload-accepted', '', 'no file is taken, as where the store is down', (s) =>
    uploadInThree(s, 503),
  ),
  noViolation('files.upload-accepted', '', 'another type may be refused', (s) =>
    upload(s, { status: 400, headers: [['content-type', 'image/png']] }),
  ),
  noViolation('files.upload-accepted', '', 'too late is too late', (s) =>
    upload(s, { status: 403, at: [2_000_000, 2_000_001] }),
  ),
  upholds('files.upload-accepted', 'uploadFile', 'a type may be spelled in capitals and with a parameter', (s) =>
    upload(s, { headers: [['content-type', 'Text/CSV ; charset=utf-8']] }),
  ),
  upholds('files.upload-accepted', 'uploadFile', 'a grant lives from the time on when it was given', (s) => {
    s.assistants(undefined, { at: [2_000_000, 2_000_001] })
    upload(s)
  }),
  ...Object.entries({
    'another URL': { path: 'https://store.test/elsewhere' },
    'no type': { headers: [] },
    'an empty file': { sends: '' },
    'a large file': { sends: 'a'.repeat(10_485_760 / 8 + 1) },
  }).map(([what, change]) =>
    unexercised('files.upload-accepted', 'uploadFile', `${what} may be refused`, (s) =>
      upload(s, { status: 405, ...change }),
    ),
  ),
  violates(
    'files.upload-accepted',
    'uploadFile',
    'the largest size is refused where more than its bits was taken',
    (s) => {
      upload(s, { sends: 'a'.repeat(1_310_721) })
      upload(s, { sends: 'a'.repeat(10_485_760), status: 413 })
    },
  ),
  ...(
    [
      ['where the unit may be the bit', 1_310_720, 10_485_760, {}],
      ['above the largest size', 1_310_721, 10_485_761, {}],
      ['where the grant says another one', 1_310_721, 10_485_760, { max_size: 5_000_000 }],
    ] as const
  ).map(([what, before, size, more]) =>
    notBlamed('files.upload-accepted', '', `a large file may be refused ${what}`, (s) => {
      upload(s, { sends: 'a'.repeat(before) })
      const { file_url } = grant(s, { with: { file_limits: { ...limits, ...more } } })
      upload(s, { path: String(file_url), sends: 'a'.repeat(size), status: 413 })
    }),
  ),
  noViolation('files.upload-needs-no-key', '', 'a large file may be forbidden for its size', (s) => {
    upload(s, { sends: 'a'.repeat(1_310_721) })
    upload(s, { sends: 'a'.repeat(20_000_000), status: 403 })
  }),
  upholds('files.upload-accepted', 'uploadFile', 'a fragment of the URL is not sent', (s) => {
    grant(s, { with: { file_url: 'https://store.test/1?signature=s#top' } })
    upload(s, { path: 'https://store.test/1?signature=s' })
  }),
  upholds('files.upload-accepted', 'uploadFile', 'a grant is for one file', (s) => {
    upload(s)
    const { url: path } = s.last.request
    s.send('uploadFile', {}, '', { as: null, path, sends: 'a,b', headers: [['content-type', 'text/csv']], status: 405 })
  }),
  violates(
    'files.grant-fields',
    'createUploadGrant expires_in',
    'a lifetime as text lasts nobody knows how long',
    (s) => {
      const { file_url } = grant(s, { with: { expires_in: '900' } })
      upload(s, { path: String(file_url), status: 405 })
    },
  ),
  ...(['files.upload-accepted', 'files.upload-needs-no-key'] as const).map((requirement) =>
    inconclusive(requirement, 'uploadFile', 'silence says nothing', (s) => upload(s, { silent: true })),
  ),
  violates(
    'files.upload-accepted',
    'uploadFile',
    'what is refused with a key and without is not about the key',
    (s) => {
      upload(s, { status: 400 })
      upload(s, { status: 400, as: 'primary' })
    },
  ),
  violates('files.upload-accepted', 'uploadFile', 'what works once without a key is not about the key', (s) => {
    upload(s)
    upload(s, { status: 400 })
  }),
  unexercised('files.upload-needs-no-key', 'uploadFile', 'a key that is sent shows nothing', (s) =>
    upload(s, { as: 'primary' }),
  ),
  violates('files.upload-needs-no-key', 'uploadFile', 'only with a key the file is taken', (s) => {
    upload(s, { as: 'primary' })
    upload(s, { status: 400 })
  }),
  violates('files.upload-needs-no-key', 'uploadFile', 'without a key it is forbidden', (s) =>
    upload(s, { status: 403 }),
  ),
  upholds('files.upload-needs-no-key', 'uploadFile', 'the signature is enough', (s) => upload(s)),
  violates('files.upload-needs-no-key', 'uploadFile', 'a key is asked for', (s) => upload(s, { status: 401 })),
])
