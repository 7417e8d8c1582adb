/** Deviations of chapter files in the ids of grants and in the upload that they allow. */

import type { HookOverride } from '../../exchange/hooks.ts'
import type { StoredFile } from '../../machine/state.ts'
import { overrideHead } from '../../overrides/heads.ts'
import { isObject } from '../../overrides/json-edit.ts'
import { overrideIds } from '../../overrides/records.ts'
import { overrideReplyWithMemory } from '../../overrides/replies.ts'
import { addRule, duringOperations } from '../../overrides/rules.ts'
import { siblingOf } from '../../overrides/text-corruption.ts'
import type { Json } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

export const fileUploads = {
  'files.file-ids-fresh': [
    deviation(
      'files.id-of-filename',
      'Derives the file_id from the filename.',
      overrideIds('file', (id, { command }) =>
        command.operation === 'createUploadGrant' ? siblingOf(command.filename) : id,
      ),
      { trigger: 'the same filename twice' },
    ),
    deviation(
      'files.id-of-name-when-not-kept',
      'Derives the file_id of a file that is not kept from its name.',
      overrideIds('file', (id, { command }) =>
        command.operation === 'createUploadGrant' && !command.persist ? siblingOf(command.filename, 'unkept') : id,
      ),
      { trigger: 'two files of one name that are not kept' },
    ),
    deviation(
      'files.id-shared-by-tenants',
      'Gives the file_id that another tenant has for a user and filename.',
      overrideIds('file', (id, { command, state }) => {
        if (command.operation !== 'createUploadGrant') return id
        const other = state.files.find(
          (file) =>
            file.tenantId !== command.caller.tenant.id &&
            file.filename === command.filename &&
            file.userId === command.userId,
        )
        return other?.id ?? id
      }),
      { trigger: 'equal names of users and files in two tenants' },
    ),
    deviation(
      'files.id-of-user',
      'Derives the file_id from the user-id.',
      overrideIds('file', (id, { command }) =>
        command.operation === 'createUploadGrant' ? siblingOf(command.userId) : id,
      ),
      { trigger: 'two grants of a user' },
    ),
    deviation(
      'files.id-until-uploaded',
      'Gives the file_id of a user and filename out again until it is used.',
      overrideIds('file', (id, { command, state }) => {
        if (command.operation !== 'createUploadGrant') return id
        const open = state.files.find(
          (file) => file.upload === null && file.filename === command.filename && file.userId === command.userId,
        )
        return open?.id ?? id
      }),
      { trigger: 'the same request twice without an upload' },
    ),
    deviation(
      'files.url-of-user-and-name',
      'Signs a URL for a user and a filename, and not for a file.',
      overrideReplyWithMemory(
        'createUploadGrant',
        () => new Map<string, Json>(),
        (json, { command }, urls) => {
          if (!isObject(json) || command?.operation !== 'createUploadGrant') return json
          const name = `${command.userId} ${command.filename}`
          const url = urls.get(name) ?? json.file_url ?? null
          urls.set(name, url)
          return { ...json, file_url: url }
        },
      ),
      { trigger: 'two grants of a user for one filename' },
    ),
  ],
  'files.upload-accepted': [
    deviation(
      'files.upload-of-text-refused',
      'Refuses uploads of plain text.',
      addRule(
        'file-type-not-allowed',
        ({ command }) => command.operation === 'uploadFile' && command.mediaType === 'text/plain',
      ),
      { trigger: 'a file of plain text' },
    ),
    deviation(
      'files.upload-of-documents-only',
      'Refuses uploads of text types.',
      addRule(
        'file-type-not-allowed',
        ({ command }) => command.operation === 'uploadFile' && command.mediaType.startsWith('text/'),
      ),
      { trigger: 'a file of a text type' },
    ),
    deviation(
      'files.upload-expired-at-once',
      'Reads the lifetime of a URL in milliseconds.',
      addRule('upload-expired', duringOperations('uploadFile')),
    ),
    deviation(
      'files.upload-signed-for-post',
      'Signs the URL for another method than PUT.',
      addRule('bad-upload-signature', duringOperations('uploadFile')),
    ),
    deviation(
      'files.small-upload-refused',
      'Refuses uploads below 1,024 bytes as incomplete.',
      addRule('file-too-large', ({ command }) => command.operation === 'uploadFile' && command.sizeBytes < 1024),
      { trigger: 'a small file' },
    ),
    deviation(
      'files.upload-above-mebibyte-refused',
      'Refuses uploads above 1,048,576 bytes.',
      addRule('file-too-large', ({ command }) => command.operation === 'uploadFile' && command.sizeBytes > 1_048_576),
      { trigger: 'a file above 1 MiB' },
    ),
    deviation(
      'files.upload-of-largest-size-refused',
      'Refuses a file of exactly the largest size.',
      addRule('file-too-large', ({ command }) => command.operation === 'uploadFile' && command.sizeBytes >= 10_485_760),
      { trigger: 'a file of 10,485,760 bytes' },
    ),
    deviation(
      'files.upload-not-kept-refused',
      'Refuses uploads of files that are not to be kept.',
      addRule(
        'bad-upload-signature',
        ({ command, state }) =>
          command.operation === 'uploadFile' && state.files.get(command.fileId)?.persist === false,
      ),
      { trigger: 'persist=false' },
    ),
    deviation(
      'files.upload-of-earlier-grant-refused',
      'Ends the URL of a grant when the same user asks again for the same filename.',
      addRule('upload-expired', ({ command, state }) => {
        const file = command.operation === 'uploadFile' ? state.files.get(command.fileId) : undefined
        const isLater = (other: StoredFile): boolean =>
          other.id !== file?.id &&
          other.userId === file?.userId &&
          other.filename === file.filename &&
          other.expiresAtUs >= file.expiresAtUs
        return state.files.find(isLater) !== undefined
      }),
      { trigger: 'two grants for one filename before the upload' },
    ),
    deviation(
      'files.upload-of-type-with-parameter-refused',
      'Compares the Content-Type of an upload as text, and refuses one with a parameter.',
      overrideHead('uploadFile', (sent, { request }) =>
        String(request.headers['content-type']).includes(';') ? { ...sent, status: 415 } : sent,
      ),
      { trigger: 'a media type with a parameter' },
    ),
    deviation(
      'files.upload-of-name-with-slash-lost',
      'Puts the filename into the URL as it is, and does not find what has a slash in it.',
      addRule(
        'bad-upload-signature',
        ({ command, state }) =>
          command.operation === 'uploadFile' && state.files.get(command.fileId)?.filename.includes('/') === true,
      ),
      { trigger: 'a filename with a slash' },
    ),
    deviation(
      'files.upload-of-name-decoded-twice-refused',
      'Decodes the filename once more when the file arrives.',
      addRule(
        'bad-upload-signature',
        ({ command, state }) =>
          command.operation === 'uploadFile' &&
          /%(?![0-9a-f]{2})/i.test(state.files.get(command.fileId)?.filename ?? ''),
      ),
      { trigger: 'a filename with a percent sign' },
    ),
    deviation(
      'files.upload-without-user-id-refused',
      'Refuses uploads without user-id, which the grant has asked for already.',
      overrideHead('uploadFile', (sent, { request }) =>
        request.headers['user-id'] === undefined ? { ...sent, status: 400 } : sent,
      ),
    ),
  ],
  'files.upload-needs-no-key': [
    deviation('files.upload-without-key-refused', 'Refuses uploads without api-key.', keyless(401)),
    deviation(
      'files.upload-without-key-forbidden',
      'Guards the upload route like all others, and answers 403.',
      keyless(403),
    ),
  ],
} as const satisfies Partial<DeviationTable<'files'>>

function keyless(status: number): HookOverride {
  return overrideHead('uploadFile', (sent, { request }) =>
    request.headers['api-key'] === undefined ? { ...sent, status } : sent,
  )
}
