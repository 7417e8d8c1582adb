/** Legal ways to grant uploads, to tell the status of a file, and to carry one with a message. */

import type { HookOverride } from '../exchange/hooks.ts'
import { overrideRejection } from '../overrides/errors.ts'
import { overrideStatus } from '../overrides/heads.ts'
import { dropField, editAt, isObject } from '../overrides/json-edit.ts'
import { overrideAccepted, overrideObject, overrideReply, overrideReplyByCount } from '../overrides/replies.ts'
import { addRule, misparseRequests } from '../overrides/rules.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import type { Variant } from './variant.ts'

const status = { path: '/v1/files/{file_id}/status', pointer: '/status', complete: ['ready'] }
const attachment = { file_ids: ['{{file_id}}'] }

/** Files are in work when they are asked for so many times. */
const slowPolls = 3

/** Reads and shows the files of a message in another form. */
const attachedAs = (
  field: string,
  read: (given: Json) => Json,
  show: (ids: readonly Json[]) => Json,
): readonly HookOverride[] => [
  misparseRequests('createMessage', (input) => {
    if (!isObject(input.body as Json)) return input
    const { [field]: given, ...body } = input.body as JsonObject
    return given === undefined ? input : { ...input, body: { ...body, file_ids: read(given) } }
  }),
  overrideAccepted(['createMessage', 'listMessages'], (message) => {
    if (!isObject(message) || !Array.isArray(message.file_ids)) return message
    const { file_ids: ids, ...rest } = message
    return { ...rest, [field]: show(ids) }
  }),
]

export const fileVariants: readonly Variant[] = [
  {
    id: 'files.milliseconds',
    because: 'files.expires-in-unit',
    description: 'expires_in is in milliseconds.',
    overrides: [
      overrideObject('createUploadGrant', (body) => ({ ...body, expires_in: Number(body.expires_in) * 1000 })),
    ],
  },
  {
    id: 'files.types-in-other-order',
    because: { freedom: 'The limits are a set.' },
    description: 'The allowed types come in another order.',
    overrides: [
      overrideObject('createUploadGrant', (body) => {
        const limits = isObject(body.file_limits) ? body.file_limits : {}
        const types = Array.isArray(limits.allowed_types) ? limits.allowed_types : []
        return { ...body, file_limits: { ...limits, allowed_types: [...types].reverse() } }
      }),
    ],
  },
  {
    id: 'files.status-takes-polls',
    because: 'files.status-endpoint',
    description: 'A file is in work when its status is asked for the first few times.',
    overrides: [
      overrideReplyByCount('getFileStatus', (poll) =>
        poll < slowPolls ? editAt('status', () => 'processing') : (json) => json,
      ),
    ],
  },
  {
    id: 'files.status-known-later',
    because: 'files.status-endpoint',
    description: 'The status of a file is not found when it is asked for the first time.',
    overrides: [
      overrideReplyByCount(
        'getFileStatus',
        (poll) => (json) => (poll === 1 ? { error_code: 'resource_not_found', detail: 'Resource not found' } : json),
      ),
    ],
  },
  {
    id: 'files.status-inside-record',
    because: 'files.status-endpoint',
    description: 'The status stands inside of a record, in other words.',
    overrides: [
      overrideReply('getFileStatus', (json) =>
        isObject(json)
          ? { id: json.file_id ?? null, processing: { state: json.status === 'ready' ? 'DONE' : 'WORK' } }
          : json,
      ),
    ],
    profile: { files: { status: { ...status, pointer: '/processing/state', complete: ['DONE'] }, attachment } },
  },
  {
    id: 'files.foreign-status-told-as-unknown',
    because: 'files.status-endpoint',
    description: 'The status of a file that the tenant does not have is a success that says unknown.',
    overrides: [
      overrideRejection(['getFileStatus'], 'resource_not_found', () => ({ status: 'unknown' })),
      overrideStatus((code, { operation, reason }) =>
        operation === 'getFileStatus' && reason === 'unknown-file' ? 200 : code,
      ),
    ],
  },
  {
    id: 'files.empty-upload-refused',
    because: 'files.upload-refusal',
    description: 'An upload without a byte is refused.',
    overrides: [
      addRule('bad-upload-signature', ({ command }) => command.operation === 'uploadFile' && command.sizeBytes === 0),
    ],
  },
  {
    id: 'files.one-attachment',
    because: 'files.attachment-field',
    description: 'A message carries one file, in the field file_id.',
    overrides: attachedAs(
      'file_id',
      (id) => [id],
      ([id = null]) => id,
    ),
    profile: { files: { status, attachment: { file_id: '{{file_id}}' } } },
  },
  {
    id: 'files.attachments-as-objects',
    because: 'files.attachment-field',
    description: 'A message carries files as a list of objects.',
    overrides: attachedAs(
      'attachments',
      (given) => (Array.isArray(given) ? given.map((one) => (isObject(one) ? (one.file_id ?? null) : one)) : given),
      (ids) => ids.map((file_id) => ({ file_id })),
    ),
    profile: { files: { status, attachment: { attachments: [{ file_id: '{{file_id}}' }] } } },
  },
  {
    id: 'files.attachments-not-shown',
    because: 'files.attachment-field',
    description: 'No message shows the files that it carries.',
    overrides: [overrideAccepted(['createMessage', 'listMessages'], editAt('file_ids', dropField))],
  },
]
