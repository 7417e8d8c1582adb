/** Puts an uploaded file into a world, by the grant and the upload that a client would need. */
import { hash } from 'node:crypto'
import type { Command } from '../machine/command.ts'
import { fileLimits } from '../machine/file-limits.ts'
import type { FieldFault } from '../reasons/reason.ts'
import type { Caller } from '../scenario/resolved-scenario.ts'
import { type FieldRules, flag, optional, stamp, text } from '../state-file/field-rules.ts'
import { applied, callerOf, pastTick, wholly } from './apply-seed.ts'
import { refuseFile } from './draft-faults.ts'
import { SeedError } from './seed-error.ts'
import type { World } from './world.ts'

export interface FileSeed {
  readonly filename: string
  /** Default: by the ending of the name. */
  readonly media_type?: string
  /** The uploaded text; default: empty. */
  readonly content?: string
  /** Default true; false leaves a grant without an upload. */
  readonly uploaded?: boolean
  readonly persist?: boolean
  /** Default `seed`. */
  readonly user_id?: string
  /** When it was granted and uploaded; default: now. */
  readonly created_at?: string
}

/** The fields of a file in a seed. */
export const fileSeedRules: FieldRules = {
  filename: text,
  media_type: optional(text),
  content: optional(text),
  uploaded: optional(flag),
  persist: optional(flag),
  user_id: optional(text),
  created_at: optional(stamp),
}

const [csv, plain, pdf, document, sheet] = fileLimits.allowedTypes
const typeOfEnding: Readonly<Record<string, string>> = { csv, txt: plain, pdf, docx: document, xlsx: sheet }

/** Grants and uploads a file of its own; gives its id. */
export function seedFile(world: World, seed: FileSeed & { readonly tenant?: string }): { readonly id: string } {
  return wholly(world, seed, { ...fileSeedRules, tenant: optional(text) }, () => {
    const caller = callerOf(world.machine.scenario.tenants, seed.tenant)
    return { id: uploaded(world, caller, seed, []) }
  })
}

/** The id of a file that was granted and uploaded for a seed. */
export function uploaded(
  world: World,
  caller: Caller,
  seed: FileSeed,
  place: FieldFault['loc'],
  fallbackTickUs?: number,
): string {
  const { filename, persist = true, user_id: userId = 'seed', content = '' } = seed
  refuseFile(filename, userId, place)
  const tickUs = seed.created_at === undefined ? fallbackTickUs : pastTick(world, seed.created_at, place)
  const digest = `seed file ${world.state.files.size}`
  const baseUrl = 'http://127.0.0.1'
  const grant = { operation: 'createUploadGrant', caller, filename, persist, userId, baseUrl, digest } as const
  const { file_id: id, file_url: url } = applied(world, grant, place, tickUs) as Readonly<Record<string, string>>
  if (id === undefined || url === undefined) throw new Error('a grant names its file')
  if (seed.uploaded === false) return id
  applied(world, uploadOf(id, url, content, seed.media_type ?? mediaTypeOf(filename, place)), place, tickUs)
  return id
}

/** The media type by the ending of a name. Throws a SeedError when the ending tells none. */
export function mediaTypeOf(filename: string, place: FieldFault['loc']): string {
  const mediaType = typeOfEnding[filename.split('.').at(-1)?.toLowerCase() ?? '']
  if (mediaType !== undefined) return mediaType
  const message = `is needed, since the ending of "${filename}" does not tell it; one of ${fileLimits.allowedTypes.join(', ')}`
  throw new SeedError('seed-invalid-fields', [{ loc: [...place, 'media_type'], message, type: 'missing' }])
}

/** The upload of a text to a granted URL. */
export function uploadOf(fileId: string, url: string, content: string, mediaType: string): Command {
  const { searchParams } = new URL(url)
  return {
    operation: 'uploadFile',
    fileId,
    expires: searchParams.get('expires') ?? '',
    signature: searchParams.get('signature') ?? '',
    mediaType,
    sizeBytes: Buffer.byteLength(content),
    sha256: hash('sha256', content),
  }
}
