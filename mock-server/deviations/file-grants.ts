/** Deviations of chapter files in the grant. */

import type { Bend } from '../seams.ts'
import { reply } from './bend-reply.ts'
import { type DeviationTable, deviation } from './deviation-row.ts'
import { at, atText, dropped, type Edit, renamed, replaced } from './json-edit.ts'

const grant = (edit: Edit): Bend => reply('createUploadGrant', edit)

const types = (edit: (allowed: readonly string[]) => readonly string[]): Bend =>
  grant(at('file_limits.allowed_types', (value) => (Array.isArray(value) ? edit(value.map(String)) : value)))

const noUrl = { alsoViolates: ['files.url-is-absolute', 'files.upload-accepted', 'files.upload-needs-no-key'] } as const

const noUpload = { alsoViolates: ['files.upload-accepted', 'files.upload-needs-no-key'] } as const

export const fileGrants = {
  'files.grant-fields': [
    deviation('files.file-id-as-id', 'Names the file_id id.', grant(renamed('file_id', 'id'))),
    deviation('files.file-url-as-url', 'Names the file_url url.', grant(renamed('file_url', 'url')), noUrl),
    deviation(
      'files.file-url-as-form',
      'Sends the file_url as a form of a store.',
      grant(at('file_url', (url) => ({ url, fields: {} }))),
      noUrl,
    ),
    deviation(
      'files.expires-in-text',
      'Sends expires_in as a text.',
      grant(at('expires_in', (value) => String(value))),
    ),
    deviation(
      'files.expires-at',
      'Sends the moment of the end instead of expires_in.',
      grant(renamed('expires_in', 'expires_at')),
    ),
    deviation(
      'files.expires-in-fraction',
      'Sends expires_in with a fraction.',
      grant(at('expires_in', (value) => Number(value) - 0.25)),
    ),
    deviation('files.limits-left-out', 'Leaves file_limits out.', grant(at('file_limits', dropped)), {
      alsoViolates: ['files.limits-fields', 'files.allowed-types', 'files.max-size'],
    }),
    deviation(
      'files.second-grant-without-limits',
      'Sends file_limits of null to a user that has them already.',
      secondForUser(at('file_limits', replaced(null))),
      {
        trigger: 'the second grant of a user',
        alsoViolates: ['files.limits-fields', 'files.allowed-types', 'files.max-size'],
      },
    ),
  ],
  'files.limits-fields': [
    deviation(
      'files.types-joined',
      'Sends allowed_types as one text.',
      grant(at('file_limits.allowed_types', (value) => (Array.isArray(value) ? value.join(', ') : value))),
      { alsoViolates: ['files.allowed-types'] },
    ),
    deviation(
      'files.types-as-objects',
      'Sends allowed_types as objects with a media type.',
      grant(at('file_limits.allowed_types.*', (type) => ({ media_type: type }))),
      { alsoViolates: ['files.allowed-types'] },
    ),
    deviation(
      'files.max-size-text',
      'Sends max_size as a text with a unit.',
      grant(at('file_limits.max_size', replaced('10 MiB'))),
      { alsoViolates: ['files.max-size'] },
    ),
    deviation('files.max-size-left-out', 'Leaves max_size out.', grant(at('file_limits.max_size', dropped)), {
      alsoViolates: ['files.max-size'],
    }),
  ],
  'files.url-is-absolute': [
    deviation(
      'files.url-is-path',
      'Sends the path of the file_url only.',
      grant(atText('file_url', (url) => url.replace(/^https?:\/\/[^/]+/, ''))),
      noUpload,
    ),
    deviation(
      'files.url-without-scheme',
      'Sends the file_url without its scheme.',
      grant(atText('file_url', (url) => url.replace(/^https?:/, ''))),
      noUpload,
    ),
    deviation(
      'files.url-is-host-and-path',
      'Sends host and path of the file_url only.',
      grant(atText('file_url', (url) => url.replace(/^https?:\/\/(?:[^/]*@)?([^/:]+)(?::\d+)?/, '$1'))),
      noUpload,
    ),
  ],
  'files.expires-in-future': [
    deviation('files.expires-in-zero', 'Sends an expires_in of zero.', grant(at('expires_in', replaced(0)))),
    deviation(
      'files.expires-in-negative',
      'Subtracts the wrong way round.',
      grant(at('expires_in', (value) => -Number(value))),
    ),
    deviation('files.expires-in-counts-down', 'Counts expires_in down over all grants of a cached URL.', countsDown(), {
      trigger: 'the third grant',
    }),
  ],
  'files.allowed-types': [
    deviation(
      'files.types-without-xlsx',
      'Forgets the spreadsheet.',
      types((allowed) => allowed.filter((type) => !type.includes('spreadsheetml'))),
    ),
    deviation(
      'files.types-with-image',
      'Allows images as well.',
      types((allowed) => [...allowed, 'image/png']),
    ),
    deviation(
      'files.types-of-application-csv',
      'Names CSV application/csv.',
      types((allowed) => allowed.map((type) => (type === 'text/csv' ? 'application/csv' : type))),
    ),
    deviation(
      'files.types-as-extensions',
      'Names the extensions of files.',
      types(() => ['.csv', '.txt', '.pdf', '.docx', '.xlsx']),
    ),
    deviation(
      'files.types-of-old-word',
      'Names the media type of the older documents.',
      types((allowed) => allowed.map((type) => (type.includes('wordprocessingml') ? 'application/msword' : type))),
    ),
    deviation(
      'files.types-by-filename',
      'Allows only the type that the filename promises.',
      reply('createUploadGrant', (json, { command }) => {
        const isPdf = command?.operation === 'createUploadGrant' && /\.pdf$/i.test(command.filename)
        return isPdf ? at('file_limits.allowed_types', replaced(['application/pdf']))(json) : json
      }),
      { trigger: 'the filename of a PDF' },
    ),
  ],
  'files.max-size': [
    deviation(
      'files.max-size-decimal',
      'Counts ten million bytes for ten megabytes.',
      grant(at('file_limits.max_size', replaced(10_000_000))),
    ),
    deviation(
      'files.max-size-in-megabytes',
      'Sends max_size in megabytes.',
      grant(at('file_limits.max_size', replaced(10))),
    ),
    deviation(
      'files.max-size-exclusive',
      'Sends the first size that is too large.',
      grant(at('file_limits.max_size', replaced(10_485_761))),
    ),
    deviation(
      'files.max-size-by-persistence',
      'Allows half the size to files that are not kept.',
      reply('createUploadGrant', (json, { command }) =>
        command?.operation === 'createUploadGrant' && !command.persist
          ? at('file_limits.max_size', replaced(5_242_880))(json)
          : json,
      ),
      { trigger: 'persist=false' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'files'>>

function secondForUser(edit: Edit): Bend {
  return {
    seam: 'body',
    wrap: (next) => {
      const users = new Set<string>()
      return (json, exchange) => {
        const faithful = next(json, exchange) as Parameters<Edit>[0]
        const { command, reason } = exchange
        if (command?.operation !== 'createUploadGrant' || reason !== null) return faithful
        if (users.has(command.userId)) return edit(faithful)
        users.add(command.userId)
        return faithful
      }
    },
  }
}

function countsDown(): Bend {
  return {
    seam: 'body',
    wrap: (next) => {
      let left = 2
      return (json, exchange) => {
        const faithful = next(json, exchange) as Parameters<Edit>[0]
        if (exchange.operation !== 'createUploadGrant' || exchange.reason !== null) return faithful
        left -= 1
        return left < 0 ? at('expires_in', replaced(left))(faithful) : faithful
      }
    },
  }
}
