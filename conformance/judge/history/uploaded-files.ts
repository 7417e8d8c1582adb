/**
 * Reads the uploaded files of a trace: their tenants, what their status said, and which messages attach them. Only the mapping
 * of the profile says where status and attachment are; without it a file has neither.
 */
import { groupBy } from '../../../spec/index.ts'
import type { JudgedFiles } from '../judge-profile.ts'
import { idField, lowerCase } from '../read/formats.ts'
import { fieldOf, isObject, type JsonObject, valuesAt } from '../read/json.ts'
import { textOfPlaceholder } from '../read/locate-placeholder.ts'
import { documentOf, isAccepted, type ParsedExchange, queryValues, uploadUrl } from '../read/parsed-exchange.ts'

export interface UploadedFile {
  /** Lower case. */
  readonly id: string
  readonly tenant: string | null
  readonly grant: ParsedExchange
  /** Whether it is kept for reuse: persist is true when it is left out. */
  readonly isKept: boolean
  /** The upload that was accepted. */
  readonly upload: ParsedExchange
  /** The last of its tenant's requests for its status that was over before the upload. */
  readonly before: ParsedExchange | null
  /** Requests of any tenant for its status after the upload. */
  readonly polls: readonly ParsedExchange[]
  /** The first of its tenant's requests for its status that said that it is complete. */
  readonly completed: ParsedExchange | null
}

export type UploadedFiles = ReadonlyMap<string, UploadedFile>

const placeholder = '{{file_id}}'

/** The files that were uploaded in a trace, by their ids. */
export function uploadedFiles(
  of: (operation: 'createUploadGrant' | 'uploadFile' | 'getFileStatus') => readonly ParsedExchange[],
  mapping: JudgedFiles,
): UploadedFiles {
  const uploads = new Map<string, ParsedExchange>()
  for (const upload of of('uploadFile')) {
    const { url } = upload.exchange.request
    if (isAccepted(upload) && !uploads.has(url)) uploads.set(url, upload)
  }
  const pollsOf = groupBy(of('getFileStatus'), ({ params }) => lowerCase(params.file_id ?? ''))
  const files = new Map<string, UploadedFile>()
  for (const grant of of('createUploadGrant')) {
    const id = idField(documentOf(grant), 'file_id')
    const upload = uploads.get(uploadUrl(documentOf(grant)) ?? '')
    if (id === null || upload === undefined || files.has(id)) continue
    const reads = pollsOf.get(id) ?? []
    const polls = reads.filter(({ sentAtMs }) => sentAtMs >= upload.endedAtMs)
    const before =
      reads.findLast(({ tenant, endedAtMs }) => tenant === grant.tenant && endedAtMs <= upload.sentAtMs) ?? null
    const completed =
      polls.find(({ tenant, ...poll }) => tenant === grant.tenant && saysComplete(poll, mapping)) ?? null
    const isKept = queryValues(grant, 'persist').every((persist) => persist === 'true')
    files.set(id, { id, tenant: grant.tenant, grant, isKept, upload, before, polls, completed })
  }
  return files
}

/** The status in an answer, or `undefined` when it shows none. */
export const statusIn = (poll: Pick<ParsedExchange, 'answer'>, { status }: JudgedFiles): unknown =>
  status === null || poll.answer.kind !== 'accepted' || poll.answer.body.kind !== 'json'
    ? undefined
    : valuesAt(poll.answer.body.value, status.pointer)[0]

/** Whether an answer says that processing is complete. */
export const saysComplete = (poll: Pick<ParsedExchange, 'answer'>, mapping: JudgedFiles): boolean =>
  mapping.status?.complete.some((value) => value === statusIn(poll, mapping)) === true

/** Whether an answer says that processing has ended otherwise. */
export const saysFailed = (poll: Pick<ParsedExchange, 'answer'>, mapping: JudgedFiles): boolean =>
  mapping.status?.failed?.some((value) => value === statusIn(poll, mapping)) === true

/** The file that a body attaches in the way of the profile, as it is written there; `null` for a body that attaches none. */
export function attachedFile(body: JsonObject, { attachment }: JudgedFiles): string | null {
  if (attachment === null) return null
  const fields = Object.keys(attachment)
  const names = fields.filter((name) => Object.hasOwn(body, name))
  // Nearly all messages attach nothing, and nothing need be compared with the template then.
  if (names.length === 0 && fields.length > 0) return null
  return textOfPlaceholder(attachment, Object.fromEntries(names.map((name) => [name, body[name]])), placeholder)
}

/** The same of a request. */
export const attachedBy = ({ body }: ParsedExchange, mapping: JudgedFiles): string | null =>
  body.kind === 'json' && isObject(body.value) ? attachedFile(body.value, mapping) : null

/** The field of a message that holds the id of its file. */
export const attachmentField = ({ attachment }: JudgedFiles): string | null =>
  Object.keys(attachment ?? {}).find((name) => JSON.stringify(fieldOf(attachment, name)).includes(placeholder)) ?? null
