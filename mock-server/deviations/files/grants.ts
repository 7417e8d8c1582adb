/** Deviations of chapter files in the grant. */

import type { HookOverride } from '../../exchange/hooks.ts'
import {
  dropField,
  type Edit,
  editAt,
  editTextAt,
  renameField,
  repeated,
  replaceWith,
} from '../../overrides/json-edit.ts'
import { overrideReply, overrideReplyByCount } from '../../overrides/replies.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const grant = (edit: Edit): HookOverride => overrideReply('createUploadGrant', edit)

const types = (edit: (allowed: readonly string[]) => readonly string[]): HookOverride =>
  grant(editAt('file_limits.allowed_types', (value) => (Array.isArray(value) ? edit(value.map(String)) : value)))

export const fileGrants = {
  'files.grant-fields': [
    deviation('files.file-id-as-id', 'Names the file_id id.', grant(renameField('file_id', 'id'))),
    deviation('files.file-url-as-url', 'Names the file_url url.', grant(renameField('file_url', 'url'))),
    deviation(
      'files.file-url-as-form',
      'Sends the file_url as a form of a store.',
      grant(editAt('file_url', (url) => ({ url, fields: {} }))),
    ),
    deviation(
      'files.expires-in-text',
      'Sends expires_in as a text.',
      grant(editAt('expires_in', (value) => String(value))),
    ),
    deviation(
      'files.expires-at',
      'Sends the moment of the end instead of expires_in.',
      grant(renameField('expires_in', 'expires_at')),
    ),
    deviation(
      'files.expires-in-fraction',
      'Sends expires_in with a fraction.',
      grant(editAt('expires_in', (value) => Number(value) - 0.25)),
    ),
    deviation('files.limits-left-out', 'Leaves file_limits out.', grant(editAt('file_limits', dropField))),
    deviation(
      'files.second-grant-without-limits',
      'Sends file_limits of null to a user that has them already.',
      secondForUser(editAt('file_limits', replaceWith(null))),
      { trigger: 'the second grant of a user' },
    ),
  ],
  'files.limits-fields': [
    deviation(
      'files.types-joined',
      'Sends allowed_types as one text.',
      grant(editAt('file_limits.allowed_types', (value) => (Array.isArray(value) ? value.join(', ') : value))),
    ),
    deviation(
      'files.types-as-objects',
      'Sends allowed_types as objects with a media type.',
      grant(editAt('file_limits.allowed_types.*', (type) => ({ media_type: type }))),
    ),
    deviation(
      'files.max-size-text',
      'Sends max_size as a text with a unit.',
      grant(editAt('file_limits.max_size', replaceWith('10 MiB'))),
    ),
    deviation('files.max-size-left-out', 'Leaves max_size out.', grant(editAt('file_limits.max_size', dropField))),
  ],
  'files.url-is-absolute': [
    deviation(
      'files.url-is-path',
      'Sends the path of the file_url only.',
      grant(editTextAt('file_url', (url) => url.replace(/^https?:\/\/[^/]+/, ''))),
    ),
    deviation(
      'files.url-without-scheme',
      'Sends the file_url without its scheme.',
      grant(editTextAt('file_url', (url) => url.replace(/^https?:/, ''))),
    ),
    deviation(
      'files.url-is-host-and-path',
      'Sends host and path of the file_url only.',
      grant(editTextAt('file_url', (url) => url.replace(/^https?:\/\/(?:[^/]*@)?([^/:]+)(?::\d+)?/, '$1'))),
    ),
  ],
  'files.expires-in-future': [
    deviation('files.expires-in-zero', 'Sends an expires_in of zero.', grant(editAt('expires_in', replaceWith(0)))),
    deviation(
      'files.expires-in-negative',
      'Subtracts the wrong way round.',
      grant(editAt('expires_in', (value) => -Number(value))),
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
    deviation('files.types-added-by-each-grant', 'Adds its types to those of the grants before.', growingTypes(), {
      trigger: 'the second grant',
    }),
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
      overrideReply('createUploadGrant', (json, { command }) => {
        const isPdf = command?.operation === 'createUploadGrant' && /\.pdf$/i.test(command.filename)
        return isPdf ? editAt('file_limits.allowed_types', replaceWith(['application/pdf']))(json) : json
      }),
      { trigger: 'the filename of a PDF' },
    ),
  ],
  'files.max-size': [
    deviation(
      'files.max-size-decimal',
      'Counts ten million bytes for ten megabytes.',
      grant(editAt('file_limits.max_size', replaceWith(10_000_000))),
    ),
    deviation(
      'files.max-size-in-megabytes',
      'Sends max_size in megabytes.',
      grant(editAt('file_limits.max_size', replaceWith(10))),
    ),
    deviation(
      'files.max-size-exclusive',
      'Sends the first size that is too large.',
      grant(editAt('file_limits.max_size', replaceWith(10_485_761))),
    ),
    deviation(
      'files.max-size-by-persistence',
      'Allows half the size to files that are not kept.',
      overrideReply('createUploadGrant', (json, { command }) =>
        command?.operation === 'createUploadGrant' && !command.persist
          ? editAt('file_limits.max_size', replaceWith(5_242_880))(json)
          : json,
      ),
      { trigger: 'persist=false' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'files'>>

function secondForUser(edit: Edit): HookOverride {
  return {
    hook: 'body',
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

function countsDown(): HookOverride {
  return overrideReplyByCount('createUploadGrant', (count) =>
    count > 2 ? editAt('expires_in', replaceWith(2 - count)) : (json) => json,
  )
}

function growingTypes(): HookOverride {
  return overrideReplyByCount('createUploadGrant', (count) => editAt('file_limits.allowed_types', repeated(count)))
}
